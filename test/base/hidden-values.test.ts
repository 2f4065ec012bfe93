import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createDocumentReader } from "../../compiler/1-source/document/read-document.ts";
import { hiddenOnLine } from "../../compiler/base/hidden-values.ts";
import type { Place } from "../../compiler/base/place.ts";
import { createReport } from "../../compiler/diagnostics/report.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { renderJson } from "../../compiler/diagnostics/render-json.ts";
import { renderText } from "../../compiler/diagnostics/render-text.ts";
import { fastest } from "../support/fastest.ts";
import { compiled } from "../support/compiled.ts";

/**
 * Whatever stands under a name that says secret is masked on every line that is shown, where the declaration is broken
 * too: short values and passphrases of words, which no form gives away.
 */

const VALUES = ["hunter2", "x7Qp", "tr0ub4dor&3", "sesame", "correct horse battery staple", "Sommer2024!", "0815471"];

/** Each is broken, so that a message points at the line; `#` stands for the value. */
const SHAPES: Readonly<Record<string, string>> = {
  "a text for a map": 'servers: { db: { connect: [{ stdio: [srv], env: "DB_PASSWORD=#" }] } }',
  "a text for a map, with more": 'servers: { db: { connect: [{ stdio: [srv], env: "HOST=a DB_PASSWORD=#" }] } }',
  "a list for a map": 'servers: { db: { connect: [{ stdio: [srv], env: ["DB_PASSWORD=#"] }] } }',
  "pairs in a list": "servers:\n  db:\n    connect:\n      - stdio: [srv]\n        env:\n          - DB_PASSWORD=#\n",
  "maps in a list": "servers:\n  db:\n    connect:\n      - stdio: [srv]\n        env:\n          - DB_PASSWORD: #\n",
  "a name and a value": 'servers: { db: { connect: [{ stdio: [srv], env: [{ DB_PASSWORD: "#" }] }] } }',
  "a name beside its value":
    'servers: { db: { connect: [{ stdio: [srv], env: [{ name: HOST, value: db }, { name: DB_PASSWORD, value: "#" }] }] } }',
  "a name behind its value":
    'servers: { db: { connect: [{ htp: x, headers: [{"value": "#", "name": "Authorization"}] }] } }',
  "a name beside its value, in JSON":
    'servers: { db: { connect: [{ stdioo: ["{\\"name\\": \\"DB_PASSWORD\\", \\"value\\": \\"#\\"}"] }] } }',
  "a name with a tag beside its value":
    'servers: { db: { connect: [{ stdio: [srv], env: [{ name: !!str DB_PASSWORD, value: "#" }] }] } }',
  "a flag, behind doubled quotes": "servers: { db: { connect: [{ stdioo: [srv, --password, 'it''s, #'] }] } }",
  "a variable of docker, behind doubled quotes":
    "servers: { db: { connect: [{ stdioo: [docker, -e, 'DB_PASSWORD=it''s #'] }] } }",
  "a name in a line above its value":
    "servers:\n  db:\n    connect:\n      - stdio: [srv]\n        env:\n          - name: DB_PASSWORD\n            vlue: 1\n            value: '#'\n",
  "a map for a text": 'servers: { db: { connect: [{ stdio: [srv], env: { DB_PASSWORD: { value: "#" } } }] } }',
  "a list for a text": 'servers: { db: { connect: [{ stdio: [srv], env: { DB_PASSWORD: ["#"] } }] } }',
  "a list of lines":
    "servers:\n  db:\n    connect:\n      - stdio: [srv]\n        env:\n          DB_PASSWORD:\n            - #\n",
  "a map of lines":
    "servers:\n  db:\n    connect:\n      - stdio: [srv]\n        env:\n          DB_PASSWORD:\n            from:\n              here: #\n",
  "another key is misspelt": 'servers: { db: { titel: x, connect: [{ stdio: [srv], env: { DB_PASSWORD: "#" } }] } }',
  "the block is misspelt": 'servers: { db: { connect: [{ stdio: [srv], evn: { DB_PASSWORD: "#" } }] } }',
  "without quotes": "servers: { db: { connect: [{ stdio: [srv], evn: { DB_PASSWORD: # } }] } }",
  "in small letters": 'servers: { db: { conect: [{ password: "#" }] } }',
  PASS: 'servers: { db: { connect: [{ stdio: [srv], evn: { PASS: "#" } }] } }',
  PGPASS: 'servers: { db: { connect: [{ stdio: [srv], evn: { PGPASS: "#" } }] } }',
  OPENAI_KEY: 'servers: { db: { connect: [{ stdio: [srv], evn: { OPENAI_KEY: "#" } }] } }',
  ACME_KEY: 'servers: { db: { connect: [{ stdio: [srv], evn: { ACME_KEY: "#" } }] } }',
  "a flag": 'servers: { db: { connect: [{ stdioo: [srv, --password, "#"] }] } }',
  "a flag with =": 'servers: { db: { connect: [{ stdioo: [srv, "--password=#"] }] } }',
  "a name without a colon":
    "servers:\n  db:\n    connect:\n      - stdio: [srv]\n        env:\n          DB_PASSWORD #\n",
  "names without a colon in a list": 'servers: { db: { connect: [{ stdio: [srv], env: ["DB_PASSWORD #"] }] } }',
  "a header without a colon":
    "servers:\n  db:\n    connect:\n      - http: https://a.example.com/\n        headers:\n          - X-Api-Key #\n",
  "a map without a colon": "servers: { db: { connect: [{ stdio: [srv], env: {DB_PASSWORD #} }] } }",
  "a bearer": 'servers: { db: { connect: [{ http: "https://a.example.com/", bearer: "#" }] } }',
  creds: 'servers: { db: { connect: [{ stdio: [srv], evn: { DB_CREDS: "#" } }] } }',
  "a colon of another script":
    "servers:\n  db:\n    connect:\n      - stdio: [srv]\n        env:\n          DB_PASSWORD\uff1a #\n",
  "behind a dollar": 'servers: { db: { connect: [{ stdio: [srv], env: { DB_PASSWORD: "$#" } }] } }',
  "a connection": 'servers: { db: { connect: [{ stdioo: [srv, "Server=a;Uid=b;Pwd=#;Database=c"] }] } }',
  "a key in a query": 'servers: { db: { connect: [{ htp: "https://a.example/mcp?x=1&key=#" }] } }',
  "a short flag": 'servers: { db: { connect: [{ stdioo: [mysql, -p, "#"] }] } }',
  "a command in one text": 'servers: { db: { connect: [{ stdio: "srv --password=#" }] } }',
  "a variable of docker": 'servers: { db: { connect: [{ stdioo: [docker, -e, "DB_PASSWORD=#"] }] } }',
  "a header": 'servers: { db: { connect: [{ htp: x, headers: { Authorization: "#" } }] } }',
  "a header of a scheme": 'servers: { db: { connect: [{ htp: x, headers: { Authorization: "Bearer #" } }] } }',
  "a cookie": 'servers: { db: { connect: [{ htp: x, headers: { Cookie: "session=#; theme=#" } }] } }',
  "a cookie, beside another slip":
    'servers: { db: { connect: [{ http: "https://a.example.com/", headers: { cookie: "sid=#" }, tmeout: 3 }] } }',
  "a cookie in JSON": 'servers: { db: { "connect": [{ "htp": "x", "headers": { "Cookie": "__Host-s=#;b=#" } }] } }',
  "a cookie on a line": "servers:\n  db:\n    conect:\n      headers:\n        Cookie: a=1; session=#\n",
  "a cookie in a list": 'servers: { db: { connect: [{ htp: x, headers: ["Cookie: connect.sid=#"] }] } }',
  "a cookie as a flag": 'servers: { db: { connect: [{ stdioo: [curl, --cookie, "session=#"] }] } }',
  "a session": 'servers: { db: { connect: [{ htp: "https://a.example.com/?PHPSESSID=#" }] } }',
  "headers as a list": 'servers: { db: { connect: [{ http: "https://a.example.com/", headers: ["X-Api-Key: #"] }] } }',
  "a default": 'servers: { db: { connect: [{ stdioo: ["${DB_PASSWORD:-#}"] }] } }',
  JSON: 'servers: { db: { connect: [{ stdioo: ["{\\"password\\": \\"#\\"}"] }] } }',
  "YAML that is broken": 'servers: { db: { connect: [{ stdio: [srv], env: { DB_PASSWORD: "#" } }',
  "YAML that is broken, on a line": "servers:\n  db: [\n    env: { DB_PASSWORD: # }\n  x: 1\n",
  "a tag": 'servers: { db: { connect: [{ stdio: [srv], env: { DB_PASSWORD: !secret "#" } }] } }',
  "a key twice": 'servers: { db: { connect: [{ stdio: [srv], env: { DB_PASSWORD: "#", DB_PASSWORD: "#" } }] } }',
  "a block of text":
    "servers:\n  db:\n    connect:\n      - stdio: [srv]\n        evn:\n          DB_PASSWORD: |\n            #\n",
  "text of two lines":
    'servers:\n  db:\n    connect:\n      - stdio: [srv]\n        evn:\n          DB_PASSWORD: "a\n            #"\n',
  "declared twice": 'servers:\n  db: { connect: [{ stdio: [srv], env: { DB_PASSWORD: "#" } }] }\n  db: {}\n',
};

