import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import path from "node:path";
import { withBlock } from "../../5-artifacts/managed/block.ts";
import type { ManagedBlock } from "../../5-artifacts/types.ts";
import type { CaseOf } from "../../diagnostics/report.ts";
import { digestOfBytes, readPlain } from "../bytes.ts";
import { block, type Comparison } from "./comparison.ts";
import { userFile } from "./user-file.ts";

/** `ours`: files that no block can go into, since the whole of them is made or removed. */
export function writeManagedBlock(artifact: ManagedBlock, ours: ReadonlySet<string>, found: Comparison): void {
  const broken = (problem: CaseOf<"output/broken-block", "file">) =>
    block(artifact.path, found, () =>
      found.report.add("output/broken-block", undefined, { file: artifact.path, ...problem }),
    );
  const target = userFile(artifact.path, found);
  if (target.problem !== undefined) return broken(target.problem);
  if (ours.has(artifact.path) || ours.has(target.file)) return broken({ case: "whole" });
  const bytes = target.exists ? readPlain(path.join(found.dir, target.file)) : undefined;
  if (target.exists && bytes === undefined) return broken({ case: "unreadable" });
  if (bytes !== undefined && !isUtf8(bytes)) return broken({ case: "not-text" });
  const answer = withBlock(bytes?.toString("utf8"), artifact.block, artifact.comment);
  if (answer.problem !== undefined) return broken({ case: answer.problem });
  const wanted = Buffer.from(answer.text);
  const digest = digestOfBytes(wanted);
  found.outputs.set(artifact.path, digest);
  if (bytes?.equals(wanted)) found.unchanged++;
  else {
    (bytes === undefined ? found.missing : found.differs).push(artifact.path);
    const mode = bytes === undefined ? undefined : statSync(path.join(found.dir, target.file)).mode;
    if (!found.refused) found.staging?.add(target.file, wanted, bytes && digestOfBytes(bytes), mode);
  }
}
