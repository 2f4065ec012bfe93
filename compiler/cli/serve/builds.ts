import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../base/json.ts";
import { digestOf } from "../../base/digest.ts";
import type { Satisfies } from "../../diff/implies.ts";
import type { AccessChanged } from "../../diff/types.ts";
import { noWays, type Accepted } from "../../io/serve/accepted.ts";
import type { Inbox } from "../../io/serve/inbox.ts";
import { acceptedText, type AcceptedBuild } from "../../serve/accepted-text.ts";
import type { BuildItem } from "../../serve/inbox-lines.ts";
import { takeOver, type TakenOver } from "../../serve/take-over.ts";
import type { Served } from "../../serve/types.ts";
import { movedServers, withYes, type AcceptedWays, type FoundWays } from "../../serve/ways.ts";

/** Which build counts: the one that was accepted, and of a newer one what it takes away, until a person says yes to it. */
export interface Builds {
  /** What is served from now on. */
  take(built: Served): Promise<Served>;
  /** The newest counts, as after a yes. */
  accept(): void;
}

/** By this key, with the variables as they are. */
export type WaysOf = (served: Served, key: string) => Promise<FoundWays>;

export interface BuildsWorld {
  readonly accepted: Accepted;
  readonly waysOf: WaysOf;
  readonly inbox: Inbox;
  /** Loaded only where two builds differ in access. */
  satisfies(): Promise<Satisfies>;
  serve(served: Served): void;
  said(line: string): void;
}

/** The first start of a project accepts what is there, as its user did who named it in a host's file. */
export function openBuilds({ accepted: kept, waysOf, inbox, satisfies, serve, said }: BuildsWorld): Builds {
  let accepted = kept.read();
  let newest: AcceptedBuild | undefined;
  /** By its hash: it isn't asked again before something else is built. */
  let refused: string | undefined;

  const settle = (build: AcceptedBuild): Served => {
    accepted = build;
    kept.keep(build);
    refused = undefined;
    inbox.propose(undefined);
    return build.served;
  };
  const judgeOf = async ({ access }: Served, before: Served): Promise<Satisfies> =>
    JSON.stringify(access) === JSON.stringify(before.access) ? NOTHING_TO_JUDGE : satisfies();
  return {
    async take(built) {
      newest = await acceptedNow(built, accepted?.ways, waysOf);
      if (accepted === undefined) return settle(newest);
      const { served: before, ways } = accepted;
      const known = ways ?? (await acceptedNow(before, undefined, waysOf)).ways;
      if (ways === undefined) settle({ served: before, ways: known });
      const moved = movedServers(await waysOf(before, known.key), known);
      const taken = takeOver(before, built, await judgeOf(built, before), moved);
      if (taken.served === built) {
        said("a build is served");
        return settle(newest);
      }
      const proposed = newest;
      const item = itemOf(proposed, taken);
      const decided = (yes: boolean): void => {
        if (yes) serve(settle(proposed));
        else refused = item.hash;
      };
      if (item.hash !== refused) inbox.propose({ item, decided });
      said("a build waits, but for what it takes away: `rolecall asks` shows what it opens");
      return taken.served;
    },
    accept() {
      if (newest !== undefined) serve(settle(newest));
    },
  };
}

/** What a yes to it would be: with the ways in which its servers are reached now. */
export async function acceptedNow(
  served: Served,
  before: AcceptedWays | undefined,
  waysOf: WaysOf,
): Promise<AcceptedBuild & { readonly ways: AcceptedWays }> {
  const ways = before ?? noWays();
  return { served, ways: withYes(ways, await waysOf(served, ways.key)) };
}

/** Whatever is asked of it is no: then it waits. */
const NOTHING_TO_JUDGE: Satisfies = () => false;

function itemOf(proposed: AcceptedBuild, taken: TakenOver): BuildItem {
  const { waiting, reconnected, moved, approvers, door, hosts } = taken;
  return {
    kind: "build",
    id: randomUUID(),
    hash: digestOf(acceptedText(proposed)),
    changes: waiting.map(told),
    reconnected,
    moved: moved.map(({ server, variables }) => ({
      server,
      variables: variables.map(({ name, from }) => ({ name, from: from ?? null })),
    })),
    approvers,
    door,
    hosts,
  };
}

function told({ direction, kind, role, server, tool, before, after, openings }: AccessChanged): JsonObject {
  const about = { direction, kind, role: role ?? null, server: server ?? null, tool: tool ?? null, before, after };
  return openings.length === 0 ? about : { ...about, more: openings.map(({ argument }) => argument) };
}