describe.each(Object.entries(SHAPES))("%s", (_, shape) => {
  test.each(VALUES)("shows nothing of %s", (value) => {
    const { diagnostics } = compiled({ "mcp/a.yaml": shape.replaceAll("#", value) });
    expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
    const shown = [renderText(diagnostics, { width: 400, colour: false }), renderJson(diagnostics)].join("\n");
    for (const part of value.split(" ")) expect(shown).not.toContain(part);
  });
});

describe("as an error of its own", () => {
  const codes = (env: string) =>
    compiled({ "mcp/a.yaml": `servers: { db: { connect: [{ stdio: [srv], env: { ${env} } }] } }` })
      .diagnostics.filter(({ severity }) => severity === "error")
      .map(({ code }) => code);

  test.each(["PASS: x7Qp", "PGPASS: sesame", "OPENAI_KEY: x7Qp", "DB_PASS: sesame", "SMTPPASS: a b c"])("%s", (env) => {
    expect(codes(env)).toEqual(["server/written-secret"]);
  });

  test.each(["DB: Server=a;Uid=b;Pwd=sesame", 'DB: "Driver={x};PWD={x7Qp};"', "DB: host=a;user=b;pass=sesame"])(
    "%s",
    (env) => {
      expect(codes(env)).toEqual(["server/written-secret"]);
    },
  );

  test.each([
    "SORT_KEY: name",
    'DB: "Server=a;Pwd=${X}"',
    "DIR: a=b;pwd=sesame",
    "DB: host=a;pwd=/app",
    'DB: "host=a;pwd=C:\\\\app"',
    "DB: host=a;pass=true",
    "DB: host=a;pwd=",
    "COMPASS: north",
    "BYPASS: a",
    "PWD: /app",
    "KEY: name",
    "PASSAGE: x",
  ])("not %s", (env) => {
    expect(codes(env)).toEqual([]);
  });
});

