// Random files of agent hosts, read twice: as sources, and naively, as a person who knows the host reads them. Whatever the
// project holds is in the naive reading too, and what that asks is asked.
import { fc } from "../support/generated.ts";
import { stringify as toml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { stringify as yaml } from "yaml";
import { compiled, decision, manifest } from "../support/compiled.ts";

const TOOLS = ["list", "drop", "a*", "is:x", "b & c"];
const ENV: Readonly<Record<string, string>> = { A: "alpha", STAGE: "test", HOME: "/home/me" };

interface Naive {
  readonly tools: readonly string[];
  readonly asked: readonly string[];
  /** How the host may reach it. */
  readonly ways: readonly unknown[];
}
type Entry = Readonly<Record<string, unknown>>;
interface Sort {
  readonly file: string;
  readonly entries: fc.Arbitrary<Readonly<Record<string, Entry>>>;
  /** Beside the servers. */
  readonly rest?: fc.Arbitrary<Entry>;
  readonly text: (entries: Readonly<Record<string, Entry>>, rest: Entry) => string;
  readonly read: (entry: Entry, name: string, rest: Entry) => Naive;
}

const names = fc.constantFrom("alpha", "beta", "My Server");
const some = fc.subarray(TOOLS);
const list = (value: unknown) => (value ?? []) as readonly string[];
const table = (value: unknown) => (value ?? {}) as Readonly<Record<string, string>>;

/** Texts of pieces, among them references as the host writes them. */
const texts = (...references: string[]) =>
  fc
    .array(fc.constantFrom("x", "5$", "a b", "-", "é", ...references), { minLength: 1, maxLength: 3 })
    .map((all) => all.join(""));
const maps = (values: fc.Arbitrary<string>) =>
  fc.dictionary(fc.constantFrom("LEVEL", "TEAM", "STAGE"), values, { maxKeys: 2, noNullPrototype: true });
const optional = (model: Record<string, fc.Arbitrary<unknown>>, required: readonly string[]) =>
  fc.record(model, { requiredKeys: [...required] }) as fc.Arbitrary<Entry>;
const serversOf = (...forms: fc.Arbitrary<Entry>[]) =>
  fc.dictionary(names, fc.oneof(...forms), { minKeys: 1, noNullPrototype: true });

const opened = { autoApprove: fc.oneof(fc.boolean(), some), alwaysAllow: some, trust: fc.boolean() };
const common = { ...opened, disabled: fc.boolean(), disabledTools: some, description: fc.constant("Something.") };
const url = fc.constantFrom("https://a.example.com/mcp", "https://b.example.com/x");

function way(expand: (text: string) => string, entry: Entry, keys: Readonly<Record<string, string>> = {}): unknown {
  const each = (map: unknown) =>
    Object.fromEntries(Object.entries(table(map)).map(([name, text]) => [name, expand(text)]));
  const address = (entry["httpUrl"] ?? entry["url"]) as string | undefined;
  if (address !== undefined) return { url: expand(address), headers: each(entry[keys["headers"] ?? "headers"]) };
  const command = [entry["command"]].flat() as string[];
  return { words: [...command, ...list(entry["args"])].map(expand), env: each(entry[keys["env"] ?? "env"]) };
}

/** What is there of a server that anybody switched off, or with tools that are in no list of what is left. */
function left(entry: Entry, include: unknown, ...excluded: unknown[]): string[] {
  if (entry["disabled"] === true || entry["enabled"] === false) return [];
  const out = excluded.flatMap(list);
  return TOOLS.filter((tool) => (include === undefined || list(include).includes(tool)) && !out.includes(tool));
}

const known = (text: string, pattern: RegExp) =>
  text.replace(pattern, (_, name: string, other?: string) => ENV[name] ?? other ?? "?");
const shell = (text: string) => known(text, /\$\{(\w+)(?::-([^}]*))?\}/g);
const shells = (text: string) => known(text, /\$\{?([A-Za-z_]\w*)(?::-([^}]*))?\}?/g);
const editor = (text: string) =>
  known(text.replaceAll("${userHome}", ENV["HOME"]!).replace(/^\$\{workspaceFolder\}/, "."), /\$\{env:(\w+)\}/g);
