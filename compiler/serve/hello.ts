import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** The first line of a connection to the daemon: who comes, for which role, for good. And the daemon's answer. */

export const HELLO_FORMAT = 1;

export interface Hello {
  readonly role: string;
  /** The one server that it is to be, under its tools' own names. */
  readonly server: string | undefined;
  /** Which member of the team, and which host: for people who look at the status. */
  readonly member: string | undefined;
  readonly host: string | undefined;
  /** Whose entry it is, as `projectWord` has it: a daemon of another project lets it in no more than one of another role. */
  readonly project: string | undefined;
  /** Of whoever says it. */
  readonly version: string;
}

/** What the daemon answers: come in, or why not and what to do. */
export type Welcome =
  | { readonly version: string; readonly refused?: undefined }
  | { readonly version: string; readonly refused: Refused };

export interface Refused {
  readonly exit: number;
  readonly says: string;
  readonly next: string;
}

export function helloLine(hello: Hello): string {
  return `${JSON.stringify({ rolecall: HELLO_FORMAT, ...hello })}\n`;
}

export function welcomeLine(welcome: Welcome): string {
  return `${JSON.stringify({ rolecall: HELLO_FORMAT, ...welcome })}\n`;
}

/** Undefined: it is no hello that this version knows. A word too many, or of another kind, could be one that restricts. */
export function readHello(line: string): Hello | undefined {
  const told = readLine(line);
  if (told === undefined) return undefined;
  for (const [key, value] of Object.entries(told))
    if (key !== "rolecall" && !(WORDS.has(key) && typeof value === "string")) return undefined;
  const word = (key: string): string | undefined => own(told, key) as string | undefined;
  const [role, version] = [word("role"), word("version")];
  if (role === undefined || version === undefined) return undefined;
  return {
    role,
    version,
    server: word("server"),
    member: word("member"),
    host: word("host"),
    project: word("project"),
  };
}

const WORDS: ReadonlySet<string> = new Set([
  "role",
  "version",
  "server",
  "member",
  "host",
  "project",
] satisfies (keyof Hello)[]);

/** Undefined: it is an answer of a version that this one doesn't understand. */
export function readWelcome(line: string): Welcome | undefined {
  const told = readLine(line);
  const version = told && own(told, "version");
  if (told === undefined || typeof version !== "string") return undefined;
  const refused = own(told, "refused");
  return isObject(refused) ? { version, refused: refused as unknown as Refused } : { version };
}

function readLine(line: string): JsonObject | undefined {
  try {
    const told = JSON.parse(line) as JsonValue;
    return isObject(told) && own(told, "rolecall") === HELLO_FORMAT ? told : undefined;
  } catch {
    return undefined;
  }
}
