import { isObject, own, type JsonValue } from "../base/json.ts";
import { readObject } from "./inbox-lines.ts";
import { readServed, servedText } from "./served-text.ts";
import type { Served } from "./types.ts";
import type { AcceptedWays } from "./ways.ts";

/** What a person has said yes to. */
export interface AcceptedBuild {
  readonly served: Served;
  /** Undefined: of a version that didn't compare what variables hold. */
  readonly ways: AcceptedWays | undefined;
}

/** One object: an older version reads it too, and passes by what it doesn't know. */
export function acceptedText({ served, ways }: AcceptedBuild): string {
  const kept = ways && { key: ways.key, digests: [...ways.digests].map(([server, digests]) => [server, [...digests]]) };
  return kept === undefined
    ? servedText(served)
    : `${servedText(served).trimEnd().slice(0, -1)},"ways":${JSON.stringify(kept)}}\n`;
}

/** Undefined: it can't be understood. */
export function readAccepted(text: string): AcceptedBuild | undefined {
  const served = readServed(text);
  if (served === undefined) return undefined;
  const written = own(readObject(text) ?? {}, "ways");
  if (written === undefined) return { served, ways: undefined };
  const ways = readWays(written);
  return ways && { served, ways };
}

function readWays(written: JsonValue): AcceptedWays | undefined {
  if (!isObject(written)) return undefined;
  const [key, digests] = [own(written, "key"), own(written, "digests")];
  if (typeof key !== "string" || !Array.isArray(digests)) return undefined;
  return { key, digests: new Map(digests as unknown as readonly (readonly [string, readonly string[]])[]) };
}
