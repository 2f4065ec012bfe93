import type { KeyPath } from "../../base/place.ts";
import type { Translation } from "./types.ts";

/** MAGSAG also writes `${NAME:default}` for `${NAME:-default}`, inside other references too. */
export function magsagSpelled(text: string): string {
  return text.replace(/(?<!\$)((?:\$\$)*\$\{[A-Za-z_][A-Za-z0-9_]*:)(?![-+?=])/g, "$1-");
}

/** A tool that none of them covers is out; where the list is empty, all are. */
export function putScopes(
  made: Translation,
  server: string,
  scopes: readonly string[] | undefined,
  written: KeyPath,
): void {
  if (scopes === undefined) return;
  if (scopes.length === 0) return made.put(["servers", server, "tools"], "none", written);
  made.put(["servers", server, "scopes"], [], written);
  [...new Set(scopes)].forEach((scope, i) =>
    made.put(["servers", server, "scopes", i], scope, [...written, scopes.indexOf(scope)]),
  );
}
