import type { JsonValue } from "../../base/json.ts";
import { sizeLeft } from "../../../runtime/json-values.ts";

/** What somebody has asked for and has no answer to yet: bounded, so that the process is never one's alone. */
export interface UnderWay {
  requests: number;
  /** Of all that these requests hold. */
  bytes: number;
}

export const MOST_REQUESTS = 256;
const MOST_BYTES = 64 * 1024 * 1024;
/** It is held whatever others are sent. */
const SMALL = 64 * 1024;

/** May so much of one request be held, where it is this much with all the others? */
export function mayHold(bytes: number, withOthers: number): boolean {
  return bytes <= SMALL || withOthers <= MOST_BYTES;
}

/** False: it is too much, and isn't counted. */
export function enters(underWay: UnderWay, bytes: number): boolean {
  if (underWay.requests >= MOST_REQUESTS || !mayHold(bytes, underWay.bytes + bytes)) return false;
  underWay.requests++;
  underWay.bytes += bytes;
  return true;
}

export function leaves(underWay: UnderWay, bytes: number): void {
  underWay.requests--;
  underWay.bytes -= bytes;
}

/** A request of which it isn't known how long its line was. */
export async function counted<T>(
  underWay: UnderWay | undefined,
  params: unknown,
  { work, refused }: { work(): Promise<T> | T; refused(): T },
): Promise<T> {
  if (underWay === undefined) return work();
  const bytes = MOST_BYTES - sizeLeft((params ?? null) as JsonValue, MOST_BYTES);
  if (!enters(underWay, bytes)) return refused();
  try {
    return await work();
  } finally {
    leaves(underWay, bytes);
  }
}

/** To whoever has too much under way, a model among them. */
export const TOO_MUCH_UNDER_WAY: string = `Nothing was done: ${MOST_REQUESTS} requests of this client, or ${MOST_BYTES >> 20} MB of them, wait for their answers. Send it again when some of these have come.`;
