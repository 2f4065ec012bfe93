import type { AccessChange } from "../../3-plan/compare-access.ts";
import type { UsedPreset } from "../../adding/scope-presets.ts";
import { pathWords } from "../../base/path-words.ts";
import type { KeyPath, Origins } from "../../base/place.ts";
import { visible } from "../../base/visible.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { ReadBy } from "../../first-project/types.ts";
import type { DeclaredAlready } from "./declared.ts";
import { unlikeWords } from "./left-words.ts";
import type { Stays } from "./stays.ts";
import type { TranslatedSource } from "../../translate.ts";
import { accessLines } from "../capture/access-page.ts";
import { factLines, page, wrapped, type LabelledFact } from "../page.ts";

export interface TakenIn {
  readonly from: string;
  readonly to: string;
  /** Of rolecall.yaml, which lists the file: while it stands there, all is declared twice. */
  readonly entry: { readonly key: string; readonly isGone: boolean; readonly glob: string } | undefined;
  /** What roles held of it as it was read, and hold otherwise by what was written. */
  readonly differs: readonly AccessChange[];
  /** Of what the file says of them: the next build writes it, or would, once a person took the secrets out of it. */
  readonly becomes: "written by builds" | "kept for its secrets" | "nothing";
  /** The chosen host whose file it is. */
  readonly readBy: ReadBy | undefined;
  /** What stops a build until a person takes it out. */
  readonly stays: Stays | undefined;
  /** Servers that aren't written, since a source has them. */
  readonly left: readonly DeclaredAlready[];
  /** Which preset says what a server's scopes cover, and files of presets that were copied for it. */
  readonly presets: {
    readonly used: readonly UsedPreset[];
    readonly copied: readonly string[];
  };
}

/** What each key became, declaration by declaration; what is to be set; and the next step. */
export function takenInPage(
  { format, origins, referred, wholeServers }: TranslatedSource,
  taken: TakenIn,
  style: Style,
): string {
  const { from, to, entry, left, differs, presets } = taken;
  const file = visible(from);
  const variables = referred.map(({ variable, written }): LabelledFact => [variable, [pathWords(written)]]);
  return page([
    wrapped(
      [
        `wrote ${visible(to)}, from ${visible(format.title)}`,
        ...left.map(
          (one) =>
            `left out ${visible(one.server)}: ${visible(one.file)} declares it already${unlikeWords(one.unlike, from)}`,
        ),
        ...presets.copied.map((path) => `copied ${visible(path)}`),
        ...presets.used
          .filter(({ isForScopes }) => isForScopes)
          .map(
            ({ server, preset }) => `the preset \`${preset}\` says which tools the scopes of ${visible(server)} cover`,
          ),
      ],
      style,
    ),
    ...declarationsIn(origins.filter(([made]) => !isLeftOut(made, left))).map((entries) =>
      declarationLines(entries, style),
    ),
    variables.length === 0
      ? []
      : [
          ...wrapped(["Secrets were left out: put their values into your environment."], style),
          ...factLines(variables, style),
        ],
    wrapped(
      wholeServers.map(
        ({ role, server }) =>
          `${visible(role)} gets what reads of ${visible(server)}; where a scope or a rule says which tools it has, write \`${visible(server)}: all\``,
      ),
      style,
    ),
    differs.length === 0
      ? []
      : [
          ...wrapped([`Not as under \`imports\`, where ${file} is read as it is:`], style),
          ...accessLines(differs.map(asSelector), (text) => text, "done").flatMap((line) =>
            wrapped([`  ${line}`], style),
          ),
        ],
    wrapped(
      [
        ...becomesWords(taken, file),
        ...staysWords(taken, file),
        ...(entry === undefined ? [] : [entryWords(entry, file)]),
        "next: rolecall capture, then rolecall build",
      ],
      style,
    ),
  ]);
}

function becomesWords({ becomes, readBy }: TakenIn, file: string): string[] {
  if (becomes === "nothing" || readBy === undefined) return [];
  const { id, title, isWritten } = readBy;
  const start = `start ${title} with \`rolecall start ROLE --host ${id}\``;
  if (becomes === "written by builds")
    return isWritten
      ? [`the next build leaves in ${file} what roles hold and ${title} can be given, and takes out the others`]
      : [`the next build takes its servers out of ${file}; then ${start}`];
  const reason = isWritten
    ? `builds write there, without the secrets, what roles hold and ${title} can be given`
    : `builds write none there and take none of these away; then ${start}`;
  return [`then take these servers out of ${file} by hand, with their secrets: ${reason}`];
}

function staysWords({ stays }: TakenIn, file: string): string[] {
  if (stays === undefined) return [];
  const keys = stays.keys.map((key) => `\`${visible(key)}\``).join(", ");
  const them = stays.keys.length === 1 ? "it" : "them";
  return [
    `before you build, take ${keys} out of ${file} by hand: ${stays.title} would join ${them} with a role's own, and a build stops at that`,
  ];
}

function asSelector(change: AccessChange): AccessChange {
  return { ...change, server: "", tool: `${change.server}.${change.tool}` };
}

function entryWords({ key, isGone, glob }: NonNullable<TakenIn["entry"]>, file: string): string {
  if (isGone) return `took ${file} out of \`${key}\` in rolecall.yaml`;
  const how = visible(glob) === file ? "" : `, where \`${visible(glob)}\` finds it: name the others there`;
  return `now take ${file} out of \`${key}\` in rolecall.yaml${how}, or all of it is declared twice`;
}

function isLeftOut([block, name]: KeyPath, left: readonly DeclaredAlready[]): boolean {
  return block === "servers" && left.some(({ server }) => server === name);
}

function declarationsIn(origins: Origins): Origins[] {
  const found = new Map<string, Origins[number][]>();
  for (const origin of origins) {
    const name = pathWords(origin[0].slice(0, 2));
    const entries = found.get(name);
    if (entries === undefined) found.set(name, [origin]);
    else entries.push(origin);
  }
  return [...found.values()];
}

/** Keys of a declaration that has one place in the file are said as they stand below it. */
function declarationLines(entries: Origins, style: Style): string[] {
  const [[declared, start, beside] = [[], []] as const] = entries;
  const below = entries.filter(([made]) => made.length > 2);
  const facts = new Map<string, Set<string>>();
  for (const [made, written, file] of below) {
    const words = listWords(file === beside && isBelow(written, start) ? written.slice(start.length) : written);
    const label = file === beside ? words : `${words} of ${visible(file ?? "")}`;
    facts.set(label, (facts.get(label) ?? new Set()).add(listWords(made.slice(2))));
  }
  const title = `${visible(pathWords(declared.slice(0, 2)))}, from ${start.length === 0 ? "the file" : visible(pathWords(start))}${beside === undefined ? "" : ` of ${visible(beside)}`}`;
  const lines = [...facts].map(([label, made]): LabelledFact => [label === "" ? "itself" : label, [...made]]);
  return [paintWith(style.colour)("strong", title), ...factLines(lines, style)];
}

function isBelow(path: KeyPath, start: KeyPath): boolean {
  return start.every((step, i) => path[i] === step);
}

/** The list that an item is in. */
function listWords(path: KeyPath): string {
  return pathWords(typeof path.at(-1) === "number" ? path.slice(0, -1) : path);
}
