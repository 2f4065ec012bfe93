import type { Stretch } from "../../../base/place.ts";
import { type TomlCursor, fail, passBlanks, stop, take } from "./cursor.ts";
import { readText } from "./strings.ts";

export interface Key {
  readonly name: string;
  readonly at: Stretch;
}

/** One or several with dots between them. */
export function readKeys(c: TomlCursor): Key[] {
  const keys: Key[] = [];
  for (;;) {
    passBlanks(c);
    keys.push(readKey(c));
    passBlanks(c);
    if (c.text[c.at] !== ".") return keys;
    c.at++;
  }
}

function readKey(c: TomlCursor): Key {
  const start = c.at;
  const name = readText(c, { isKey: true }) ?? take(c, /[A-Za-z0-9_-]+/y);
  if (name === undefined)
    return fail(
      c,
      "a key is missing here",
      "keys are letters, digits, `_` and `-`; any other stands in quotes",
      start,
      start + 1,
    );
  const at = [start, c.at] as const;
  if (name === "__proto__") return stop(c, { code: "source/yaml-feature", at, case: "proto" });
  return { name, at };
}