test.each(["- --password", '- "--password"', "- srv --password"])("behind a flag on the line above: %s", (above) => {
  const at = { file: "", line: 1, column: 1, length: 1, above: `args:\n  - srv\n  ${above}` };
  expect(hiddenOnLine({ ...at, text: "  - hunter2" })).toEqual([[4, 11]]);
  expect(hiddenOnLine({ ...at, text: '  - "hunter2"' })).toEqual([[5, 12]]);
  expect(hiddenOnLine({ ...at, text: "  - --port" })).toEqual([]);
});

const KEY_LINES = Array.from({ length: 51 }, (_, i) =>
  createHash("sha512").update(`line ${i}`).digest("base64").slice(0, 64),
);

test.each([
  ["that isn't indented", (i: number) => (i === 0 ? "  " : "")],
  ["with a line that isn't indented", (i: number) => (i === 45 ? "" : "            ")],
  ["with a tab", (i: number) => (i === 45 ? "\t\t" : "            ")],
])("nothing of a private key is shown %s", (_, indent) => {
  const lines = ["-----BEGIN PRIVATE KEY-----", ...KEY_LINES, "-----END PRIVATE KEY-----"];
  const key = lines.map((line, i) => indent(i) + line).join("\n");
  for (const sign of ["|\n          ", ""]) {
    const text = `servers:\n  db:\n    connect:\n      - stdio: [srv]\n        env:\n          KEY: ${sign}${key}\n`;
    const { diagnostics } = compiled({ "mcp/a.yaml": text });
    expect(diagnostics.map(({ code }) => code)).toContain("source/yaml");
    const shown = [renderText(diagnostics, { width: 400, colour: false }), renderJson(diagnostics)].join("\n");
    for (const line of KEY_LINES) expect(shown).not.toContain(line.slice(8, 40));
  }
});

