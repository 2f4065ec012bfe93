import type { KeyPath } from "../../base/place.ts";
import type { Translation } from "./types.ts";

/** How a text of the file, which is written there, refers to variables, in our spelling. */
export type Respell = (text: string, written: KeyPath) => string;

const asWritten: Respell = (text) => text;

export interface Process {
  readonly command: string | readonly string[];
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

interface ProcessOptions {
  readonly i?: number;
  readonly spell?: Respell;
  /** What the file calls these, where it isn't the same. */
  readonly keys?: { readonly env?: string; readonly cwd?: string };
}

/** A process on this machine, at `connect[i]`. `at`: where `command`, `args`, `env` and `cwd` stand. */
export function putProcess(
  made: Translation,
  server: string,
  { command, args = [], env, cwd }: Process,
  at: KeyPath,
  { i = 0, spell = asWritten, keys = {} }: ProcessOptions = {},
): void {
  const to = ["servers", server, "connect", i];
  const program: (readonly [string, KeyPath])[] =
    typeof command === "string"
      ? [[command, [...at, "command"]]]
      : command.map((word, w) => [word, [...at, "command", w]]);
  const words = program.concat(args.map((word, a) => [word, [...at, "args", a]]));
  made.put(to, {}, [...at, "command"]);
  made.put([...to, "stdio"], [], [...at, "command"]);
  words.forEach(([word, written], w) => made.put([...to, "stdio", w], spell(word, written), written));
  putTexts(made, [...to, "env"], env, [...at, keys.env ?? "env"], spell);
  const atCwd = [...at, keys.cwd ?? "cwd"];
  // The project's own folder is where it starts anyway, and some hosts have no place for a `cwd`.
  if (cwd !== undefined && cwd !== ".") made.put([...to, "cwd"], spell(cwd, atCwd), atCwd);
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
  const atUrl = [...at, keys[0]];
  made.put(to, {}, atUrl);
  made.put([...to, kind], spell(url, atUrl), atUrl);
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
