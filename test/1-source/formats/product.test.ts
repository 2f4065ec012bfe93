import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { Template, Transport } from "../../../compiler/3-plan/types.ts";
import { held } from "../../../compiler/3-plan/held.ts";
import { HOST_LISTS } from "../../5-artifacts/hosts/host-lists.ts";
import { build, filesThere } from "../../support/built-project.ts";
import { compiled, manifest } from "../../support/compiled.ts";
import { temporaryProject, typeCheck } from "../../types/tsc.ts";

/** Manifests of products, and rows that come back from their database. */
const SERVERS = {
  search: {
    description: "Finds pages.",
    transport: "stdio",
    config: { command: "npx", args: ["-y", "@acme/search@1.4.0"], env: { SEARCH_API_KEY: "${SEARCH_API_KEY}" } },
  },
  papers: {
    transport: "sse",
    config: { url: "https://papers.example.com/sse", headers: { Authorization: "Bearer ${PAPERS_TOKEN}" } },
    enabled: true,
  },
  archive: { transport: "stdio", config: { command: "archive" }, enabled: false },
};
const LISTED = Object.entries(SERVERS).map(([name, server]) => ({ name, ...server }));
const MANIFESTS = {
  "mcp/manifests/search.json": manifest("find_pages", "fetch_page"),
  "mcp/manifests/papers.json": manifest("find_papers"),
  "mcp/manifests/archive.json": manifest("find_old"),
};
const TWO = { id: "kit", title: "Kit", prices: [1], mcp: { servers: SERVERS } };

const importing = (file: string, text: string, more = "") => ({
  "rolecall.yaml": `version: 1\nproject: desk\nimports: [{ file: ${file}${more} }]\nhosts: [claude-code, opencode, codex, copilot-cli, postgres]\nseverities: { host/may-grow: off }\n`,
  [file]: text,
  ...MANIFESTS,
});

describe("a manifest", () => {
  const forms = {
    "a list in YAML": ["p.yaml", stringify({ ...TWO, mcp: { servers: LISTED } })],
    "a map in YAML": ["p.yaml", stringify(TWO)],
    "a list in JSON": ["p.json", JSON.stringify({ ...TWO, mcp: { servers: LISTED } })],
    "a map in JSON": ["p.json", JSON.stringify(TWO)],
  } as const;

  test.each(Object.entries(forms))("as %s means the same", (_, [file, text]) => {
    const { artifacts, errors } = build(importing(file, text), "hosts");
    const [, otherText] = forms["a map in JSON"];
    expect(errors).toEqual([]);
    expect([...artifacts]).toEqual([...build(importing("p.json", otherText), "hosts").artifacts]);
  });

  test("gives one role all tools of what is enabled, and keeps what is said of a server", () => {
    const { plan, effect, errors } = build(importing("p.json", JSON.stringify(TWO)), "hosts");
    expect(errors).toEqual([]);
    expect(plan.roles.map(({ name }) => name)).toEqual(["agent"]);
    expect(plan.servers.map(({ name, product, description }) => [name, product.id, description])).toEqual([
      ["archive", "kit", undefined],
      ["papers", "kit", undefined],
      ["search", "kit", "Finds pages."],
    ]);
    const tools = ["search.find_pages", "search.fetch_page", "papers.find_papers", "archive.find_old"];
    expect(tools.map((one) => effect("agent", ...(one.split(".") as [string, string])))).toEqual([
      "allow",
      "allow",
      "allow",
      "deny",
    ]);
  });

  test("of another name, another role, and another id", () => {
    const text = JSON.stringify({ id: 7, mcp: { servers: SERVERS } });
    const { plan } = build(importing("p.json", text, ", role: helper, servers: { search: web }"));
    expect(plan.roles.map(({ name }) => name)).toEqual(["helper"]);
    expect(plan.servers).toHaveLength(3);
    const web = plan.servers.find(({ name }) => name === "web");
    expect(web?.product).toEqual({ id: "7", name: "search" });
  });

  test("reaches four hosts of other programs, and TypeScript", async () => {
    const files = importing("p.json", JSON.stringify(TWO));
    const built = build(files, true);
    const { artifacts, errors } = built;
    expect(errors).toEqual([]);
    for (const host of ["claude-code", "opencode", "codex", "copilot-cli"]) {
      const read = HOST_LISTS[host]!(filesThere(built, host), "agent").tool;
      expect([host, read("search", "find_pages"), read("archive", "find_old")]).toEqual([
        host,
        host === "copilot-cli" ? "ask" : "allow",
        undefined,
      ]);
    }
    expect(artifacts.get("mcp/hosts/postgres/rows.sql")).toContain("'Finds pages.'");
    const project = temporaryProject();
    try {
      for (const [path, text] of artifacts) if (path.startsWith("src/")) project.write(path, text);
      project.write("src/use.ts", USE);
      expect(await typeCheck(project, "7.0", ["src"], { isolatedDeclarations: false })).toEqual([]);
    } finally {
      project.remove();
    }
  });
});