const same = (text: string) => text;

const json = (key: string) => (entries: object, rest: Entry) =>
  `// Of ours.\n${JSON.stringify({ ...rest, [key]: entries }, undefined, 2).replace(/\n\}$/, ",\n}")}\n`;
const process = (values: fc.Arbitrary<string>, more: Record<string, fc.Arbitrary<unknown>>) =>
  optional({ command: fc.constant("serve"), args: fc.array(values, { maxLength: 2 }), env: maps(values), ...more }, [
    "command",
  ]);
const inBraces = texts("${A}", "${B:-or}", "${STAGE}");
const inEditors = fc.oneof(
  texts("${env:A}", "${userHome}"),
  fc.constantFrom("${workspaceFolder}", "${workspaceFolder}/x"),
);

const SORTS: Readonly<Record<string, Sort>> = {
  "claude-code": {
    file: ".mcp.json",
    entries: serversOf(
      process(inBraces, { timeout: fc.integer({ min: 1, max: 90_000 }), ...common }),
      optional({ type: fc.constantFrom("http", "sse"), url, headers: maps(inBraces), ...common }, ["type", "url"]),
    ),
    text: json("mcpServers"),
    read: (entry) => ({ tools: left(entry, undefined, entry["disabledTools"]), asked: [], ways: [way(shell, entry)] }),
  },
  cursor: {
    file: ".cursor/mcp.json",
    entries: serversOf(
      process(inEditors, common),
      optional({ url, headers: maps(texts("${env:A}")), ...common }, ["url"]),
    ),
    text: json("mcpServers"),
    read: (entry) => ({ tools: left(entry, undefined, entry["disabledTools"]), asked: [], ways: [way(editor, entry)] }),
  },
  "claude-desktop": {
    file: "claude_desktop_config.json",
    entries: serversOf(process(texts("${A}", "$A"), common)),
    rest: fc.constant({ globalShortcut: "x", preferences: {} }),
    text: json("mcpServers"),
    read: (entry) => ({ tools: left(entry, undefined, entry["disabledTools"]), asked: [], ways: [way(same, entry)] }),
  },
  junie: {
    file: ".junie/mcp/mcp.json",
    entries: serversOf(process(texts("${A}"), common)),
    text: json("mcpServers"),
    read: (entry) => ({ tools: left(entry, undefined, entry["disabledTools"]), asked: [], ways: [way(same, entry)] }),
  },
  vscode: {
    file: ".vscode/mcp.json",
    entries: serversOf(
      process(fc.oneof(inEditors, texts("${input:stage}")), common),
      optional(
        { type: fc.constantFrom("http", "sse"), url, headers: maps(texts("${env:A}", "${input:stage}")), ...common },
        ["type", "url"],
      ),
    ),
    rest: fc.constant({ inputs: [{ id: "stage", type: "promptString" }] }),
    text: json("servers"),
    read: (entry) => ({
      tools: left(entry, undefined, entry["disabledTools"]),
      asked: [],
      ways: [way((text) => editor(text.replaceAll("${input:stage}", ENV["STAGE"]!)), entry)],
    }),
  },
  opencode: {
    file: "opencode.json",
    entries: serversOf(
      optional(
        {
          type: fc.constant("local"),
          command: fc.array(texts("{env:A}", "${A}"), { maxLength: 2 }).map((all) => ["serve", ...all]),
          environment: maps(texts("{env:A}")),
          enabled: fc.boolean(),
        },
        ["type", "command"],
      ),
      optional({ type: fc.constant("remote"), url, headers: maps(texts("{env:STAGE}")), enabled: fc.boolean() }, [
        "type",
        "url",
      ]),
    ),
    rest: fc.constant({ theme: "dark", permission: { alpha_drop: "ask" } }),
    text: json("mcp"),
    read: (entry) => ({
      tools: left(entry, undefined),
      asked: [],
      ways: [way((text) => known(text, /\{env:(\w+)\}/g), entry, { env: "environment" })],
    }),
  },
  codex: {
    file: ".codex/config.toml",
    entries: (() => {
      const mode = fc.constantFrom("auto", "prompt", "approve");
      const shared = {
        enabled: fc.boolean(),
        enabled_tools: some,
        disabled_tools: some,
        tool_timeout_sec: fc.constantFrom(0.5, 20, 61.25),
        default_tools_approval_mode: mode,
        tools: fc.dictionary(fc.constantFrom(...TOOLS), fc.record({ approval_mode: mode }), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
      };
      return serversOf(
        process(texts("${A}", "$A"), { env_vars: fc.subarray(["A", "HOME"]), ...shared }),
        optional({ url, http_headers: maps(texts("${A}")), bearer_token_env_var: fc.constant("A"), ...shared }, [
          "url",
        ]),
      );
    })(),
    rest: fc.constant({ model: "m", mcp_oauth_callback_port: 4000 }),
    text: (entries, rest) => toml({ ...rest, mcp_servers: entries }),
    read: (entry) => {
      const token = entry["bearer_token_env_var"] as string | undefined;
      const handed = Object.fromEntries(list(entry["env_vars"]).map((name) => [name, ENV[name]!]));
      const tools = left(entry, entry["enabled_tools"], entry["disabled_tools"]);
      const modes = entry["tools"] as Readonly<Record<string, { approval_mode: string }>> | undefined;
      const modeOf = (tool: string) => modes?.[tool]?.approval_mode ?? entry["default_tools_approval_mode"] ?? "none";
      return {
        tools,
        asked: tools.filter((tool) => modeOf(tool) === "prompt"),
        ways: [
          way(same, {
            ...entry,
            env: { ...table(entry["env"]), ...handed },
            headers: {
              ...table(entry["http_headers"]),
              ...(token !== undefined && { Authorization: `Bearer ${ENV[token]}` }),
            },
          }),
        ],
      };
    },
  },
  gemini: {
    file: ".gemini/settings.json",
    entries: serversOf(
      process(texts("$A", "${STAGE}", "${B:-or}"), { includeTools: some, excludeTools: some, ...opened }),
      optional({ httpUrl: url, headers: maps(texts("$STAGE")), includeTools: some, excludeTools: some, ...opened }, [
        "httpUrl",
      ]),
    ),
    rest: optional(
      {
        ui: fc.constant({}),
        mcp: optional({ allowed: fc.subarray(["alpha", "beta"]), excluded: fc.subarray(["alpha", "beta"]) }, []),
        tools: optional({ exclude: fc.subarray(["drop", "is:x", "nothing", "mcp_alpha_list", "beta__drop"]) }, [
          "exclude",
        ]),
        excludeTools: fc.subarray(["list", "b & c"]),
      },
      [],
    ),
    text: json("mcpServers"),
    read: (entry, name, { mcp = {}, tools = {}, excludeTools }) => {
      const { allowed, excluded } = mcp as Entry;
      const isOut = list(excluded).includes(name) || (allowed !== undefined && !list(allowed).includes(name));
      const outside = [...list((tools as Entry)["exclude"]), ...list(excludeTools)];
      const here = TOOLS.filter((tool) =>
        [tool, `mcp_${name}_${tool}`, `${name}__${tool}`].some((one) => outside.includes(one)),
      );
      return {
        tools: isOut ? [] : left(entry, entry["includeTools"], entry["excludeTools"], here),
        asked: [],
        ways: [way(shells, entry)],
      };
    },
  },
  copilot: {
    file: ".copilot/mcp-config.json",
    entries: serversOf(
      process(texts("$A", "${STAGE}", "${{ secrets.A }}"), {
        type: fc.constant("local"),
        tools: fc.oneof(some, fc.constant(["*"])),
        excludeTools: some,
        ...opened,
      }),
    ),
    text: json("mcpServers"),
    read: readCopilot,
  },
  "copilot-agent": {
    file: ".github/agents/dev.agent.md",
    entries: serversOf(process(texts("$A", "${STAGE}"), { tools: fc.oneof(some, fc.constant(["*"])) })),
    rest: optional(
      { name: fc.constant("dev"), tools: fc.subarray(["read", "alpha/list", "alpha/*", "beta-list", "beta-drop"]) },
      [],
    ),
    text: (entries, rest) => `---\n${yaml({ ...rest, "mcp-servers": entries })}---\nWork well.\n`,
    read: (entry, name, { tools }) => {
      const { ways, tools: there } = readCopilot(entry);
      const isListed = (tool: string) =>
        list(tools).some((one) => [`${name}/*`, `${name}/${tool}`, `${name}-${tool}`].includes(one));
      return { ways, asked: [], tools: tools === undefined ? there : there.filter(isListed) };
    },
  },
};

function readCopilot(entry: Entry): Naive {
  const all = list(entry["tools"]).includes("*") ? undefined : entry["tools"];
  const expand = (text: string) =>
    text.replace(/\$\{\{ secrets\.(\w+) \}\}|\$\{?[A-Za-z_]\w*(?::-[^}]*)?\}?/g, (found, secret?: string) =>
      secret === undefined ? shells(found) : ENV[secret]!,
    );
  return { tools: left(entry, all, entry["excludeTools"]), asked: [], ways: [way(expand, entry)] };
}

