import { isObject, own } from "../base/json.ts";

/** The first line of a connection to the daemon: who comes, for which role, for good. And the daemon's answer. */

export const HELLO_FORMAT = 1;

export interface Hello {
  readonly role: string;
  /** The one server that it is to be, under its tools' own names. */
  readonly server: string | undefined;
  /** Which member of the team, and which host: for people who look at the status. */
  readonly member: string | undefined;
  readonly host: string | undefined;
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

/** Undefined: it is no hello that this version knows. */
export function readHello(line: string): Hello | undefined {
  const told = readLine(line);
  const [role, version] = [told?.("role"), told?.("version")];
  if (told === undefined || role === undefined || version === undefined) return undefined;
  return { role, version, server: told("server"), member: told("member"), host: told("host") };
}

/** Undefined: it is an answer of a version that this one doesn't understand. */
export function readWelcome(line: string): Welcome | undefined {
  const value = parsed(line);
  const version = readLine(line)?.("version");
  if (version === undefined) return undefined;
  const refused = own(value as never, "refused");
  return isObject(refused) ? { version, refused: refused as unknown as Refused } : { version };
}

function readLine(line: string): ((key: string) => string | undefined) | undefined {
  const value = parsed(line);
  if (!isObject(value as never) || own(value as never, "rolecall") !== HELLO_FORMAT) return undefined;
  return (key) => {
    const told = own(value as never, key);
    return typeof told === "string" ? told : undefined;
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
