import type { NamedTemplate, Template, TemplatePart, Transport } from "../3-plan/types.ts";
import { isLoopback } from "../base/loopback.ts";
import { sorted } from "../base/order.ts";
import type { Connection, Failure } from "./types.ts";

/** The value of a variable; unset and empty are the same. */
export type Lookup = (name: string) => string | undefined;

export interface Expansion {
  readonly connection: Connection;
  /** Variables that were asked for and are set, sorted. */
  readonly variables: readonly string[];
  /** What references stood for. `hidden`: in a header or in the child's environment, where secrets lie. */
  readonly values: readonly ReferenceValue[];
}

export interface ReferenceValue {
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
}

/** A transport with its references replaced, or why that can't be: section 3 of the language. */
export function expandTransport(transport: Transport, lookup: Lookup): Expansion | Failure {
  const seen = startReading(lookup);
  const connection = transport.kind === "stdio" ? expandStdio(transport, seen) : expandHttp(transport, seen);
  const failure = seen.problem() ?? (connection.kind === "stdio" ? undefined : urlProblem(transport, connection.url));
  if (failure) return failure;
  return { connection, variables: sorted(new Set(seen.values.map((v) => v.name))), values: seen.values };
}

interface Reading {
  text(template: Template, hidden: boolean): string | undefined;
  readonly values: ReferenceValue[];
  fail(failure: Failure): void;
  problem(): Failure | undefined;
}

function startReading(lookup: Lookup): Reading {
  const values: ReferenceValue[] = [];
  const missing = new Set<string>();
  let failed: Failure | undefined;
  const valueOf = (name: string, hidden: boolean): string | undefined => {
    const value = lookup(name);
    if (value === undefined || value === "") return undefined;
    values.push({ name, value, hidden });
    return value;
  };
  const expand = (parts: readonly TemplatePart[], hidden: boolean): string =>
    parts.map((part) => (typeof part === "string" ? part : expandReference(part, hidden))).join("");
  const expandReference = (part: Exclude<TemplatePart, string>, hidden: boolean): string => {
    const value = valueOf(part.name, hidden);
    if (part.form === "if-set") return value === undefined ? "" : expand(part.word, hidden);
    if (value !== undefined) return value;
    if (part.form === "default") return expand(part.word, hidden);
    missing.add(part.name);
    if (part.form === "required" && part.word.length > 0)
      failed ??= missingVariables([part.name], writtenText(part.word));
    return "";
  };
  return {
    values,
    text: (template, hidden) => {
      const text = expand(template.parts, hidden);
      const optional = template.parts.some((part) => typeof part !== "string" && part.form === "if-set");
      return text === "" && optional ? undefined : text;
    },
    fail: (failure) => void (failed ??= failure),
    problem: () => failed ?? (missing.size > 0 ? missingVariables(sorted(missing)) : undefined),
  };
}

/** A message is for people: what it refers to stays a name. */
function writtenText(parts: readonly TemplatePart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : `\${${part.name}}`)).join("");
}

function expandStdio(transport: Extract<Transport, { kind: "stdio" }>, reading: Reading): Connection {
  const [command = "", ...args] = transport.command.flatMap((element) => reading.text(element, false) ?? []);
  if (command === "" && reading.problem() === undefined)
    reading.fail(badReference("its command expands to nothing", "check the first element of `stdio`"));
  const cwd = transport.cwd && reading.text(transport.cwd, false);
  return { kind: "stdio", command, args, env: namedTexts(transport.env, reading), cwd: cwd === "" ? undefined : cwd };
}

function expandHttp(transport: Extract<Transport, { kind: "http" | "sse" }>, reading: Reading): Connection {
  const headers = namedTexts(transport.headers, reading);
  for (const [name, value] of Object.entries(headers)) {
    if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value))
      reading.fail(
        badReference(
          `the header \`${name}\` would hold a line break or another character that headers can't`,
          "check the value of its variable: a line break at its end is the usual cause",
        ),
      );
  }
  return { kind: transport.kind, url: reading.text(transport.url, false) ?? "", headers };
}

function namedTexts(entries: readonly NamedTemplate[], reading: Reading): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap(({ name, value }) => {
      const text = reading.text(value, true);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** What a variable holds can make an address another one: it is looked at again, as it will be used. */
function urlProblem(transport: Transport, text: string): Failure | undefined {
  if (transport.kind === "stdio") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    return badReference("its address isn't one once the variables are in", `check \`${transport.url.written}\``);
  const [first] = transport.url.parts;
  if (typeof first === "string" && originOf(first) !== url.origin)
    return badReference("a variable would lead it to another host", `check \`${transport.url.written}\``);
  if (url.username !== "" || url.password !== "")
    return badReference("its address holds a user name or password", "give them in a header");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return badReference("its address is plain http beyond this machine", "use https");
  return undefined;
}

function originOf(written: string): string | undefined {
  const host = /^[a-z]+:\/\/[^/?#]*/i.exec(written)?.[0] ?? "";
  return URL.canParse(host) ? new URL(host).origin : undefined;
}

function missingVariables(names: readonly string[], message?: string): Failure {
  const all = names.map((name) => `\`${name}\``).join(" and ");
  return {
    kind: "missing-variable",
    says: `${all} ${names.length === 1 ? "isn't" : "aren't"} set${message === undefined ? "" : `: ${message}`}`,
    next: `set ${names.length === 1 ? "it" : "them"} and capture again`,
  };
}

function badReference(says: string, next: string): Failure {
  return { kind: "bad-reference", says, next };
}
