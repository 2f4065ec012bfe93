import type { Inbox } from "../../io/serve/inbox.ts";
import type { BuildItem } from "../../serve/inbox-lines.ts";

/** Of what was built last: `counts` is all of it, `unjudged` isn't understood here. Of these others what they take away counts. */
export type BuildStanding = "counts" | "waits" | "refused" | "unjudged";

/** What a person is asked about what was built last. */
export interface BuildQuestion {
  readonly standing: BuildStanding;
  /** `yes`: to what the item tells, whatever was built since. */
  ask(item: BuildItem, yes: () => void): void;
  /** All of it counts. */
  settle(): void;
  /** It lies there no more. */
  withdraw(): void;
}

/** Looked at twice it is the same build, and asked about once. */
export function openQuestion({
  inbox,
  said,
}: {
  readonly inbox: Pick<Inbox, "propose">;
  said(line: string): void;
}): BuildQuestion {
  let standing: BuildStanding = "counts";
  let asked: string | undefined;
  /** It isn't asked again before something else is built. */
  let refused: string | undefined;
  const end = (as: BuildStanding): void => {
    standing = as;
    asked = undefined;
    inbox.propose(undefined);
  };
  return {
    get standing() {
      return standing;
    },
    ask(item, yes) {
      const { hash } = item;
      // What waited before it is built no more.
      if (hash === refused) {
        end("refused");
        return said("a build that was answered with no is there again: what it takes away counts");
      }
      standing = "waits";
      asked = hash;
      inbox.propose({
        item,
        decided(isYes) {
          if (asked !== hash) return;
          if (isYes) return yes();
          standing = "refused";
          refused = hash;
        },
      });
      said("a build waits, but for what it takes away: `rolecall asks` shows what it opens");
    },
    settle() {
      refused = undefined;
      end("counts");
    },
    withdraw: () => end("unjudged"),
  };
}
