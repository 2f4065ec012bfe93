import { sourceYaml } from "../base/block-yaml.ts";
import { visible } from "../base/visible.ts";
import type { JsonObject } from "../base/json.ts";

/** Where a file of another system is written as a source: `.squad/mcp-config.json` as `mcp/mcp-config.yaml`. */
export function sourceFile(from: string, folder: string): string {
  const name = from.slice(from.lastIndexOf("/") + 1).replace(/^\.+|\.[^.]*$/g, "");
  const around = from.split("/").at(-2)?.replace(/^\.+/, "");
  // Many hosts call theirs so: the folder tells them apart.
  const isCommon = /^(?:mcp|config|settings)$/.test(name) && around !== undefined && around !== "";
  return `${folder}/${isCommon ? around : name || "imported"}.yaml`;
}

export function sourceText(
  { format, blocks }: { readonly format: { readonly title: string }; readonly blocks: JsonObject },
  from: string,
): string {
  const title = format.title === from ? "" : ` (${format.title})`;
  return `# From ${visible(from)}${title}, by rolecall. Yours to edit.\n\n${sourceYaml(blocks)}`;
}