const USE = `import { team } from "./mcp/index.js";
export const found = team().as("agent").search.find_pages();
// @ts-expect-error: it is switched off.
export const old = team().as("agent").archive;
`;

describe("what is wrong is told where it stands", () => {
  const server = (more: object) => ({ id: "kit", mcp: { servers: { search: { ...SERVERS.search, ...more } } } });
  const stdio = (config: object) => server({ config: { command: "run", ...config } });
  const row = (more: object) => ({ ...SERVERS.search, name: "search", enabled: true, ...more });
  const CASES: Readonly<Record<string, readonly [document: unknown, code: string, at: string]>> = {
    "a key that nobody knows": [server({ timeout: 5 }), "source/unknown-key", '"timeout"'],
    "a key of the other transport": [stdio({ url: "https://a.example" }), "source/unknown-key", '"url"'],
    "no transport": [server({ transport: undefined }), "source/missing-key", '"search"'],
    "another transport": [server({ transport: "websocket" }), "source/wrong-value", '"websocket"'],
    "a word for a truth": [server({ enabled: "no" }), "source/wrong-shape", '"no"'],
    "an editor's settings": [{ mcp: { servers: { a: { type: "stdio", command: "a" } } } }, "import/unknown-format", ""],
    "nothing for the servers": [{ mcp: { servers: null } }, "import/unknown-format", ""],
    "another key beside the servers": [{ mcp: { servers: SERVERS, tools: [] } }, "source/unknown-key", '"tools"'],
    "a default": [stdio({ env: { A: "${B:-c}" } }), "import/not-of-format", '"A"'],
    "a reference of another system": [stdio({ args: ["a", "${env:B}"] }), "import/not-of-format", '"${env:B}"'],
    "one name twice": [{ mcp: { servers: [LISTED[0], LISTED[0]] } }, "import/not-of-format", '"name"'],
    "a control character in the id": [{ id: "a\u0007", mcp: { servers: SERVERS } }, "source/wrong-value", '"a\\u0007"'],
    "a secret": [stdio({ env: { API_KEY: "hunter2hunter2" } }), "server/written-secret", '"'],
    "rows of two projects": [
      [row({ project_id: "a" }), row({ project_id: "b", name: "papers" })],
      "import/not-of-format",
      '"project_id"',
    ],
    "a column that nobody knows": [[row({ tools: [] })], "source/unknown-key", '"tools"'],
    "rows of one name": [[row({ product_id: "a" }), row({ product_id: "b" })], "import/not-of-format", '"name"'],
    "a row that says nothing of `enabled`": [[row({ enabled: undefined })], "source/missing-key", "{"],
  };

  test.each(Object.entries(CASES))("%s", (_, [document, code, at]) => {
    const { diagnostics } = compiled(importing("p.json", JSON.stringify(document, undefined, 1)));
    const told = diagnostics.filter(({ severity }) => severity === "error");
    expect(told.map((one) => one.code)).toContain(code);
    const { at: where } = told.find((one) => one.code === code)!;
    if (at === "") return;
    expect(where?.file).toBe("p.json");
    expect(where!.text.slice(where!.textColumn - 1)).toMatch(startsWith(at));
  });

  test("two files give one role what each has, and can't bring one server twice", () => {
    const [one, other] = [{ search: SERVERS.search }, { papers: SERVERS.papers }];
    const both = (second: object) => ({
      "rolecall.yaml": "version: 1\nproject: desk\nimports: [a.json, b.json]\n",
      "a.json": JSON.stringify({ id: "a", mcp: { servers: one } }),
      "b.json": JSON.stringify({ id: "b", mcp: { servers: second } }),
      ...MANIFESTS,
    });
    const { plan, errors } = build(both(other));
    expect(errors).toEqual([]);
    expect(plan.servers.map(({ name, product }) => `${product.id}.${name}`)).toEqual(["b.papers", "a.search"]);
    expect(plan.roles[0]!.grants.map(({ server }) => server.name)).toEqual(["papers", "search"]);
    expect(build(both(one)).errors).toEqual([expect.stringContaining("source/declared-twice")]);
  });
});

