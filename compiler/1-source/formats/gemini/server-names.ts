import { isGlob } from "../../../base/glob.ts";
import { nearNames } from "../near-names.ts";

/** What an entry of a list of servers that are kept out is about. */
export type KeptOut =
  | { readonly kind: "servers"; readonly servers: readonly string[] }
  /** Nothing of these; `near`: one that may be meant. */
  | { readonly kind: "pattern" | "name"; readonly near: string | undefined };

/** Gemini CLI compares names whatever their case and the blanks around them; `*` alone is every server. Each is answered once. */
export function keptOut(servers: Iterable<string>): (written: string) => KeptOut {
  const all = [...servers];
  const known = new Map<string, string[]>([["*", all]]);
  for (const server of all) {
    const same = known.get(alike(server));
    if (same === undefined) known.set(alike(server), [server]);
    else if (same !== all) same.push(server);
  }
  const answered = new Set<string>();
  const nearTo = nearNames(all);
  return (written) => {
    const found = known.get(alike(written));
    if (found !== undefined) {
      const servers = answered.has(alike(written)) ? [] : found;
      answered.add(alike(written));
      return { kind: "servers", servers };
    }
    return { kind: isGlob(written) ? "pattern" : "name", near: nearTo(written.trim()) };
  };
}

function alike(name: string): string {
  return name.toLowerCase().trim();
}

/** The next step for whoever writes a pattern. */
export const NO_PATTERN =
  "there it is one name, and keeps nothing out: name each server that is meant, or write `*` alone for all";