/** Our own spelling, read as docs/language.md has it. */
function ours(text: string): string {
  return text.replace(/\$\$|\$\{(\w+)(?::-([^}]*))?\}/g, (found, name?: string, other?: string) =>
    found === "$$" ? "$" : (ENV[name!] ?? other ?? "?"),
  );
}

describe.each(Object.entries(SORTS))("%s", (id, { file, entries, rest = fc.constant({}), text, read }) => {
  test("nothing is held that the file doesn't give, and nothing is lost that it asks", () => {
    let all = 0;
    let fit = 0;
    fc.assert(
      fc.property(entries, rest, (servers, beside) => {
        const called = (theirs: string) => theirs.toLowerCase().replaceAll(" ", "-");
        const grants = Object.fromEntries(Object.keys(servers).map((theirs) => [called(theirs), "all"]));
        const found = compiled({
          "rolecall.yaml": JSON.stringify({
            version: 1,
            project: "test",
            imports: [file],
            roles: { dev: { tools: grants } },
          }),
          [file]: text(servers, beside),
          ...Object.fromEntries(Object.keys(grants).map((name) => [`mcp/manifests/${name}.json`, manifest(...TOOLS)])),
        });
        all++;
        const wrong = found.diagnostics.filter(({ severity }) => severity === "error");
        if (wrong.length === 0) fit++;
        else return;
        for (const [theirs, entry] of Object.entries(servers)) {
          const naive = read(entry, theirs, beside);
          const name = called(theirs);
          const effects = TOOLS.map((tool) => decision(found, "dev", name, tool)?.effect);
          const held = TOOLS.filter((_, i) => effects[i] === "allow" || effects[i] === "ask");
          expect([id, theirs, held]).toEqual([id, theirs, naive.tools]);
          for (const tool of naive.asked) expect([tool, effects[TOOLS.indexOf(tool)]]).toEqual([tool, "ask"]);
          const server = found.plan.servers.find((one) => one.name === name)!;
          for (const one of server.connect) {
            const named = (pairs: readonly { name: string; value: { written: string } }[]) =>
              Object.fromEntries(pairs.map((pair) => [pair.name, ours(pair.value.written)]));
            const reached =
              one.kind === "stdio"
                ? { words: one.command.map((word) => ours(word.written)), env: named(one.env) }
                : { url: ours(one.url.written), headers: named(one.headers) };
            expect(naive.ways).toContainEqual(reached);
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(fit / all).toBeGreaterThan(0.6);
  });
});
