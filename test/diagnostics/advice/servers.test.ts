import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { flowYaml } from "../../../compiler/base/flow-yaml.ts";
import { compiled } from "../../support/compiled.ts";
import { flaws, found, role, type Files } from "./following.ts";

/** Each row is a slip and what its help says to write: what is built then is looked at. */

describe("connections", () => {
  const server = (line: string): Files => ({ "mcp/servers.yaml": `servers:\n  notes: { ${line} }\n` });

  test.each([
    ["connect: { stdio: [srv] }", "connect: [{ stdio: [srv] }]"],
    ["connect: https://example.com/mcp", 'connect: [{ http: "https://example.com/mcp" }]'],
    ["connect: https://example.com/sse", 'connect: [{ sse: "https://example.com/sse" }]'],
    ["connect: srv --stdio", "connect: [{ stdio: [srv, --stdio] }]"],
    [
      'command: npx, args: [-y, "@acme/notes@1.0.0"], env: { LEVEL: warn }',
      'connect: [{ stdio: [npx, -y, "@acme/notes@1.0.0"], env: { LEVEL: warn } }]',
    ],
    ['command: "npx -y a@1.0.0"', "connect: [{ stdio: [npx, -y, a@1.0.0] }]"],
    ["type: http, url: https://example.com/mcp", 'connect: [{ http: "https://example.com/mcp" }]'],
    ["type: sse, url: https://example.com/x", 'connect: [{ sse: "https://example.com/x" }]'],
    ["serverUrl: https://example.com/mcp", 'connect: [{ http: "https://example.com/mcp" }]'],
    [
      'url: https://example.com/mcp, headers: { Authorization: "Bearer ${input:notes-token}" }',
      'connect: [{ http: "https://example.com/mcp", headers: { Authorization: "Bearer ${NOTES_TOKEN}" } }]',
    ],
    ["type: local, command: [srv, --x], environment: { A: b }", "connect: [{ stdio: [srv, --x], env: { A: b } }]"],
  ])("%s", (slip, mended) => {
    expect(flaws(server, slip, mended)).toEqual([]);
    expect(found(server(slip), "error")).toHaveLength(1);
  });

  test.each([
    ["{ command: srv, args: [--x] }", "{ stdio: [srv, --x] }"],
    ["{ stdio: { command: srv, args: [--x], env: { A: b } } }", "{ stdio: [srv, --x], env: { A: b } }"],
    ["{ http: { url: https://example.com/mcp } }", '{ http: "https://example.com/mcp" }'],
    ["srv --x", "{ stdio: [srv, --x] }"],
    ["{ type: http, url: https://example.com/mcp }", '{ http: "https://example.com/mcp" }'],
  ])("connect: [%s]", (slip, mended) => {
    const text = slip.startsWith("{")
      ? (line: string) => line
      : (line: string) => (line === slip ? JSON.stringify(line) : line);
    expect(flaws((line) => server(`connect: [${text(line)}]`), slip, mended)).toEqual([]);
  });

  test.each([
    ["env: [A=b]", "env: { A: b }"],
    ["env: [A]", 'env: { A: "${A}" }'],
    ["env: [{ A: b }]", "env: { A: b }"],
  ])("%s", (slip, mended) =>
    expect(flaws((line) => server(`connect: [{ stdio: [srv], ${line} }]`), slip, mended)).toEqual([]),
  );

  test.each([
    ["${notes-token}", "${NOTES_TOKEN}"],
    ["${notes.token}", "${NOTES_TOKEN}"],
    ["${API-KEY}", "${API_KEY}"],
    ["${process.env.NOTES}", "${NOTES}"],
    ["${ NOTES }", "${NOTES}"],
    ["${LOG_LEVEL-warn}", "${LOG_LEVEL:-warn}"],
    ["${PORT-8080}", "${PORT:-8080}"],
  ])("%s", (slip, mended) =>
    expect(flaws((value) => server(`connect: [{ stdio: [srv], env: { A: "${value}" } }]`), slip, mended)).toEqual([]),
  );

  const SECRET = ["gh", "p_", "a1b2c3d4e5f6a7b8c9d0e1f2"].join("");
  test.each([
    [`command: srv, env: { NOTES_KEY: ${SECRET} }`, '"${NOTES_KEY}"'],
    [`command: srv, args: [--token, ${SECRET}]`, '--token, "${NOTES_TOKEN}"'],
    [`command: srv, args: [--token=${SECRET}]`, '"--token=${NOTES_TOKEN}"'],
    [`url: https://example.com/mcp, headers: { X-Api-Key: ${SECRET} }`, 'X-Api-Key: "${NOTES_TOKEN}"'],
    [`url: "https://example.com/mcp?api_key=${SECRET}"`, "api_key=${NOTES_TOKEN}"],
    [`connect: { stdio: [srv], env: { PASSWORD: hunter22 } }`, 'PASSWORD: "${PASSWORD}"'],
  ])("a secret isn't repeated: %#", (slip, reference) => {
    const [said] = found(server(slip), "error");
    expect(said?.help).toContain(reference);
    expect(JSON.stringify(said?.help)).not.toContain(SECRET);
    expect(said?.help).not.toContain("hunter22");
    expect(JSON.stringify(said)).not.toContain(SECRET);
  });

  test("a whole file of another program, in JSON as it came", () => {
    const file = (value: object): Files => ({ "mcp/servers.json": JSON.stringify(value) });
    const [said] = found(file({ mcpServers: { Notes: { command: "srv", args: ["-x"] } } }), "error");
    const mended = '"servers": { "notes": { "connect": [{ "stdio": ["srv", "-x"] }] } }';
    expect(said?.help).toBe(`write \`${mended}\``);
    expect(found({ "mcp/servers.json": `{ ${mended} }` }, "error")).toEqual([]);
  });
});

