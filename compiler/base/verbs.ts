import { wordsOf } from "../../runtime/secret-names.ts";

export { wordsOf };

/** What the words of a name say that a tool does. The one list of such words: whoever judges names goes by it. */
export const READS: ReadonlySet<string> = setOf(
  `get list read search view describe fetch query show find status count info check`,
);

/** What is written with these is an argument's value as well as a tool's name. */
export const WRITES: ReadonlySet<string> = setOf(
  `create update delete write add remove set edit move merge close insert drop rename put patch upsert send cancel archive`,
);

/** What else asks and changes nothing. */
const MORE_READS = setOf(
  `retrieve lookup inspect browse discover explain analyze analyse compare validate verify preview diff test is has can
   are wait history details detail logs log url urls stats statistics metrics options summary report schema docs help
   scan explore suggest estimate calculate compute preflight plan simulate subscribe subscriptions`,
);

/** None of them is a thing: wherever they stand in a name, they say what it does. */
const ALWAYS_WRITES = setOf(
  `delete remove create write add insert upsert modify edit append prepend rename unlink destroy erase wipe purge
   truncate overwrite uninstall terminate kill shutdown reboot restart enable disable revoke unassign approve reject
   decline unsubscribe unregister deregister send resend publish unpublish save rotate refund pay buy purchase invite
   ban unban mute unmute activate deactivate reactivate resize recreate rebuild reinstall reassign regenerate toggle`,
);

/** Things too (`list_updates`, a `merge` request, a deploy's status): behind the start they say it only where no word reads. */
const WRITES_FIRST = setOf(
  `update set put patch post merge move drop close reopen cancel archive unarchive restore upload install deploy
   undeploy register reset clear replace assign grant transfer charge push commit revert rollback cherry import stop
   start reply comment submit setup manage sync lock unlock attach detach pin unpin star unstar follow unfollow change
   upgrade flush pause clone duplicate rebase finalize promote`,
);

/** They may mean less than they say, and the description tells: `manage` by an argument that only lists, `deploy` as a plan. */
const MAY_ONLY_LOOK = setOf(`manage deploy setup`);
const ONLY_LOOKS = /\bread[- ]?only\b|\bdry[- ]run\b|只读/i;

/** What is created may be a text for whoever asked. What the description says first decides. */
const ANSWERS =
  /\b(?:provides?|generates?|returns|explains?|documentation|guidance|instructions|analysis|calculates?|computes?)\b/i;
const CHANGES = /\b(?:creat(?:es?|ing)|adds?|saves?|inserts?|registers?|posts?|submits?)\b/i;
const TEXTS = setOf(`query queries prompt prompts diagram summary regex snippet`);
const THEN: ReadonlySet<string> = new Set(["and", "or", "then"]);

/**
 * The word of a name that says that the tool changes something; undefined where the name says nothing of the kind, or
 * reads: the verb is what counts, and in `search_create_options` that is `search`.
 */
export function writingWord(name: string, description: string = ""): string | undefined {
  const words = wordsOf(name).filter((part) => !/^v?\d+$/.test(part));
  const word = verbOf(words) ?? afterReading(words);
  return word !== undefined && isTold(word, words, description) ? undefined : word;
}

function verbOf(words: readonly string[]): string | undefined {
  const [first = "", second = ""] = words;
  if (ALWAYS_WRITES.has(first)) return first;
  // `start_search` searches.
  if (WRITES_FIRST.has(first)) return first === "start" && isReading(second) ? undefined : first;
  const reading = words.findIndex(isReading);
  const writing = words.findIndex((word) => ALWAYS_WRITES.has(word));
  if (writing !== -1 && (reading === -1 || writing < reading)) return words[writing];
  // Behind the name of a server or of a thing: `browser_start_video`, `droplet-update`.
  return reading === -1 ? words.find((word) => WRITES_FIRST.has(word)) : undefined;
}

/** `find_or_create`, `get-and-delete`: one that does both. */
function afterReading(words: readonly string[]): string | undefined {
  return words.find((word, i) => THEN.has(words[i - 1] ?? "") && (ALWAYS_WRITES.has(word) || WRITES_FIRST.has(word)));
}

function isReading(word: string): boolean {
  return READS.has(word) || MORE_READS.has(word);
}

/** That it changes nothing after all. */
function isTold(word: string, words: readonly string[], description: string): boolean {
  if (MAY_ONLY_LOOK.has(word)) return ONLY_LOOKS.test(description);
  if (word === "add") return words.length === 1;
  if (word !== "create") return false;
  const answers = description.search(ANSWERS);
  const changes = description.search(CHANGES);
  return TEXTS.has(words.at(-1)!) || (answers !== -1 && (changes === -1 || answers < changes));
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
