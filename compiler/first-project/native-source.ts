import { sourceYaml } from "../base/block-yaml.ts";
import { isInvisible, visible } from "../base/visible.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** Where a file of another system is written as a source: `.squad/mcp-config.json` as `mcp/mcp-config.yaml`. */
export function sourceFile(from: string, folder: string): string {
  const name = from.slice(from.lastIndexOf("/") + 1).replace(/^\.+|\.[^.]*$/g, "");
  const around = from.split("/").at(-2)?.replace(/^\.+/, "");
  // Many hosts call theirs so: the folder tells them apart.
  const isCommon = /^(?:mcp|config|settings)$/.test(name) && around !== undefined && around !== "";
  const letters = [...(isCommon ? around : name || "imported")].map((letter) => (isInvisible(letter) ? "-" : letter));
  return `${folder}/${letters.join("")}.yaml`;
}

/** The same for several, none of which lies where another does. */
export function sourceFiles(
  froms: readonly string[],
  folder: string,
  others: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set(others);
  return new Map(
    froms.map((from) => {
      const first = sourceFile(from, folder);
      let free = first;
      for (let i = 2; taken.has(free); i++) free = first.replace(/\.yaml$/, `-${i}.yaml`);
      taken.add(free);
      return [from, free];
    }),
  );
}

export function sourceText(
  { format, blocks }: { readonly format: { readonly title: string }; readonly blocks: JsonObject },
  from: string,
): string {
  const title = format.title === from ? "" : ` (${format.title})`;
  const note = hasLetters(blocks) ? `${LETTERS}\n` : "";
  return `# From ${visible(from)}${title}, by rolecall. Yours to edit.\n${note}\n${sourceYaml(blocks)}`;
}

const LETTERS =
  "# `?` in a tool's name is any one letter, since programs show some as `_`; write the name, once it is known.";

/** Whether a list of tools has a name of which a letter isn't known. */
function hasLetters({ servers, policies }: JsonObject): boolean {
  const blocks = [...(isObject(servers) ? Object.values(servers) : []), ...(Array.isArray(policies) ? policies : [])];
  const isIn = (value: JsonValue): boolean =>
    typeof value === "string"
      ? /(?<!\\)(?:\\\\)*\?/.test(value)
      : value !== null && typeof value === "object" && Object.values(value).some(isIn);
  return blocks.some((block: JsonValue) => isObject(block) && isIn(block["tools"] ?? null));
}
