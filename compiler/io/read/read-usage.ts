import path from "node:path";
import { readProgram } from "../../usage/read-program.ts";
import type { ToolNames, UsageEvent } from "../../usage/types.ts";
import { readPlainText } from "../bytes.ts";
import { slashed } from "./app-code.ts";
import { openAppPrograms, type AppPlace, type AppPrograms } from "./app-programs.ts";
import type { TypeScriptLibrary } from "./typescript-library.ts";

/** What an app's code says of tools. */
export interface ReadUsage {
  readonly events: readonly UsageEvent[];
  /** How many files were looked at. */
  readonly files: number;
}

export function readUsage(place: AppPlace, known: ToolNames, library: TypeScriptLibrary): ReadUsage {
  const events: UsageEvent[] = [];
  const root = slashed(place.root);
  const nameOf = (file: string): string => path.posix.relative(root, slashed(file));
  const opened = openAppPrograms(place, library);
  const done = new Set<string>();
  for (const { program, hasGaps, reaching } of opened.programs) {
    const leadsToOurs = (from: string, specifier: string): boolean => leadsInto(from, specifier, place.out);
    const isDone = (file: string): boolean => done.has(file) || reaching?.has(file) === false;
    readProgram({ ts: library.ts, program, known, nameOf, isDone, hasGaps, leadsToOurs }, (event) =>
      events.push(event),
    );
    for (const file of program.getSourceFiles()) done.add(file.fileName);
  }
  tellWalls(opened, known, nameOf, events);
  for (const file of opened.others) readOther(file, place.out, known, nameOf(file), events);
  return { events, files: opened.files + opened.others.length };
}

function leadsInto(from: string, specifier: string, out: string): boolean {
  if (!specifier.startsWith(".")) return false;
  const to = path.resolve(path.dirname(from), specifier);
  return (to === out || to.startsWith(`${out}${path.sep}`)) && !/\.(?:json|md|txt)$/.test(to);
}

function tellWalls(
  { walls }: AppPrograms,
  { roles }: ToolNames,
  nameOf: (file: string) => string,
  events: UsageEvent[],
): void {
  for (const { file, specifier } of walls) {
    const line = (readPlainText(file) ?? "").split("\n").findIndex((text) => text.includes(specifier));
    events.push({ kind: "loses", roles: [...roles], server: undefined, at: `${nameOf(file)}:${line + 1}` });
  }
}

/** Files of frameworks, by their words: each name of a tool in them may be its use. */
function readOther(file: string, out: string, { roles, tools }: ToolNames, name: string, events: UsageEvent[]): void {
  (readPlainText(file) ?? "").split("\n").forEach((line, i) => {
    const at = `${name}:${i + 1}`;
    for (const [word] of line.matchAll(/[\w$-]+/g))
      if (tools.has(word)) events.push({ kind: "spells", name: word, at });
    const [, specifier] = /(?:from|import)\s*(?:\(\s*)?["']([^"']+)["']/.exec(line) ?? [];
    if (specifier === undefined) return;
    const folder = path.basename(out);
    if (leadsInto(file, specifier, out) || specifier.split("/").includes(folder))
      events.push({ kind: "loses", roles: [...roles], server: undefined, at });
  });
}
