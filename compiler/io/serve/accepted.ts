import { randomBytes } from "node:crypto";
import path from "node:path";
import { digestOf } from "../../base/digest.ts";
import { isObject, own, type JsonValue } from "../../base/json.ts";
import { isWhollyKnown, readServed, servedText } from "../../serve/served-text.ts";
import type { Served } from "../../serve/types.ts";
import { readWays, waysText, type AcceptedWays } from "../../serve/ways.ts";
import { makePrivateFolder, readPrivate, writePrivate } from "../login/private-file.ts";
import { trouble } from "../login/types.ts";
import type { LookedAt } from "../remember/looked-at.ts";
import { keptAt } from "./place.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A build as a check read it. */
export interface ReadBuilt {
  readonly served: Served;
  /** What it was made of: while that is the same, so is what is served. */
  readonly lookedAt: LookedAt | undefined;
}

/** What a person has accepted of a project: kept outside of it, so that neither a change of it nor a new start is a yes. */
export interface Accepted {
  /** Where it lies. */
  readonly file: string;
  /** As it lies there now: another process may serve the project too. Undefined: the project was never served here. What can't be understood is thrown as trouble, and is no first start. */
  read(): Served | undefined;
  /** The same, where all that it was made of is still what it was: what would be built now is what was accepted. */
  standing(isStill: (lookedAt: LookedAt) => boolean): Served | undefined;
  keep(built: ReadBuilt): void;
  /** To write anew what was read loses nothing of it. */
  isWhollyKnown(): boolean;
  /** Undefined: nobody has compared what variables hold. What can't be understood is trouble as well. */
  ways(): AcceptedWays | undefined;
  keepWays(ways: AcceptedWays): void;
}

const HOLDS = "what you accepted of projects is";

export function noWays(): AcceptedWays {
  return { key: randomBytes(32).toString("base64"), digests: new Map() };
}

/** `tool`: of which build of rolecall; another one may make something else of the same sources. */
export function openAccepted(dir: string, env: Env, tool: string): Accepted {
  const start = keptAt(dir, env);
  const [folder, file, note, values] = [
    path.dirname(start),
    `${start}.json`,
    `${start}.made.json`,
    `${start}.ways.json`,
  ];
  let kept: { readonly served: Served; readonly digest: string } | undefined;
  const read = (): typeof kept => {
    makePrivateFolder(folder, HOLDS);
    const text = readPrivate(file, HOLDS);
    if (text === undefined) return (kept = undefined);
    const digest = digestOf(text);
    if (digest === kept?.digest) return kept;
    const served = readServed(text);
    if (served === undefined) throw notUnderstood(file);
    return (kept = { served, digest });
  };
  return {
    file,
    read: () => read()?.served,
    standing(isStill) {
      const known = read();
      const made = known && readMade(readPrivate(note, HOLDS));
      return made?.tool === tool && made.accepted === known?.digest && isStill(made) ? known.served : undefined;
    },
    keep({ served, lookedAt }) {
      makePrivateFolder(folder, HOLDS);
      const text = servedText(served);
      const digest = digestOf(text);
      writePrivate(file, text);
      kept = { served, digest };
      if (lookedAt !== undefined) writePrivate(note, JSON.stringify({ tool, accepted: digest, ...lookedAt }));
    },
    isWhollyKnown() {
      const text = readPrivate(file, HOLDS);
      return text !== undefined && isWhollyKnown(text);
    },
    ways() {
      const text = readPrivate(values, HOLDS);
      const ways = text === undefined ? undefined : readWays(text);
      if (text !== undefined && ways === undefined) throw notUnderstood(values);
      return ways;
    },
    keepWays(ways) {
      writePrivate(values, waysText(ways));
    },
  };
}

function notUnderstood(file: string): ReturnType<typeof trouble> {
  return trouble(
    `\`${file}\`, what was accepted of this project, can't be understood`,
    "look at `rolecall report`, then `rolecall serve --accept` takes what is built now",
  );
}

interface Made extends LookedAt {
  readonly tool: string;
  readonly accepted: string;
}

/** Ours alone, so it is one, or it is of another version. */
function readMade(text: string | undefined): Made | undefined {
  try {
    const made = JSON.parse(text ?? "null") as JsonValue;
    const isMade = isObject(made) && ["files", "folders"].every((key) => isDigests(own(made, key)));
    return isMade ? (made as unknown as Made) : undefined;
  } catch {
    return undefined;
  }
}

function isDigests(list: JsonValue | undefined): boolean {
  return (
    Array.isArray(list) &&
    (list as readonly JsonValue[]).every(
      (one) => Array.isArray(one) && typeof one[0] === "string" && (one[1] === null || typeof one[1] === "string"),
    )
  );
}
