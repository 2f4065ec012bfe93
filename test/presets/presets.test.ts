import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { COMMAND_OF_DEPENDENTS } from "../../compiler/base/project-layout.ts";
import { entryFor, HOSTS } from "../support/known-hosts.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";
import type { Preset } from "../../schemas/types.ts";
import { compiled } from "../support/compiled.ts";
import { ROOT, SHARED } from "../support/root.ts";
import { KNOWN } from "./known-tools.ts";
import { faultsOf, manifestOf, namedIn, SERVERS, toolsOf, wordsOf, type RealTool } from "./shipped.ts";

/** The presets of the package: data that is right, of servers that have what it names. */

const verified = [...SERVERS].filter(([, { preset }]) => preset.verified !== undefined);
const UNVERIFIED = [
  "cloudwatch",
  "confluence",
  "fetch",
  "grafana",
  "jira",
  "linear",
  "obsidian",
  "pagerduty",
  "s3",
  "squad",
  // Ours.
  "team-state",
];
const LABELS = ["private-data", "untrusted-content", "external", "destructive", "issues", "pull-requests", "deploy"];

test("those that are asked for are there", () => {
  const asked =
    "github filesystem git memory fetch postgres pg-readonly notion supabase obsidian slack discord trello azure-devops " +
    "linear mongodb confluence playwright everything jira pagerduty datadog mysql s3 google-drive grafana cloudwatch sentry email squad team-state";
  expect([...SERVERS.keys()]).toEqual(expect.arrayContaining(wordsOf(asked)));
  expect([...SERVERS].filter(([, { preset }]) => !preset.verified).map(([name]) => name)).toEqual(UNVERIFIED);
});

test("ours is started as it works for a dependency of the project, and on the PATH", () => {
  const { connect } = SERVERS.get("team-state")!.preset.server;
  expect(connect).toEqual([{ stdio: [...COMMAND_OF_DEPENDENTS, "state", "--name", "team-state"] }]);
});

test("a folder each, with data and nothing else", () => {
  const folder = path.join(ROOT, "compiler/presets");
  for (const name of readdirSync(folder))
    expect([["preset.yaml"], ["role.yaml"]]).toContainEqual(readdirSync(path.join(folder, name)));
});

