import { READS, wordsOf, WRITES } from "./verbs.ts";

/** Whether a name says that its value is a secret, so that no text may be written under it, whatever it looks like. */
export function saysSecret(name: string): boolean {
  const words = wordsOf(name).flatMap((word) => JOINED.get(word) ?? word);
  while (words.length > 1 && TRAILING.has(words.at(-1)!.replace(/\d+$/, ""))) words.pop();
  if (words.length === 0 || SWITCHES.has(words[0]!)) return false;
  const last = words.at(-1)!.replace(/(?<=[a-z])\d+$/, "");
  const before = words.at(-2) ?? "";
  if (last === "token") return !PLACES.has(before);
  if (last === "key") return KEYS.has(before) || ISSUERS.has(before);
  if (/^[A-Z0-9_]+$/.test(name) && words.length === 1 && WITH_A_NAME.has(last)) return last !== "pwd";
  return ALONE.has(last) || ENDING.test(last) || (before !== "" && WITH_A_NAME.has(last));
}

/**
 * For lines that are shown: a name that is a password's alone as well (`PASS`, `--pw`), and any `..._KEY` of an environment.
 * A tool's name says what it does: `get_secret` is none.
 */
export function namesValue(name: string): boolean {
  const words = wordsOf(name);
  if (/^[a-z_]+$/.test(name) && words.length > 1 && (READS.has(words[0]!) || WRITES.has(words[0]!))) return false;
  if (saysSecret(name) || /^(?:pass|pw|pat|passwort|auth[-_]?token)$/i.test(name)) return true;
  return (
    /^[A-Z][A-Z0-9_]*_KEYS?$/.test(name) && !/_(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE)_KEYS?$/.test(`_${name}`)
  );
}

/** Of a name that says so, a value that is no secret all the same: a file where one lies, or nothing but yes and no. */
export function isHarmless(name: string, value: string): boolean {
  if (/^(?:true|false)$/i.test(value)) return true;
  if (/^\/(?:var\/)?run\/secrets\//.test(value)) return true;
  return /(?:credentials?|private[-_]?key)$/i.test(name) && IS_FILE.test(value);
}

const IS_FILE = /^(?:~|\.{1,2})?\/\S*$|^[A-Za-z]:[\\/]|\.(?:json|pem|key|p12|pfx|ya?ml|toml|txt|ini|env)$/i;
const ALONE = setOf(
  "password passwd passphrase passcode secret secrets credential credentials apikey authorization jwt",
);
const ENDING =
  /(?:password|passwd|passphrase|apikey|accesskey|secretkey|privatekey|authtoken|accesstoken|apitoken|authkey)$|^(?:pg|db|my(?:sql)?|smtp|imap|mail|ftp|ssh|redis|user|root|admin|sudo)pass$/;
/** Alone they are also a working directory, a command, a test's result. */
const WITH_A_NAME = setOf("pwd pass pw pat");
const KEYS = setOf(
  "api access private secret encryption signing signature master subscription account auth service shared admin ssh role session webhook deploy license",
);
/** Whose keys are called by their name alone: `OPENAI_KEY`. */
const ISSUERS = setOf(
  "openai anthropic openrouter gemini azure mistral groq cohere deepseek replicate together huggingface hf perplexity tavily serper serpapi brave exa firecrawl jina elevenlabs pinecone langsmith langfuse stripe sendgrid mailgun twilio github gitlab notion linear airtable figma datadog sentry supabase cloudflare",
);
/** A `next page token` is a place in a list. */
const PLACES = setOf("next page continuation stop eos bos pad mask cancellation max");
/** `REQUIRE_PASSWORD`, `--no-token`: they turn something on or off. */
const SWITCHES = setOf(
  "allow require requires use uses enable enabled disable disabled skip no has is show hide verify needs without ignore",
);
/** What may stand behind the word: `GITHUB_TOKEN_2`, `DB_PASSWORD_PROD`. */
const TRAILING = setOf(
  "value prod production dev development test staging stage local default ro rw read write main primary secondary backup old new v",
);
const JOINED: ReadonlyMap<string, readonly string[]> = new Map([
  ["accesstoken", ["access", "token"]],
  ["authtoken", ["auth", "token"]],
]);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
