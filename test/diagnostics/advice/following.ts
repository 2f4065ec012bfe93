import { expect } from "vitest";
import { compiled, decision } from "../../support/compiled.ts";

/**
 * A slip, what its help says to write, and the project with that in place of the slip. Advice that leads to the next
 * error, or that grants what was to be left out, is none.
 */

const text = { type: "string" };
const tool = (name: string, readOnlyHint: boolean, argument: string) => ({
  name,
  inputSchema: { type: "object", properties: { [argument]: text }, required: [argument] },
  annotations: { readOnlyHint },
});
const TOOLS = [
  tool("search_notes", true, "query"),
  tool("search_tags", true, "query"),
  tool("write_note", false, "path"),
  tool("write_all", false, "path"),
  tool("delete_note", false, "path"),
];
export const NAMES = TOOLS.map(({ name }) => name);
export const MANIFEST = JSON.stringify({ tools: TOOLS });
export const SERVERS = "servers: { notes: { connect: [{ stdio: [srv] }], labels: { written: [write_note] } } }\n";
export const ROLES = "roles: { reader: { tools: { notes: all } }, writer: { tools: { notes: all } } }\n";

export type Files = Readonly<Record<string, string>>;

export function found(files: Files, severity: string, code?: string) {
  return compiled(files).diagnostics.filter((one) => one.severity === severity && (code ?? one.code) === one.code);
}

/** What of its tools a role holds. */
export function held(files: Files, role: string): string[] {
  const compilation = compiled(files);
  return NAMES.filter((name) => {
    const effect = decision(compilation, role, "notes", name)?.effect;
    return effect !== undefined && effect !== "deny";
  });
}

/** What is wrong with advice: the help doesn't say it, or what it says isn't the end of it. */
export function flaws(
  files: (slip: string) => Files,
  slip: string,
  mended: string,
  severity = "error",
  code?: string,
): string[] {
  const before = found(files(slip), severity, code);
  const isSaid = before.some(({ help }) => help?.includes(`\`${mended}\``));
  const after = files(mended);
  const same = severity === "error" ? [] : found(after, severity, before[0]?.code);
  return [
    ...(isSaid ? [] : [`\`${mended}\` isn't said`, ...before.map(({ says, help }) => `${says}: ${help}`)]),
    ...[...found(after, "error"), ...same].map(({ says }) => says),
  ];
}

/** The project with what the help says to write, and the help is held to say it. */
export function follow(...rest: Parameters<typeof flaws>): Files {
  expect(flaws(...rest)).toEqual([]);
  const [files, , mended] = rest;
  return files(mended);
}

export const role = (entry: string): Files => ({
  "mcp/manifests/notes.json": MANIFEST,
  "mcp/servers.yaml": SERVERS,
  "mcp/roles.yaml": `roles:\n  r:\n    tools:\n      ${entry}\n`,
});
export const entry = (value: string): Files => role(`notes: ${value}`);
export const include = (item: string): Files => role(`notes: [${item}]`);