describe.each([...SERVERS])("%s", (name, { text, preset }) => {
  test("says all that somebody has to know", () => {
    const { server, variables = [] } = preset;
    expect(preset).toMatchObject({ id: name, version: "1", title: expect.stringMatching(/./) });
    expect(preset.description).toMatch(/^[A-Z].{10,110}\.$/);
    expect(server.whenDown).toMatch(/^.{20,200}\.$/);
    expect(server.limits?.timeout).toMatch(/^\d+s$/);
    expect(preset.notes === undefined && preset.verified === undefined).toBe(false);
    expect(Object.keys(server.labels ?? {}).filter((label) => !LABELS.includes(label))).toEqual([]);
    const referred = new Set(
      [...JSON.stringify([server.connect, server.root]).matchAll(/\$\{(\w+)/g)].map(([, n]) => n),
    );
    expect(variables.map((variable) => variable.name).toSorted()).toEqual([...referred].toSorted());
    for (const variable of variables) expect(variable.for).toMatch(/./);
  });

  const known = KNOWN[name];
  const manifest = manifestOf(name, known ? toolsOf(known) : claimed(preset));

  test("compiles without a word", () => {
    expect(remarks(name, text, manifest, []).map(({ says }) => says)).toEqual([]);
  });

  test("is no error for any host", () => {
    const hosts = HOSTS.map((id) => entryFor(id, "r"));
    expect(hosts.length).toBeGreaterThan(10);
    const said = remarks(name, text, manifest, hosts);
    expect(said.filter(({ severity }) => severity === "error").map(({ says }) => says)).toEqual([]);
  });
});

/** Of a server that nobody could ask: the tools that the preset names, with the arguments that its policies do. */
function claimed(preset: Preset): RealTool[] {
  const args = (preset.policies ?? []).flatMap((policy) => Object.keys(policy.where ?? {}));
  const names = new Set(namedIn(preset).map(({ name }) => name));
  return [...names].map((name) => ({ name, readOnly: false, destructive: true, arguments: args }));
}

function remarks(name: string, text: string, manifest: string, hosts: readonly string[]): readonly Diagnostic[] {
  return compiled({
    "rolecall.yaml": `version: 1
project: p
hosts: [${hosts.join(", ")}]
servers: { ${name}: { preset: ${name} } }
roles: { r: { tools: { ${name}: all } } }
`,
    [`mcp/presets/${name}.yaml`]: text,
    [`mcp/manifests/${name}.json`]: manifest,
  }).diagnostics;
}

describe("against what the servers have", () => {
  test.each(verified)("%s", (name, { preset }) => {
    const known = KNOWN[name]!;
    expect(preset.verified).toEqual({ name: known.server, version: known.version });
    expect(JSON.stringify(preset.server.connect)).toContain(`"${known.server}@${known.version}"`);
    expect(faultsOf(preset, toolsOf(known), wordsOf(known.elsewhere))).toEqual([]);
  });

  test("of each server something is known, and nothing of others", () => {
    expect(Object.keys(KNOWN)).toEqual(verified.map(([name]) => name));
  });
});

describe("a preset that is wrong is told", () => {
  const { preset } = SERVERS.get("github")!;
  const tools = toolsOf(KNOWN["github"]!);
  const elsewhere = wordsOf(KNOWN["github"]!.elsewhere);
  const faults = (change: (server: Preset["server"]) => object) =>
    faultsOf({ ...preset, server: { ...preset.server, ...change(preset.server) } }, tools, elsewhere);

  test.each<[string, (server: Preset["server"]) => object, string[]]>([
    [
      "a tool that the server doesn't have",
      ({ scopes }) => ({ scopes: { ...(scopes as object), more: ["list_isues"] } }),
      ["scopes more: the server has no list_isues"],
    ],
    [
      "an optional one that nothing has",
      ({ scopes }) => ({ scopes: { ...(scopes as object), more: [{ optional: "issue_reed" }] } }),
      ["scopes more: the server has no issue_reed"],
    ],
    [
      "one of the other way in, as if it were of this one",
      ({ scopes }) => ({ scopes: { ...(scopes as object), more: ["issue_read"] } }),
      ["scopes more: the server has no issue_read"],
    ],
    [
      "a label on nothing",
      () => ({ labels: { external: ["create_isue"] } }),
      ["labels external: the server has no create_isue", "labels external: create_isue is in no scope"],
    ],
    [
      "a ceiling against nothing",
      () => ({ tools: { exclude: ["merge"] } }),
      ["ceiling tools: the server has no merge", "ceiling tools: merge is in no scope"],
    ],
    ["a hint for nothing", () => ({ hints: { get: { readOnly: true } } }), ["hints: the server has no get"]],
    [
      "a hint that changes nothing",
      () => ({ hints: { push_files: { destructive: true } } }),
      ["hints: nothing new of push_files"],
    ],
  ])("%s", (_, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test("a tool that no scope covers", () => {
    const more = [...tools, { name: "star", readOnly: false, destructive: false, arguments: [] }];
    expect(faultsOf(preset, more, elsewhere)).toEqual(["no scope covers star"]);
  });
});

const CAPTURES = path.join(SHARED, "manifests");
/** Remarks about the server's own schemas and tools, which no preset can mend. */
const ABOUT_THE_SERVER: ReadonlySet<string> = new Set(["manifest/slow-schema", "role/mixed-enum"]);

/** Only where the captures lie beside the repository; what they say of names is in known-tools.ts for everybody else. */
describe.runIf(existsSync(CAPTURES))("against the captured manifests", () => {
  const captured = Object.entries(KNOWN).filter(([, { capture }]) => capture !== undefined);

  test("all but two have one", () => {
    const without = Object.keys(KNOWN).filter((name) => KNOWN[name]!.capture === undefined);
    expect(without).toEqual(["discord", "trello"]);
  });

  test.each(captured)("%s", (name, known) => {
    const text = readFileSync(path.join(CAPTURES, `${known.capture}.json`), "utf8");
    const { tools } = JSON.parse(text) as { tools: CapturedTool[] };
    const real = tools.map(realTool);
    const without = (list: readonly RealTool[]) => list.map((tool) => ({ ...tool, arguments: [] }));
    expect(without(toolsOf(known))).toEqual(without(real));
    expect(faultsOf(SERVERS.get(name)!.preset, real, wordsOf(known.elsewhere))).toEqual([]);
    const said = remarks(name, SERVERS.get(name)!.text, JSON.stringify({ server: name, tools }), []);
    expect(said.filter(({ code }) => !ABOUT_THE_SERVER.has(code)).map(({ says }) => says)).toEqual([]);
  });
});

interface CapturedTool {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** With the protocol's defaults. */
function realTool({ name, annotations = {} }: CapturedTool): RealTool {
  const isReadOnly = annotations.readOnlyHint === true;
  const destructive = annotations.destructiveHint ?? !isReadOnly;
  return { name, readOnly: isReadOnly && !destructive, destructive, arguments: [] };
}
