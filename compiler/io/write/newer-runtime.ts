import { readdirSync } from "node:fs";
import path from "node:path";
import { sorted } from "../../base/order.ts";
import { compareVersions } from "../../base/versions.ts";
import { isRuntimeFile, runtimeVersionsIn } from "../../5-artifacts/runtime-file.ts";
import { readPlainText } from "../bytes.ts";

export interface NewerRuntime {
  /** Relative to the project. */
  readonly file: string;
  readonly version: string;
}

/**
 * The newest runtime in these folders that a later rolecall than `version` wrote: to build would bring back what that one
 * has mended. What tells no version is older than all that do.
 */
export function newerRuntime(dir: string, folders: readonly string[], version: string): NewerRuntime | undefined {
  const found = folders.flatMap((folder) =>
    runtimeFilesIn(path.join(dir, folder)).flatMap((name) => {
      const versions = runtimeVersionsIn(readPlainText(path.join(dir, folder, name)) ?? "");
      return versions.map((one) => ({ file: path.posix.join(folder, name), version: one }));
    }),
  );
  return found
    .filter((one) => compareVersions(one.version, version) > 0)
    .sort((a, b) => compareVersions(b.version, a.version))[0];
}

function runtimeFilesIn(folder: string): string[] {
  try {
    return sorted(readdirSync(folder).filter(isRuntimeFile)).toReversed();
  } catch {
    return [];
  }
}
