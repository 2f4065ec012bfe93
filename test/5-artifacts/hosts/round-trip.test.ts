// A host's file, taken as the source of another project, gives that host the same file again.
import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { exactly } from "../../../compiler/1-source/formats/exact.ts";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { compiled, errors, manifest } from "../../support/compiled.ts";
import { textOf } from "../../support/artifact-text.ts";

interface Kept {
  /** What the host reads, and where it would look for it. */
  readonly made: string;
  readonly file: string;
}

const HOSTS: Readonly<Record<string, Kept>> = {
  "claude-code": { made: "mcp/hosts/claude-code/dev.mcp.json", file: ".mcp.json" },
  cursor: { made: ".cursor/mcp.json", file: ".cursor/mcp.json" },
  vscode: { made: ".vscode/mcp.json", file: ".vscode/mcp.json" },
  opencode: { made: "mcp/hosts/opencode/dev.json", file: "opencode.json" },
  codex: { made: "mcp/hosts/codex/dev.config.toml", file: ".codex/config.toml" },
  "gemini-cli": { made: ".gemini/settings.json", file: ".gemini/settings.json" },
  "copilot-cli": { made: ".github/agents/dev.agent.md", file: ".github/agents/dev.agent.md" },
};
/** Files in which lists of tools stand. Of the others every tool comes back. */
const LISTS = new Set(["codex", "gemini-cli", "copilot-cli"]);
const TOOLS = ["list", "list.all", "drop*", "is:odd", "make & mend", "write"];

const word = fc.constantFrom(
  "plain",
  "--level=warn",
  "a b",
  "5$$",
  "x$$y",
  '"q"',
  "${A}",
  "${B:-text}",
  "pre-${A}",
  "é",
  "'",
  "#",
);
const value = fc.constantFrom("warn", "a b", "${A}", "${TOKEN}", "x$$", "1", "${B:-}", "${B:-x}");
const named = (names: readonly string[], values: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), values), { selector: ([name]) => name, maxLength: 2 })
    .map(Object.fromEntries);
const connection = fc.oneof(
  fc.record({
    stdio: fc.array(word, { maxLength: 3 }).map((words) => ["serve", ...words]),
    env: named(["LEVEL", "A", "STAGE"], value),
  }),
  fc.record({
    http: fc.constantFrom("https://a.example.com/mcp", "https://a.example.com/${A}/x?y=1"),
    headers: named(["X-Team", "Authorization"], fc.constantFrom("${TOKEN}", "Bearer ${TOKEN}")),
  }),
  fc.record({ sse: fc.constant("https://a.example.com/sse") }),
);
const server = fc.record({
  connect: connection.map((one) => [
    Object.fromEntries(
      Object.entries(one).filter(([, held]) => typeof held !== "object" || Object.keys(held).length > 0),
    ),
  ]),
  seconds: fc.integer({ min: 1, max: 90 }),
  tools: fc.subarray(TOOLS, { minLength: 1 }),
  asked: fc.subarray(TOOLS),
  mustConnect: fc.boolean(),
});
const projects = fc.dictionary(fc.constantFrom("alpha", "beta", "gamma"), server, {
  minKeys: 1,
  noNullPrototype: true,
});
type Servers = Readonly<
  Record<string, { connect: unknown; seconds: number; tools: string[]; asked: string[]; mustConnect: boolean }>
>;

function written(host: string, servers: Servers): Readonly<Record<string, string>> {
  const entries = Object.entries(servers);
  const role = {
    builtins: { [host]: "all" },
    tools: Object.fromEntries(
      entries.map(([name, { tools, asked }]) => {
        const ask = asked.filter((tool) => tools.includes(tool)).map(exactly);
        const whole = LISTS.has(host) ? { include: tools.map(exactly) } : { include: ["*"] };
        return [name, ask.length > 0 ? { ...whole, ask } : whole];
      }),
    ),
  };
  return {
    "rolecall.yaml": JSON.stringify({
      version: 1,
      project: "first",
      hosts: [host],
      servers: Object.fromEntries(
        entries.map(([name, { connect, seconds, mustConnect }]) => [
          name,
          { connect, mustConnect, limits: { timeout: `${seconds}s` } },
        ]),
      ),
      roles: { dev: role },
    }),
    ...manifests(servers),
  };
}

function manifests(servers: Servers): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(servers).map((name) => [`mcp/manifests/${name}.json`, manifest(...TOOLS)]));
}

/** `asked`: what the file doesn't say of questions stands in the role, as it did. */
function imported(
  host: string,
  file: string,
  text: string,
  servers: Servers,
  first: string,
): Readonly<Record<string, string>> {
  const { roles } = JSON.parse(first) as { roles: { dev: { tools: Record<string, { ask?: string[] }> } } };
  const tools = Object.entries(roles.dev.tools).map(([name, { ask }]) => [
    name,
    host === "codex" || ask === undefined ? "all" : { include: ["*"], ask },
  ]);
  return {
    "rolecall.yaml": JSON.stringify({
      version: 1,
      project: "first",
      hosts: [host],
      imports: [file],
      roles: { dev: { builtins: { [host]: "all" }, tools: Object.fromEntries(tools) } },
    }),
    [file]: text,
    ...manifests(servers),
  };
}

/** As it lies in a folder: keys in an object, or above a text; without the line that says whose it is. */
function asFile(artifact: Artifact): string {
  if (!("keys" in artifact)) return textOf(artifact).replace(/^# Generated by rolecall.*\n/, "");
  const whole: Record<string, unknown> = {};
  for (const { at, value: held } of artifact.keys) {
    const around = at
      .slice(0, -1)
      .reduce<Record<string, unknown>>((inner, step) => (inner[step] ??= {}) as Record<string, unknown>, whole);
    // Which servers are kept from starting is the build's own word, until a role is started.
    if (at.join("/") !== "mcp/excluded") around[at.at(-1)!] = held;
  }
  if (whole["mcp"] !== undefined) delete whole["mcp"];
  return artifact.format === "json" ? JSON.stringify(whole) : `---\n${stringify(whole)}---\n`;
}

describe.each(Object.entries(HOSTS))("%s", (host, { made, file }) => {
  test("its file as a source makes the same file", () => {
    let fit = 0;
    fc.assert(
      fc.property(projects, (servers) => {
        const first = written(host, servers);
        const before = compiled(first);
        expect(errors(before)).toEqual([]);
        const artifact = [...before.artifacts].find(({ path }) => path === made);
        fc.pre(artifact !== undefined);
        const text = asFile(artifact!);
        const there = before.hosts[0]!.roles[0]!.servers.map(({ server }) => server.name as string);
        fc.pre(there.length > 0);
        const given = Object.fromEntries(Object.entries(servers).filter(([name]) => there.includes(name)));
        const kept = JSON.parse(first["rolecall.yaml"]!) as { roles: { dev: { tools: object } } };
        kept.roles.dev.tools = Object.fromEntries(
          Object.entries(kept.roles.dev.tools).filter(([name]) => there.includes(name)),
        );
        const again = compiled(imported(host, file, text, given, JSON.stringify(kept)));
        expect(again.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        const twin = [...again.artifacts].find(({ path }) => path === made);
        expect(twin && asFile(twin)).toEqual(text);
        fit++;
      }),
      { numRuns: 40, maxSkipsPerRun: 50 },
    );
    expect(fit).toBeGreaterThan(20);
  });
});
