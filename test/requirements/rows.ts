import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { SHARED } from "../support/root.ts";

export interface Row {
  readonly id: string;
  readonly says: string;
}

/** Rows that wait for formats, presets and serve; undefined where the list doesn't lie beside the project. */
export function waitingRows(): Row[] | undefined {
  const file = path.join(SHARED, "design/requirements.md");
  if (!existsSync(file)) return undefined;
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      const cells = line.split("|").map((cell) => cell.trim());
      const [, id = "", , , says = "", plan = ""] = cells;
      return /^(?:S\d|M)\.\d+$/.test(id) && /\b04\b|^LATER\(serve\)/.test(plan) ? [{ id, says }] : [];
    });
}
