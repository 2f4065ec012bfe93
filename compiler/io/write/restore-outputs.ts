import { lookAtOutput, type Ownership } from "./existing-output.ts";
import { findKept } from "../remember/kept-outputs.ts";
import { lock } from "./lock.ts";
import { leftovers, openStaging } from "./staging.ts";

/** Nothing lies at these places, so no file's owner is ever asked for. */
const NOTHING: Ownership = {
  isListed: () => false,
  isOwnPlace: () => false,
  isOwnText: () => false,
  goesByList: () => false,
};

/**
 * Puts outputs that are gone back as they were: all of them, or none. `gone`: their digests. False: they must be built.
 */
export function restoreOutputs(dir: string, gone: ReadonlyMap<string, string>): boolean {
  let unlock: (() => void) | undefined;
  const staging = openStaging(dir);
  try {
    unlock = lock(dir);
    if (leftovers(dir).length > 0) return false;
    const existing = lookAtOutput(dir, NOTHING);
    for (const [file, digest] of gone) {
      const kept = findKept(dir, digest);
      if (kept === undefined || !existing.isFree(file)) return false;
      staging.addKept(file, kept);
    }
    staging.commit();
    return true;
  } catch {
    // A build that makes them says what stands in the way.
    return false;
  } finally {
    staging.discard();
    unlock?.();
  }
}
