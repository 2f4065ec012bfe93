import { normalText } from "../base/normal-text.ts";
import { keyOf, type Place } from "../base/place.ts";
import { isInvisible } from "../base/visible.ts";
import type { Server } from "../2-model/types.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** Names that a reviewer would take for each other, and names that hold what nobody sees. */
export const checkLookAlikes: Check = ({ model }, report) => {
  for (const server of model.servers) checkServer(server, report);
  checkNames("server", model.servers, report);
  checkNames("role", model.roles, report);
};

/** Names that authors chose: `files` and `fi1es`. */
function checkNames(
  kind: string,
  things: readonly { readonly name: string; readonly place: Place }[],
  report: Report,
): void {
  const seen = new Map<string, string>();
  for (const { name, place } of things) {
    const twin = seen.get(skeletonOf(name));
    if (twin === undefined) seen.set(skeletonOf(name), name);
    // One identifier for both is an error of its own.
    else if (twin.replaceAll("-", "_") !== name.replaceAll("-", "_"))
      report.add("manifest/look-alike", keyOf(place), {
        one: twin,
        other: name,
        where: `two ${kind}s of this project,`,
      });
  }
}

function checkServer(server: Server, report: Report): void {
  const seen = new Map<string, string>();
  for (const tool of server.tools) {
    const at = server.manifest
      ? { file: server.manifest.file, path: ["tools", tool.at ?? 0, "name"] }
      : keyOf(server.place);
    if (tool.name === "" || isInvisible(tool.name) || tool.name.trim() !== tool.name)
      report.add("manifest/invisible-name", at, {
        tool: tool.name,
        server: server.name,
        case: tool.name === "" ? "empty" : "unseen",
      });
    const skeleton = skeletonOf(tool.name);
    const twin = seen.get(skeleton);
    if (twin === undefined) seen.set(skeleton, tool.name);
    else
      report.add("manifest/look-alike", at, { one: twin, other: tool.name, where: `two tools of \`${server.name}\`,` });
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
  return [...normalText(name, "NFKC").toLowerCase()]
    .filter((char) => !isInvisible(char))
    .map((char) => HOMOGLYPHS[char] ?? char)
    .join("")
    .trim()
    .replace(/[-. ]/g, "_")
    .replace(/0/g, "o")
    .replace(/[1|]/g, "l");
}
