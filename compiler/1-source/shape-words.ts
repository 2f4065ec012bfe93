import { flowYaml, listText } from "../base/flow-yaml.ts";
import { isObject, type JsonValue } from "../base/json.ts";
import { plainPath } from "../base/plain-path.ts";
import { DEFAULTS } from "../base/project-layout.ts";
import type { CaseOf } from "../diagnostics/report.ts";
import { shorten } from "./document/text.ts";

/** What a person calls the place at this path: "role `tester`", "`include` of server `github` in role `tester`". */
export function ownerOf(path: readonly (string | number)[], root: JsonValue): string {
  const [block, name, ...rest] = path;
  if (block === undefined) return "this document";
  const kind = { servers: "server", roles: "role", policies: "policy", invariants: "invariant" }[String(block)];
  if (!kind || name === undefined) return [`\`${path.join(".")}\``].join("");
  const subject = `${kind} ${typeof name === "number" ? nameOfItem(root, block, name) : `\`${name}\``}`;
  if (rest.length === 0) return subject;
  if (kind === "role" && rest[0] === "tools" && rest.length === 2) return `server \`${rest[1]}\` in ${subject}`;
  if (kind === "role" && rest[0] === "tools" && rest.length > 2)
    return `\`${joined(rest.slice(2))}\` of server \`${rest[1]}\` in ${subject}`;
  return `\`${joined(rest)}\` of ${subject}`;
}

/** A policy or invariant by its name, or by its number. */
function nameOfItem(root: JsonValue, block: string | number, index: number): string {
  const list = isObject(root) ? root[block] : undefined;
  const item = Array.isArray(list) ? (list as readonly JsonValue[])[index] : undefined;
  const name = isObject(item) ? item["name"] : undefined;
  return typeof name === "string" && name !== "" ? `\`${name}\`` : String(index + 1);
}

function joined(path: readonly (string | number)[]): string {
  return path.map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`)).join("");
}

/** What is lacking, and with it the word to write instead of nothing. */
export function emptyCase(path: readonly (string | number)[]): CaseOf<"source/nothing-written", "owner"> {
  const last = path.at(-1);
  const entryOfRole = path.length === 4 && path[0] === "roles" && path[2] === "tools";
  const ceilingOfServer = path.length === 3 && path[0] === "servers" && last === "tools";
  if (entryOfRole || ceilingOfServer) return { case: "entry" };
  if (last === "include" || last === "exclude") return { case: last };
  if (last === "roles" && path.length > 1) return { case: "roles" };
  if (last === "project") return { case: "project" };
  if (last === "tools" && path[0] !== "roles") return { case: "tools-of-rule" };
  if (last === "tools" && path.length === 3 && path[0] === "roles") return { case: "tools-of-role" };
  if (last === "builtins" || path.at(-2) === "builtins") return { case: "builtins" };
  return typeof last === "string" ? { case: "key", key: last } : { case: "item" };
}

export function valueFound(value: JsonValue): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (isObject(value)) return "a map";
  if (typeof value === "string" && /^(true|false|null|-?[\d.]+)$/.test(value)) return `the text \`"${value}"\``;
  if (typeof value === "string") return `\`${shorten(value)}\``;
  return `\`${String(value)}\``;
}

/** Durations in which a person waits. */
const MINUTES: ReadonlySet<string> = new Set(["idle", "askHold", "askTimeout", "cache"]);

/** What to write for a value of another form. */
export function formHint(found: JsonValue, expected: string, path: readonly (string | number)[]): string | undefined {
  const last = path.at(-1);
  if (last === "envExample" && typeof found === "boolean") return "write the path of the file, such as .env.example";
  if ((last === "timeout" || last === "cooldown") && typeof found === "number")
    return `write the unit: \`${found}s\` or \`${found}ms\``;
  if (MINUTES.has(String(last)) && typeof found === "number")
    return `write the unit: \`${found}s\`, or \`${found}m\` for minutes`;
  if (last === "version" && path.length === 1 && typeof found === "number")
    return "this rolecall reads version 1: write `version: 1`, or take a newer rolecall";
  const quotable = typeof found === "number" || typeof found === "boolean";
  if (quotable && expected.includes("text")) return `put it in quotes: "${String(found)}"`;
  if (typeof found !== "string") return undefined;
  if (expected.startsWith(A_VARIABLE)) return variableHint(found, last);
  if (expected.startsWith("a duration")) return durationHint(found);
  if (/^a (?:whole )?number/.test(expected) && /^\d+$/.test(found)) return `write ${found}, without quotes`;
  if (last === "ratePerMinute") return rateHint(found);
  if (expected.startsWith("a path inside"))
    return pathHint(found, last === "envExample" ? ".env.example" : DEFAULTS.out);
  if (expected === "true or false") return truthHint(found);
  if (expected === `\`${found}\``) return `write ${found}, without quotes`;
  if (last === "prompt" && /\s/.test(found)) return "write the text into a file, and its path here";
  return expected.includes("a list") ? `write \`${listText([found])}\`` : undefined;
}

