import { memoryFiles } from "../../1-source/memory-files.ts";
import { isObject, own } from "../../base/json.ts";
import { presetFile, PROJECT_FILE } from "../../base/project-layout.ts";
import { nearest } from "../../base/nearest.ts";
import { visible } from "../../base/visible.ts";
import { compile } from "../../compile.ts";
import { lazyLibraries } from "../../io/libraries.ts";
import { readShipped, type Shipped } from "../../io/read/shipped-presets.ts";
import type { Preset, RoleBlock } from "../../../schemas/types.ts";
import { EXIT, printJson, styleOf, wrongUsage, type Context } from "../command.ts";
import { notFound } from "../words.ts";
import { copyShipped, roleFile } from "./copy.ts";
import { galleryJson } from "./json.ts";
import { galleryPage, presetPage, rolePage } from "./page.ts";
import { fitting, type Gallery } from "./words.ts";

/** All of them, those that are named, or those that fit the words. */
export function showPresets(context: Context, words: readonly string[]): number {
  const gallery = galleryOf(readShipped());
  const names = namesOf(gallery);
  const isNamed = words.length > 0 && words.every((word) => names.includes(word));
  const shown = isNamed ? named(gallery, words) : fitting(gallery, words);
  const { out } = context.terminal;
  if (context.json) {
    printJson(context, galleryJson(shown, isNamed));
    return EXIT.fine;
  }
  if (shown.presets.length + shown.roles.length === 0) return nothingFits(context, words, names);
  const style = styleOf(context, out);
  if (!isNamed) out.write(galleryPage(shown, style));
  const pages = [
    ...shown.presets.map((one) => presetPage(one, gallery, presetFile("mcp", one.name), style)),
    ...shown.roles.map((one) => rolePage(one, roleFile("mcp", one.name), style)),
  ];
  if (isNamed) out.write(pages.join("\n"));
  return EXIT.fine;
}

export async function copyPresets(context: Context, names: readonly string[]): Promise<number> {
  const shipped = readShipped();
  const known = shipped.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return wrongUsage(context.terminal, notFound("preset", unknown, known), "rolecall presets lists them");
  const wanted = shipped.filter(({ name }) => names.includes(name));
  return (await copyShipped(context, wanted)) ? EXIT.fine : EXIT.errors;
}

function nothingFits(context: Context, words: readonly string[], names: readonly string[]): number {
  const near = words.length === 1 ? nearest(words[0]!, names) : undefined;
  return wrongUsage(
    context.terminal,
    `no preset fits \`${visible(words.join(" "))}\`` + (near === undefined ? "" : `; did you mean \`${near}\`?`),
    "rolecall presets lists them; any other server: rolecall add PACKAGE or URL",
  );
}

function namesOf({ presets, roles }: Gallery): string[] {
  return [...presets, ...roles].map(({ name }) => name);
}

function named({ presets, roles }: Gallery, names: readonly string[]): Gallery {
  const isWanted = ({ name }: { readonly name: string }) => names.includes(name);
  return { presets: presets.filter(isWanted), roles: roles.filter(isWanted) };
}

/** The compiler itself reads them, as in a project that uses each: what is shown is what a build makes of it. */
function galleryOf(shipped: readonly Shipped[]): Gallery {
  const servers = shipped.filter(({ kind }) => kind === "server");
  const declared = servers.map(({ name }) => `  ${name}: { preset: ${name} }\n`).join("");
  const { plan } = compile(
    memoryFiles({
      [PROJECT_FILE]: `version: 1\nproject: presets\nservers:\n${declared}`,
      ...Object.fromEntries(servers.map(({ name, text }) => [presetFile("mcp", name), text])),
    }),
    [],
    lazyLibraries(),
  );
  return {
    presets: servers.flatMap(({ name, text, value }) => {
      const server = plan.servers.find((one) => one.name === name);
      return server ? [{ name, text, preset: value as unknown as Preset, server }] : [];
    }),
    roles: shipped.flatMap(({ name, kind, text, value }) => {
      const roles = own(value, "roles");
      return kind === "role" && isObject(roles) ? [{ name, text, role: own(roles, name) as unknown as RoleBlock }] : [];
    }),
  };
}
