import type { Can, OpenTools, OwnTools, FittedRole } from "./types.ts";

/** What the names under `builtins` are held against, and what a person should hear of. */

export function ownTools(about: Omit<OwnTools, "tools">, tools: Readonly<Partial<Record<Can, string>>>): OwnTools {
  const named = Object.entries(tools).flatMap(([can, names]) =>
    names.split(" ").map((name) => [name, can as Can] as const),
  );
  return { ...about, tools: new Map(named) };
}

/** In the order in which they are written. */
export function namesOf({ tools }: OwnTools, isWanted: (can: Can) => boolean): string[] {
  return [...tools].flatMap(([name, can]) => (isWanted(can) ? [name] : []));
}

/** These would go around a role as a whole: they are closed, whatever `builtins` say. */
export function isClosed(can: Can | undefined): boolean {
  return can === "hands work on" || can === "reads resources";
}

/** The gravest first. */
const DANGERS: readonly Can[] = ["runs", "writes", "reaches out"];

/** Undefined: the host has no tools of its own. */
export function openTools(own: OwnTools | undefined, roles: readonly FittedRole[]): OpenTools | undefined {
  if (own === undefined) return undefined;
  return {
    unsaid: roles.filter(({ builtins }) => builtins === undefined).map(({ name }) => name),
    meant: roles.filter(({ builtins }) => builtins?.includes("*")).map(({ name }) => name),
    dangers: DANGERS.map((can) => ({ can, names: withoutParts(namesOf(own, (one) => one === can)) })).filter(
      ({ names }) => names.length > 0,
    ),
  };
}

/** A set of tools stands for those in it: `execute` for `execute/runInTerminal`. */
function withoutParts(names: readonly string[]): string[] {
  return names.filter((name) => !name.includes("/") || !names.includes(name.slice(0, name.indexOf("/"))));
}