const A_VARIABLE = "a variable";
/** With a sign, or in capitals with a line in it. */
const NAME_OF_VARIABLE = /^(?:\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?|([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+))$/;

/** Where the name of a variable belongs, whatever isn't one may be its value. */
export function mayBeSecret(found: string, expected: string): boolean {
  return expected.startsWith(A_VARIABLE) && !NAME_OF_VARIABLE.test(found);
}

function variableHint(found: string, key: string | number | undefined): string {
  const [, marked, plain] = NAME_OF_VARIABLE.exec(found) ?? [];
  const name = marked ?? plain;
  if (name !== undefined) return `write \`\${${name}}\``;
  const own = { key: "ROLECALL_KEY", limits: "REDIS_URL" }[String(key)];
  const usual =
    own ??
    `${String(key)
      .replace(/[^A-Za-z0-9]/g, "_")
      .toUpperCase()}_TOKEN`;
  return `give a variable this value, where the process is started or in \`.env\`, and write its name: \`\${${usual}}\``;
}

const TRUE = /^(?:true|yes|y|on|1)$/i;
const FALSE = /^(?:false|no|n|off|0)$/i;

/** What other readers of YAML take for true is a text here. */
function truthHint(found: string): string | undefined {
  return TRUE.test(found) ? "write `true`" : FALSE.test(found) ? "write `false`" : undefined;
}

function pathHint(found: string, example: string): string {
  const meant = plainPath(found.replaceAll("\\", "/").replace(/\/{2,}/g, "/"));
  const isOutside = /^(?:[A-Za-z]:|\/|~)/.test(meant) || meant.split("/").includes("..");
  if (isOutside) return `it begins at the folder of rolecall.yaml and stays in it, such as \`${example}\``;
  return /^\.?$/.test(meant) ? `name a folder of its own, such as \`${example}\`` : `write \`${meant}\``;
}

/** Times as people write them, in our units. */
function durationHint(found: string): string | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(found.trim()) ?? [];
  const name = unit?.toLowerCase();
  if (amount === undefined || name === undefined) return "write it as in `30s`";
  const inMs = /^(?:ms|msec|milliseconds?)$/.test(name)
    ? 1
    : /^h|^hours?$/.test(name)
      ? 3_600_000
      : name.startsWith("m")
        ? 60_000
        : 1000;
  const total = Math.round(Number(amount) * inMs);
  if (total <= 0) return undefined;
  const text = total % 60_000 === 0 ? `${total / 60_000}m` : total % 1000 === 0 ? `${total / 1000}s` : `${total}ms`;
  return `write \`${text}\``;
}

/** Rates as people write them, as the calls of a minute. */
function rateHint(found: string): string {
  const [, amount, unit] = /^(\d+)\s*(?:\/|per)\s*(s|m|h)[a-z]*$/i.exec(found.trim()) ?? [];
  const rate = Number(amount) * ({ s: 60, m: 1, h: 1 / 60 }[unit?.toLowerCase() ?? ""] ?? Number.NaN);
  return Number.isInteger(rate) && rate > 0
    ? `write \`ratePerMinute: ${rate}\``
    : "write how many calls a minute may have, such as `ratePerMinute: 60`";
}

/** What is wrong with a name, with one that is allowed, as near as can be. */
export function nameCase(
  written: string,
  kind: string,
  path: readonly (string | number)[],
): CaseOf<"source/bad-name", "name" | "kind"> {
  if (kind === "variable") return { case: "variable" };
  const characters =
    kind === "label" ? "lower-case letters, digits and `-`" : "lower-case letters, digits, `-` and `_`";
  const inRole = kind === "server" && path[0] === "roles";
  if (inRole && /[*?]/.test(written)) return { case: "wildcard" };
  const [, server, tool] = (inRole && /^([a-z][a-z0-9_-]*)\.(.+)$/s.exec(written)) || [];
  if (server !== undefined) return { case: "tool", entry: flowYaml({ [server]: [tool!] }).slice(2, -2) };
  const parted = written
    .trim()
    .replace(/([a-z0-9])([A-Z])(?=[a-z])/g, (_, end: string, begin: string) =>
      kind === "role" ? `${end}-${begin}` : `${end}${begin}`,
    );
  const meant = parted
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "");
  return meant === "" || meant === written || kind === "key"
    ? { case: "other", characters }
    : { case: "near", meant, characters };
}