test("a line of letters in a row that is no key's stays", () => {
  const at = { file: "", line: 1, column: 1, length: 1 };
  for (const text of [`- ${"0e8f4b5f".repeat(8)}`, `- ${"servers/db/".repeat(5)}`, `key: ${KEY_LINES[0]!} of mine`])
    expect(hiddenOnLine({ ...at, text })).toEqual([]);
});

test("a token as the user of an address is hidden, and a user's name isn't", () => {
  const at = { file: "", line: 1, column: 1, length: 1 };
  expect(hiddenOnLine({ ...at, text: "url: https://tokn1234abcd@h.example/x" })).toEqual([[13, 25]]);
  expect(hiddenOnLine({ ...at, text: "url: https://adalovelace@h.example/x" })).toEqual([]);
});

test("of quotes that are doubled within a value the last one ends it", () => {
  const at = { file: "", line: 1, column: 1, length: 1 };
  expect(hiddenOnLine({ ...at, text: "{ a_password: 'it''s', b: 'mine' }" })).toEqual([
    [15, 17],
    [19, 20],
  ]);
});

test.each(["|", ">-", "!x |"])("a block of text beside a name is one of its value: %s", (sign) => {
  const at = { file: "", line: 1, column: 1, length: 1 };
  const shown = (name: string, text: string) =>
    hiddenOnLine({ ...at, text, above: `- name: ${name}\n  value: ${sign}\n    a line` });
  expect(shown("DB_PASSWORD", "    sesame")).toEqual([[4, 10]]);
  expect(shown("HOST", "    sesame")).toEqual([]);
  expect(shown("DB_PASSWORD", "  other: sesame")).toEqual([]);
});

test("of a variable that is spelled as elsewhere it is said how it is spelled here", () => {
  const text = "servers: { db: { connect: [{ stdio: [srv], env: { DB_PASSWORD: $DB_PASSWORD_2 } }] } }";
  const { diagnostics } = compiled({ "mcp/a.yaml": text });
  expect(diagnostics.map(({ help }) => help).join()).toContain("${DB_PASSWORD_2}");
});

test("of names and values only those that belong together", () => {
  const at = { file: "", line: 1, column: 1, length: 1 };
  for (const text of ["env: [{ name: HOST, value: db }]", "{ key: sort, value: up }", "value: x"])
    expect(hiddenOnLine({ ...at, text, above: "- name: MODE\n  value: x\n# a password\n" })).toEqual([]);
});