describe("places", () => {
  test.each(["./src/mcp/", "src/mcp/", "././src/mcp"])("out: %s", (out) => {
    const project = (place: string, rest = "") =>
      compiled({ ...role("notes: all"), "rolecall.yaml": `version: 1\nproject: p\nout: ${place}\n${rest}` });
    const { plan, diagnostics } = project(out, "folder: ./mcp/\nenvExample: ./.env.example\n");
    expect(diagnostics).toEqual([]);
    expect(plan.project).toMatchObject({ out: "src/mcp", folder: "mcp", envExample: ".env.example" });
    expect(plan.roles).toHaveLength(1);
  });

  test("a prompt is one file, however it is written", () => {
    const block =
      "roles: { a: { prompt: ./p.md }, b: { prompt: p.md }, c: { extends: [a, b], tools: { notes: all } } }\n";
    const { plan, diagnostics } = compiled({ ...role("notes: all"), "mcp/roles.yaml": block, "p.md": "Be kind.\n" });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(plan.roles.map(({ prompt }) => prompt?.file)).toEqual(["p.md", "p.md", "p.md"]);
  });
});

describe("the package of a command", () => {
  const installed = {
    "package.json": JSON.stringify({
      devDependencies: { "@acme/notes": "^1.0.0", alone: "*", other: "npm:@acme/other@2" },
    }),
    "node_modules/@acme/notes/package.json": JSON.stringify({
      name: "@acme/notes",
      version: "1.2.3",
      bin: { "notes-server": "x" },
    }),
    "node_modules/alone/package.json": JSON.stringify({ name: "alone", version: "0.1.0", bin: "x" }),
    "node_modules/other/package.json": JSON.stringify({ name: "@acme/other", version: "2.0.0", bin: "x" }),
  };
  const help = (words: string, files: Files = installed) =>
    found(
      { ...files, "mcp/servers.yaml": `servers: { notes: { connect: [{ stdio: [${words}] }] } }\n` },
      "warning",
      "server/unpinned-package",
    )[0]?.help;

  test.each([
    ["npx, -y, notes-server", "write `--package=@acme/notes@1.2.3` before it: the installed package that brings it"],
    ["npx, -y, other", "write `--package=@acme/other@2.0.0` before it: the installed package that brings it"],
    ["npx, -y, alone", "write `alone@0.1.0`, as it is installed"],
    ["npx, -y, alone@latest", "write `alone@0.1.0`, as it is installed"],
    ['npx, -y, "@acme/notes"', "write `@acme/notes@1.2.3`, as it is installed"],
    ["npx, -y, stranger", "write `--package=<name>@<version>` before it, with the package that brings `stranger`"],
    ['npx, -y, "@acme/unknown"', "write `@acme/unknown@<version>`"],
    ["uvx, notes-server", "write `--from=<name>==<version>` before it, with the package that brings `notes-server`"],
    ["npx, -y, --package=@acme/notes@1.2.3, notes-server", undefined],
    ["npx, --package=@acme/notes@1.2.3, -y, notes-server", undefined],
  ])("%s", (words, said) => expect(help(words)).toBe(said));

  test("nothing is taken from a file that lies", () => {
    const lying = {
      ...installed,
      "node_modules/@acme/notes/package.json": JSON.stringify({
        name: "a; rm",
        version: "1.0.0",
        bin: { "notes-server": "x" },
      }),
    };
    expect(help("npx, -y, notes-server", lying)).toContain("<name>@<version>");
  });

  test("options of npx may stand before and behind the package's", () => {
    const files = {
      "mcp/servers.yaml": "servers: { notes: { connect: [{ stdio: [npx, --package=a@1.0.0, -y, srv] }] } }\n",
    };
    expect(found(files, "warning", "server/npx-may-prompt")).toEqual([]);
  });
});

test("values in advice are read as what they are", () => {
  const odd = [
    "true",
    "No",
    "null",
    "~",
    "-1",
    ".5",
    "1e3",
    "-",
    "---",
    "a: b",
    "a:b",
    "is:x",
    "@x",
    "*x",
    "!x",
    "#x",
    "'",
    '"',
    "\\d",
    "a, b",
    "[a]",
    "",
    " ",
    ".inf",
    "-.INF",
    "0x1f",
    "a #b",
    "\t",
  ];
  const value = {
    ...Object.fromEntries(odd.map((one) => [one, one])),
    list: odd,
    deep: [{ a: 1, b: null, c: [], d: {} }],
  };
  expect(parse(flowYaml(value))).toEqual(value);
});

test.each([
  ["limits: { timeout: 30 seconds }", "write `30s`"],
  ["limits: { timeout: 1.5s }", "write `1500ms`"],
  ["limits: { timeout: 2 min }", "write `2m`"],
  ["limits: { timeout: 1h }", "write `60m`"],
  ['limits: { ratePerMinute: "60" }', "write 60, without quotes"],
  ["hints: { search_tags: readOnly }", "write `search_tags: { readOnly: true }`"],
])("%s", (line, help) => {
  const files = { "mcp/servers.yaml": `servers: { notes: { connect: [{ stdio: [srv] }], ${line} } }\n` };
  expect(found(files, "error").map((one) => one.help)).toEqual([help]);
});

test("a number in env is said of its own line, not of the form of the connection", () => {
  const files = { "mcp/servers.yaml": "servers: { notes: { connect: [{ stdio: [srv], env: { A: 1, B: true } }] } }\n" };
  expect(found(files, "error").map((one) => one.help)).toEqual(['put it in quotes: "1"', 'put it in quotes: "true"']);
});
