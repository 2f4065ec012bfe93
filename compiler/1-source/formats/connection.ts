import type { KeyPath } from "../../base/place.ts";
import type { Translation } from "./types.ts";

/** How a text of the file refers to variables, in our spelling. `written`: where it stands. */
export type Respell = (text: string, written: KeyPath) => string;

const asWritten: Respell = (text) => text;

export interface Process {
  readonly command: string | readonly string[];
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/** A process on this machine, at `connect[i]`. `at`: where `command`, `args`, `env` and `cwd` stand. */
export function putProcess(
  made: Translation,
  server: string,
  { command, args = [], env, cwd }: Process,
  at: KeyPath,
  { i = 0, spell = asWritten }: { readonly i?: number; readonly spell?: Respell } = {},
): void {
  const to = ["servers", server, "connect", i];
  const words: (readonly [string, KeyPath])[] =
    typeof command === "string"
      ? [[command, [...at, "command"]]]
      : command.map((word, w) => [word, [...at, "command", w]]);
  words.push(...args.map((word, a): readonly [string, KeyPath] => [word, [...at, "args", a]]));
  made.put([...to, "stdio"], [], [...at, "command"]);
  words.forEach(([word, written], w) => made.put([...to, "stdio", w], spell(word, written), written));
  putTexts(made, [...to, "env"], env, [...at, "env"], spell);
  if (cwd !== undefined) made.put([...to, "cwd"], spell(cwd, [...at, "cwd"]), [...at, "cwd"]);
}

export interface Address {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A server behind an address. `keys`: what the file calls the two. */
export function putAddress(
  made: Translation,
  server: string,
  kind: "http" | "sse",
  { url, headers }: Address,
  at: KeyPath,
  {
    i = 0,
    spell = asWritten,
    keys = ["url", "headers"],
  }: { readonly i?: number; readonly spell?: Respell; readonly keys?: readonly [string, string] } = {},
): void {
  const to = ["servers", server, "connect", i];
  made.put([...to, kind], spell(url, [...at, keys[0]]), [...at, keys[0]]);
  putTexts(made, [...to, "headers"], headers, [...at, keys[1]], spell);
}

/** An empty map says nothing. */
function putTexts(
  made: Translation,
  to: KeyPath,
  texts: Readonly<Record<string, string>> | undefined,
  at: KeyPath,
  spell: Respell,
): void {
  for (const [name, text] of Object.entries(texts ?? {}))
    made.put([...to, name], spell(text, [...at, name]), [...at, name]);
}
