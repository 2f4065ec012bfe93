import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../base/json.ts";
import { digestOf } from "../../base/digest.ts";
import type { Satisfies } from "../../diff/implies.ts";
import type { AccessChanged } from "../../diff/types.ts";
import type { Accepted } from "../../io/serve/accepted.ts";
import type { Inbox } from "../../io/serve/inbox.ts";
import { servedText } from "../../serve/served-text.ts";
import { takeOver } from "../../serve/take-over.ts";
import type { Served } from "../../serve/types.ts";

/** Which build counts: the one that was accepted, and of a newer one what it takes away, until a person says yes to it. */
export interface Builds {
  /** What is served from now on. */
  take(built: Served): Promise<Served>;
  /** The newest counts, as after a yes. */
  accept(): void;
}

export interface BuildsWorld {
  readonly accepted: Accepted;
  readonly inbox: Inbox;
  /** Loaded only where two builds differ in access. */
  satisfies(): Promise<Satisfies>;
  serve(served: Served): void;
  said(line: string): void;
}

/** The first start of a project accepts what is there, as its user did who named it in a host's file. */
export function openBuilds(first: Served, { accepted: kept, inbox, satisfies, serve, said }: BuildsWorld): Builds {
  let newest = first;
  let accepted = kept.read() ?? keep(first);
  /** By its hash: it isn't asked again before something else is built. */
  let refused: string | undefined;

  function keep(served: Served): Served {
    kept.keep(served);
    return served;
  }
  const adopt = (built: Served): void => {
    accepted = keep(built);
    refused = undefined;
    inbox.propose(undefined);
    serve(built);
  };
  const judgeOf = async ({ access }: Served): Promise<Satisfies> =>
    JSON.stringify(access) === JSON.stringify(accepted.access) ? NOTHING_TO_JUDGE : satisfies();
  return {
    async take(built) {
      newest = built;
      const { served, waiting, reconnected, approvers, door, hosts } = takeOver(accepted, built, await judgeOf(built));
      if (served === built) {
        accepted = keep(built);
        refused = undefined;
        inbox.propose(undefined);
        said("a build is served");
        return served;
      }
      const hash = digestOf(servedText(built));
      const decided = (yes: boolean): void => {
        if (yes) adopt(built);
        else refused = hash;
      };
      const item = {
        kind: "build",
        id: randomUUID(),
        hash,
        changes: waiting.map(told),
        reconnected,
        approvers,
        door,
        hosts,
      } as const;
      if (hash !== refused) inbox.propose({ item, decided });
      said("a build waits, but for what it takes away: `rolecall asks` shows what it opens");
      return served;
    },
    accept: () => adopt(newest),
  };
}

/** Whatever is asked of it is no: then it waits. */
const NOTHING_TO_JUDGE: Satisfies = () => false;

function told({ direction, kind, role, server, tool, before, after, openings }: AccessChanged): JsonObject {
  const about = { direction, kind, role: role ?? null, server: server ?? null, tool: tool ?? null, before, after };
  return openings.length === 0 ? about : { ...about, more: openings.map(({ argument }) => argument) };
}
