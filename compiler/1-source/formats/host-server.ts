import * as z from "zod/mini";
import type { KeyPath } from "../../base/place.ts";
import type { Translation } from "./types.ts";
import { exactly } from "./exact.ts";

/** What entries of agent hosts have in common, under whatever names. */

export const texts = z.record(z.string(), z.string());
export const words = z.array(z.string());
export const milliseconds = z.int().check(z.positive());

/**
 * Keys that people carry from one host's file into another's. Those that narrow are held wherever they stand, those that
 * open open nothing.
 */
export const common = {
  description: z.optional(z.string()),
  enabled: z.optional(z.boolean()),
  disabled: z.optional(z.boolean()),
  disabledTools: z.optional(words),
  autoApprove: z.optional(z.union([z.boolean(), words])),
  alwaysAllow: z.optional(z.union([z.boolean(), words])),
  trust: z.optional(z.boolean()),
};

export interface Common {
  readonly description?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly disabledTools?: readonly string[] | undefined;
  readonly autoApprove?: boolean | readonly string[] | undefined;
  readonly alwaysAllow?: boolean | readonly string[] | undefined;
  readonly trust?: boolean | undefined;
}

export function putCommon(made: Translation, server: string, entry: Common, at: KeyPath): void {
  if (entry.description !== undefined && entry.description !== "")
    made.put(["servers", server, "description"], entry.description, [...at, "description"]);
  if (entry.enabled === false) putAway(made, server, [...at, "enabled"]);
  if (entry.disabled === true) putAway(made, server, [...at, "disabled"]);
  for (const key of ["autoApprove", "alwaysAllow", "trust"] as const) {
    const opened = entry[key];
    if (opened === undefined || opened === false || (typeof opened === "object" && opened.length === 0)) continue;
    leaveOpening(made, [...at, key]);
  }
}

/** It is there for no role. */
export function putAway(made: Translation, server: string, written: KeyPath): void {
  made.put(["servers", server, "enabled"], false, written);
}

/** Which calls are asked is said by roles and policies, and nothing here takes that back. */
export function leaveOpening(made: Translation, written: KeyPath, what = `\`${String(written.at(-1))}\``): void {
  made.leave(written, what, "no call is let through by it: who is asked is said by `ask` in roles and by policies");
}

export interface Filter {
  /** Left out: every tool. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** Which of a server's tools there are at all, by exact names. What both lists name is out. `keys`: what the file calls them. */
export function putFilter(
  made: Translation,
  server: string,
  { include, exclude = [] }: Filter,
  at: KeyPath,
  keys: readonly [include: string, exclude: string],
): void {
  const to = ["servers", server, "tools"];
  const [excluded, included] = [new Set(exclude), new Set(include)];
  const left = include?.filter((tool) => !excluded.has(tool));
  if (left?.length === 0) return made.put(to, "none", [...at, keys[0]]);
  putNames(made, [...to, "include"], left ?? [], include ?? [], [...at, keys[0]]);
  putNames(
    made,
    [...to, "exclude"],
    exclude.filter((one) => !included.has(one)),
    exclude,
    [...at, keys[1]],
  );
}

/** Each with the place at which it stands among `all`. A name that is there twice is one name. */
function putNames(made: Translation, to: KeyPath, some: readonly string[], all: readonly string[], at: KeyPath): void {
  if (some.length > 0) made.put(to, [], at);
  const places = new Map(all.map((tool, i) => [tool, i] as const).toReversed());
  [...new Set(some)].forEach((tool, i) => made.put([...to, i], exactly(tool), [...at, places.get(tool)!]));
}

/** For connecting and for calls alike. */
export function putTimeout(made: Translation, server: string, ms: number | undefined, written: KeyPath): void {
  if (ms !== undefined) made.put(["servers", server, "limits", "timeout"], `${ms}ms`, written);
}

export const oauth = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

/** A sign-in of the host's own. One that asks for less than everything can't be held to it here. */
export function leaveSignIn(made: Translation, value: unknown, written: KeyPath): void {
  if (value === undefined || typeof value === "boolean" || value === null) return;
  const narrowing = Object.keys(value).find((key) => /^scopes?$/i.test(key));
  const key = String(written.at(-1));
  if (narrowing !== undefined)
    made.refuse(
      [...written, narrowing],
      `\`${narrowing}\` of a sign-in`,
      "sign in with a token of just these scopes, in `headers`, and take it out",
    );
  else if (Object.keys(value).length > 0)
    made.leave(written, `\`${key}\``, "rolecall signs in by itself: `rolecall login` asks the server how");
}

/** Variables in a file of their own: which they are is known to nobody but that file, and one of them may restrict. */
export function refuseEnvFile(made: Translation, file: string | undefined, at: KeyPath, example: string): void {
  if (file === undefined) return;
  made.refuse([...at, "envFile"], "`envFile`", `name each of its variables under \`env\`, as \`NAME: ${example}\``);
}