describe("no file widens against a naive reading of it", () => {
  const text = fc.oneof(
    fc.constantFrom("a", "-y", "$", "$$", "a$b", "$1", "${TOKEN}", "x ${A}${B}", "{b}", "\\", "é"),
    fc.string({ maxLength: 6 }),
  );
  const safe = text.map((one) => one.replace(/\$\{(?![A-Z]+\})/g, "{").replaceAll("\0", ""));
  const server = fc.record(
    {
      transport: fc.constant("stdio"),
      config: fc.record(
        {
          command: fc.constantFrom("run", "npx"),
          args: fc.array(safe, { maxLength: 3 }),
          env: fc.dictionary(fc.constantFrom("A", "MODE"), safe),
        },
        { requiredKeys: ["command"] },
      ),
      enabled: fc.boolean(),
      description: safe,
    },
    { requiredKeys: ["transport", "config"] },
  );
  const remote = fc.record(
    {
      transport: fc.constantFrom("sse", "http"),
      config: fc.record({
        url: fc.constantFrom("https://a.example.com/mcp", "https://b.example.com/${PLACE}/sse"),
        headers: fc.dictionary(fc.constantFrom("Accept", "X-Team"), fc.constantFrom("a", "${TEAM}", "$5")),
      }),
      enabled: fc.boolean(),
    },
    { requiredKeys: ["transport", "config"] },
  );
  const servers = fc.dictionary(fc.constantFrom("a", "b", "My Tools", "c.d"), fc.oneof(server, remote));
  const shapes = fc.constantFrom<(servers: Record<string, object>) => unknown>(
    (found) => ({ id: "p", mcp: { servers: found } }),
    (found) => ({ mcp: { servers: listOf(found) } }),
    (found) => listOf(found).map((one) => ({ enabled: true, project_id: "x", product_id: null, ...one })),
  );

  test("of servers, tools and connections", () => {
    let grants = 0;
    const property = fc.property(servers, shapes, (found, shaped) => {
      const document = shaped(found);
      const names = ["a", "b", "my-tools", "c-d"].map((name) => [`mcp/manifests/${name}.json`, manifest("one", "two")]);
      const { plan, errors } = build({
        "rolecall.yaml": "version: 1\nproject: desk\nimports: [p.json]\n",
        "p.json": JSON.stringify(document).replace(
          /[^ -~]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        ),
        ...Object.fromEntries(names),
      });
      if (Object.keys(found).length === 0) return;
      expect(errors).toEqual([]);
      for (const role of plan.roles) {
        expect(role.name).toBe("agent");
        for (const grant of role.grants.filter((one) => held(one).length > 0)) {
          const theirs = grant.server.product.name ?? grant.server.name;
          const { transport, config, enabled } = found[theirs] as Naive;
          grants++;
          expect([theirs, enabled]).not.toEqual([theirs, false]);
          expect(grant.server.connect.map(connectionOf)).toEqual([[transport, plainly(config)]]);
        }
      }
    });
    fc.assert(property, { numRuns: 60, interruptAfterTimeLimit: 15_000 });
    expect(grants).toBeGreaterThan(20);
  });
});

interface Naive {
  readonly transport: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly enabled?: boolean;
}

function listOf(servers: Record<string, object>): { name: string }[] {
  return Object.entries(servers).map(([name, one]) => ({ name, ...one }));
}

/** Without what says nothing. */
function plainly({ command, args = [], env = {}, url, headers = {} }: Naive["config"]): unknown {
  return url === undefined ? { command, args, env } : { url, headers };
}

function connectionOf(transport: Transport): [string, unknown] {
  const named = (entries: readonly { readonly name: string; readonly value: Template }[]) =>
    Object.fromEntries(entries.map(({ name, value }) => [name, shown(value)]));
  if (transport.kind !== "stdio")
    return [transport.kind, { url: shown(transport.url), headers: named(transport.headers) }];
  const [command, ...args] = transport.command.map(shown);
  return ["stdio", { command, args, env: named(transport.env) }];
}

/** As the file has it: `$NAME` in braces is a reference, all else is text. */
function shown({ parts }: Template): string {
  return parts.map((part) => (typeof part === "string" ? part : `\${${part.name}}`)).join("");
}

function startsWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`);
}
