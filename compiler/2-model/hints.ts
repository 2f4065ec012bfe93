import { own, type JsonObject } from "../base/json.ts";
import type { Hints } from "./types.ts";

export type WrittenHints = { readonly [K in keyof Hints]?: boolean | undefined };

/**
 * The author's word over the server's over the protocol's defaults: not read-only, destructive, not idempotent, open
 * world. A tool that is called both read-only and destructive, by whomever, is taken at the worse word: to call a
 * destructive tool read-only the author writes both.
 */
export function resolveHints(annotations: JsonObject, author: WrittenHints | undefined): Hints {
  const said = (hint: keyof Hints): boolean | undefined => author?.[hint] ?? annotation(annotations, hint);
  const readOnly = said("readOnly") ?? false;
  const destructive = said("destructive") ?? !readOnly;
  return {
    readOnly: readOnly && !destructive,
    destructive,
    idempotent: said("idempotent") ?? false,
    openWorld: said("openWorld") ?? true,
  };
}

/** Whether a tool changes something, as far as anybody says; the protocol's defaults say nothing. */
export function saidToChange(annotations: JsonObject, author: WrittenHints | undefined): boolean | undefined {
  const isSaid = (["readOnly", "destructive"] as const).some(
    (hint) => author?.[hint] !== undefined || own(annotations, `${hint}Hint`) !== undefined,
  );
  return isSaid ? !resolveHints(annotations, author).readOnly : undefined;
}

/** Whether it reaches what its server doesn't hold itself, as far as anybody says. */
export function saidToReachOut(annotations: JsonObject, author: WrittenHints | undefined): boolean | undefined {
  return author?.openWorld ?? annotation(annotations, "openWorld");
}

const DEFAULTS: Hints = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

/** What isn't true or false, however it is meant, counts as the protocol's default: the worse of the two. */
function annotation(annotations: JsonObject, hint: keyof Hints): boolean | undefined {
  const value = own(annotations, `${hint}Hint`);
  return value === undefined || typeof value === "boolean" ? value : DEFAULTS[hint];
}
