import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { withoutTokens } from "../../compiler/base/never-shown.ts";
import { issuedToken } from "../../compiler/base/secret-patterns.ts";
import { SHAPES } from "../../compiler/base/secret-shapes.ts";
import { compiled } from "../support/compiled.ts";
import { innocentValues } from "./innocent-values.ts";
import { secretSamples } from "./secret-samples.ts";
import { SHARED } from "../support/root.ts";

/** Every form of a token in every place of the language, and what only looks like one in the same places. */

const SAMPLES = secretSamples();
const quoted = (text: string): string => JSON.stringify(text);
/** Where references are read a dollar is written twice. */
const template = (text: string): string => quoted(text.replaceAll("$", "$$$$"));

/** One place a line. `#` stands for the text, `@` for it among references, `?` for it in a comment. */
const FILES: Readonly<Record<string, string>> = {
  "rolecall.yaml": `version: 1
project: #
guards: [guards/*.yaml]
`,
  "mcp/servers.yaml": `servers:
  web:
    preset: web
    title: #
    whenDown: #
    owner: #
    root: @
    # ?
    hints: { read: { readOnly: true } }
    labels:
      mine:
        - { optional: # }
    results:
      read:
        description: #
        const: #
    connect:
      - http: "https://h.example.com/%@"
        headers:
          X-Trace: @
          Cookie: "a=b; c=%@"
          X-Other: "Basic %@"
      - sse: "https://h.example.com/?mode=%@"
      - stdio:
          - srv
          - @
          - --header
          - "X-Trace: Bearer %@"
          - "-eDB=%@"
          - { literal: # }
          - "\${NAME:-%@}"
          - "\${NAME:?see %@}"
          - "\${NAME:+%@}"
        env:
          VALUE: @
          OTHER: "\${NAME:-%@}"
          MEANT: { literal: # }
          JSON: "{\\"a\\": \\"%@\\"}"
        cwd: @
`,
  "mcp/roles.yaml": `roles:
  reader:
    description: #
    owner: #
    prompt: prompts/reader.md
    builtins:
      claude-code:
        - #
    tools:
      web:
        include: [read]
        where:
          read:
            path:
              enum:
                - #
policies:
  - name: #
    roles: ["*"]
    tools: [web.read]
    effect: ask
invariants:
  - name: #
    can: { roles: [reader], tools: [web.read] }
`,
  "mcp/presets/web.yaml": `id: web
title: #
notes:
  - #
variables:
  - name: NAME
    for: #
    url: #
    also: [#]
server:
  title: #
`,
  "guards/all.yaml": `policies:
  - name: #
    roles: ["*"]
    tools: [web.read]
    effect: ask
`,
  "prompts/reader.md": `# Reader
Log in with ?.
`,
  "mcp/manifests/web.json": `{ "tools": [ { "name": "read", "annotations": {"readOnlyHint": true},
  "description": #,
  "inputSchema": { "type": "object", "properties": { "path": { "type": "string",
     "description": #,
     "default": # } } } } ] }
`,
};

function filled(value: string): Record<string, string> {
  const inside = (text: string): string => text.slice(1, -1);
  return Object.fromEntries(
    Object.entries(FILES).map(([file, text]) => [
      file,
      text
        .replace(/^# Reader/m, "\u0001 Reader")
        .replace(/^( *)# \?/m, "$1\u0001 ?")
        .replaceAll(/%@|[#@]|(?<=\u0001 |with )\?/g, (mark) => {
          if (mark === "%@") return inside(template(value)).replaceAll("\\", file.endsWith(".yaml") ? "\\" : "\\");
          if (mark === "@") return template(value);
          return mark === "#" ? quoted(value) : value.replaceAll("\n", "\\n");
        })
        .replaceAll("\u0001", "#"),
    ]),
  );
}

const PLACES = Object.entries(FILES).flatMap(([file, text]) =>
  text
    .split("\n")
    .flatMap((line, i) => (/[#@?]/.test(line.replace(/^# Reader|\$\{NAME:\?see/, "")) ? [`${file}:${i + 1}`] : [])),
);
const CODES = /^(?:source\/secret|server\/(?:literal|written)-secret|role\/prompt-secret|manifest\/secret)$/;

function foundIn(value: string): { places: string[]; text: string } {
  const { diagnostics } = compiled(filled(value));
  const told = diagnostics.filter(({ code }) => CODES.test(code));
  const places = [...new Set(told.map(({ at }) => `${at?.file}:${at?.line}`))];
  return { places, text: JSON.stringify(diagnostics) };
}

test("the table is about many forms in many places", () => {
  expect(Object.keys(SAMPLES).length).toBeGreaterThan(120);
  expect(PLACES.length).toBeGreaterThan(40);
});

test("every form of the catalogue has a sample, and every sample a form", () => {
  const samples = Object.values(SAMPLES);
  expect(SHAPES.filter(([, pattern]) => !samples.some((one) => pattern.test(one))).map(([issuer]) => issuer)).toEqual(
    [],
  );
  expect(Object.keys(SAMPLES).filter((name) => issuedToken(SAMPLES[name]!) === undefined)).toEqual([]);
});

describe.each(Object.entries(SAMPLES))("a secret of %s", (_, secret) => {
  test("is found in every place, and shown in none", () => {
    const { places, text } = foundIn(secret);
    expect(PLACES.filter((place) => !places.includes(place))).toEqual([]);
    const end = secret.split("\n")[0]!.slice(-12);
    if (!secret.includes("\n")) expect(text).not.toContain(JSON.stringify(end).slice(1, -1));
  });

  test("is masked whole in whatever is shown", () => {
    const shown = withoutTokens(`it says ${secret} here`);
    expect(shown).not.toContain(secret.slice(-8));
    if (!secret.includes("\n")) expect(shown).toMatch(/^it says .{0,60}… here$/);
  });
});

describe("what is no secret", () => {
  const values = innocentValues();
  test("are a hundred values", () => expect(new Set(values).size).toBeGreaterThanOrEqual(100));

  test.each(values)("%j is found nowhere", (value) => expect(foundIn(value).places).toEqual([]));
});

test.runIf(existsSync(path.join(SHARED, "manifests")))("no tool of 142 captured servers holds one", () => {
  const folder = path.join(SHARED, "manifests");
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  expect(files.length).toBeGreaterThanOrEqual(142);
  const found = files.flatMap((file) => {
    const { tools, initialize } = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Record<string, unknown>;
    return issuedToken(JSON.stringify([tools, initialize])) ?? [];
  });
  expect(found).toEqual([]);
});

/** What a shape begins with, and what may stand between two such beginnings. */
function beginnings(pattern: RegExp): string[] {
  const plain = pattern.source.replace(/\\b|\(\?[=!:<]*/g, " ").replaceAll("\\", "");
  const words = Array.from(plain.matchAll(/[A-Za-z0-9_.:/-]{2,}/g), ([word]) => word.slice(0, 12));
  return [...new Set(words)].flatMap((word) => [word, `${word}a`, `${word}a-`, `${word}A_`]);
}

test.each(SHAPES.map(([issuer, pattern]) => [issuer, pattern] as const))(
  "the shape of %s is looked for in linear time",
  (_, pattern) => {
    for (const flags of ["g", "gi"])
      for (const unit of beginnings(pattern)) {
        const text = `${unit.repeat(400_000 / unit.length)}!`;
        const began = process.cpuUsage();
        for (const found of text.matchAll(new RegExp(pattern.source, flags))) void found;
        expect(process.cpuUsage(began).user / 1000, unit).toBeLessThan(1000);
      }
  },
);