test.each([
  "TOKEN: [",
  "value: x, ",
  "name: A_TOKEN, value: x, ",
  "env: { TOKEN: { ",
  "A_TOKEN: ${X} ",
  'TOKEN="',
  "-p -p ",
  '{"token": {"a": "b"}, ',
  "API_KEY: |- ",
  "Cookie: a=b; ",
  "session=",
])("a line of half a megabyte is no trap: %s", (piece) => {
  const text = piece.repeat(500_000 / piece.length);
  expect(fastest(3000, () => hiddenOnLine({ file: "", line: 1, column: 1, length: 1, text }))).toBeLessThan(3000);
});

test.each(["password: |", "- db_password: >-", "api_key: !!str |2- # ours", 'tokens:\n  - "refresh-token": |'])(
  "of a text on lines of its own each is masked: %s",
  (begins) => {
    const above = `servers:\n${begins}\n      first line\n\n`;
    const at = { file: "", line: 1, column: 1, length: 1 };
    expect(hiddenOnLine({ ...at, text: "      second line", above })).toEqual([[6, 17]]);
    expect(hiddenOnLine({ ...at, text: "other: line", above })).toEqual([]);
  },
);

test("of several cookies each is masked, wherever the text stands", () => {
  const text = '"session=abcd1234efgh5678; theme=dark; connect.sid=zzzzzz99999yyyy"';
  const { diagnostics } = compiled({
    "mcp/a.yaml": `servers:\n  a: { title: &a ${text}, connect: [{ http: "https://a.example/", headers: { Cookie: *a } }] }\n`,
  });
  expect(diagnostics.map(({ code }) => code)).toContain("server/written-secret");
  expect(renderText(diagnostics, { width: 400, colour: false })).not.toMatch(/efgh5678|99999/);
});

describe("what stays as it is written", () => {
  const shown = (line: string, above = "") => {
    const text = `${above}${line}\n`;
    const at = text.lastIndexOf(line);
    const place: Place = { file: "mcp/a.yaml", path: [], range: [at, at + line.length] };
    const report = createReport(createDocumentReader(lazyLibraries().yaml).locator(() => text));
    report.add("source/character", place, { character: "x" });
    return report.sorted()[0]!.at!.text;
  };

  test.each([
    "    secrets: [read, write]",
    "    vault-token: all",
    "    get_secret: { name: { glob: prod/* } }",
    "    GITHUB_TOKEN: ${GITHUB_TOKEN}",
    '    GITHUB_TOKEN: "${GITHUB_TOKEN:?make one at https://github.com/settings/tokens}"',
    '    headers: { Authorization: "Bearer ${TOKEN}", X-Api-Key: "${KEY}" }',
    "    stdio: [srv, -p, '8080:80', -p, ./folder, --port, '3000']",
    '    headers: { Cookie: "session=${SESSION}; sid=${SID:?log in}" }',
    "    where: { get: { session_id: { glob: prod/* }, session: main } }",
    "    USE_PASSWORD: true",
    "    title: [A_TOKEN is needed, DB_PASSWORD]",
    "    stdio: [srv, Server=a;Pwd=/app/folder, 'https://git@h.example/v1?order=key']",
    "    GOOGLE_APPLICATION_CREDENTIALS: ./key.json",
    "    tools: { bank: [change_password, reset_token] }",
    '    "token": { "type": "string", "description": "of a page" }',
    "    API_TOKEN: <yours>",
  ])("%s", (line) => expect(shown(line)).toBe(line));

  test("below a server that is called so", () => {
    expect(shown("    connect: [{ http: x }]", "servers:\n  secrets:\n")).toBe("    connect: [{ http: x }]");
  });

  test("beside an entry that is masked", () => {
    const above = "    env:\n      DB_PASSWORD: x\n";
    expect(shown("      HOST: db.example.com", above)).toBe("      HOST: db.example.com");
  });
});
