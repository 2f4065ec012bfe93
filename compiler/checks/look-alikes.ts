import { keyOf } from "../base/place.ts";
import { isInvisible } from "../base/visible.ts";
import type { Server } from "../2-model/types.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** Names that a reviewer would take for each other, and names that hold what nobody sees. */
export const checkLookAlikes: Check = ({ model }, report) => {
  for (const server of model.servers) checkServer(server, report);
};

function checkServer(server: Server, report: Report): void {
  const seen = new Map<string, string>();
  for (const tool of server.tools) {
    const at = server.manifest
      ? { file: server.manifest.file, path: ["tools", tool.at ?? 0, "name"] }
      : keyOf(server.place);
    if (isInvisible(tool.name)) report.add("manifest/invisible-name", at, { tool: tool.name, server: server.name });
    const skeleton = skeletonOf(tool.name);
    const twin = seen.get(skeleton);
    if (twin === undefined) seen.set(skeleton, tool.name);
    else report.add("manifest/look-alike", at, { one: twin, other: tool.name, server: server.name });
  }
}

/** Letters of other scripts that look like Latin ones. */
const HOMOGLYPHS: Readonly<Record<string, string>> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  у: "y",
  х: "x",
  і: "i",
  ј: "j",
  ѕ: "s",
  ԁ: "d",
  ԛ: "q",
  ԝ: "w",
  ɡ: "g",
  ο: "o",
  α: "a",
  ν: "v",
  ι: "i",
  κ: "k",
  ρ: "p",
  τ: "t",
  υ: "u",
  χ: "x",
};

function skeletonOf(name: string): string {
  return [...name.normalize("NFKC").toLowerCase()]
    .filter((char) => !isInvisible(char))
    .map((char) => HOMOGLYPHS[char] ?? char)
    .join("")
    .replace(/[-. ]/g, "_")
    .replace(/0/g, "o")
    .replace(/[1|]/g, "l");
}
