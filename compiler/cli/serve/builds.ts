import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../base/json.ts";
import { digestOf } from "../../base/digest.ts";
import type { AccessChanged } from "../../diff/types.ts";
import type { Accepted, ReadBuilt } from "../../io/serve/accepted.ts";
import type { Inbox } from "../../io/serve/inbox.ts";
import { servedText } from "../../serve/served-text.ts";
import type { TakenOver } from "../../serve/take-over.ts";
import type { Served } from "../../serve/types.ts";

/** Which build counts: the one that was accepted, and of a newer one what it takes away, until a person says yes to it. */
export interface Builds {
  /** What is served from now on. */
  take(built: ReadBuilt): Promise<Served>;
  /** The newest counts, as after a yes. */
  accept(): void;
}

export interface BuildsWorld {
  readonly accepted: Accepted;
  readonly inbox: Inbox;
  serve(served: Served): void;
  said(line: string): void;
}

/** The first start of a project accepts what is there, as its user did who named it in a host's file. */
export function openBuilds(first: ReadBuilt, { accepted: kept, inbox, serve, said }: BuildsWorld): Builds {
  let newest = first;
  let accepted = kept.read() ?? keep(first);
  /** By its hash: it isn't asked again before something else is built. */
  let refused: string | undefined;

  function keep(built: ReadBuilt): Served {
    kept.keep(built);
    return built.served;
  }
  const adopt = (built: ReadBuilt): Served => {
    // What was accepted already isn't written once more.
    accepted = built.served === accepted ? accepted : keep(built);
    refused = undefined;
    inbox.propose(undefined);
    return accepted;
  };
  return {
    async take(built) {
      newest = built;
      const taken = built.served === accepted ? undefined : await judgedAnew(accepted, built.served);
      if (taken === undefined || taken.served === built.served) {
        said("a build is served");
        return adopt(built);
      }
      const { served, waiting, reconnected, approvers, door, hosts } = taken;
      const hash = digestOf(servedText(built.served));
      const decided = (yes: boolean): void => {
        if (yes) serve(adopt(built));
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
    accept: () => serve(adopt(newest)),
  };
}

async function judgedAnew(accepted: Served, built: Served): Promise<TakenOver> {
  return (await import("./judged.ts")).judged(accepted, built);
}

function told({ direction, kind, role, server, tool, before, after, openings }: AccessChanged): JsonObject {
  const about = { direction, kind, role: role ?? null, server: server ?? null, tool: tool ?? null, before, after };
  return openings.length === 0 ? about : { ...about, more: openings.map(({ argument }) => argument) };
}
