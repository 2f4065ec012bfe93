// Tools for generated projects: odd names, schemas of every build, conditions that fit an argument, and arguments that
// keep to them, break them, or are hostile.
import type { Dice } from "../dice.ts";
import type { Condition, Tool } from "../reference/shapes.ts";

type Json = Record<string, unknown>;

/** What a condition may be written for, by the path of the argument. */
type Kind = "text" | "texts" | "object";
interface Shape {
  readonly schema: Json;
  readonly arguments: Readonly<Record<string, Kind>>;
}

const text = { type: "string" };
const texts = { type: "array", items: text };

function object(
  properties: readonly (readonly [string, unknown])[],
  required: readonly string[] = [],
  more: Json = {},
): Json {
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...more,
  };
}

const options = object([
  ["path", text],
  ["mode", { enum: ["r", "w"] }],
]);
const edit = object(
  [
    ["path", text],
    ["text", text],
  ],
  ["path"],
);

const SHAPES: readonly Shape[] = [
  {
    schema: object(
      [
        ["path", text],
        ["content", text],
      ],
      ["path"],
    ),
    arguments: { path: "text", content: "text" },
  },
  { schema: object([]), arguments: {} },
  {
    schema: object([
      ["path", text],
      ["options", options],
    ]),
    arguments: { path: "text", options: "object", "options.path": "text", "options.mode": "text" },
  },
  {
    schema: object(
      [
        ["path", text],
        ["edits", { type: "array", items: { $ref: "#/$defs/edit" } }],
      ],
      ["edits"],
      { $defs: { edit } },
    ),
    arguments: { path: "text", "edits[].path": "text", "edits[].text": "text" },
  },
  {
    schema: object(
      [
        ["paths", texts],
        ["mode", { type: "string", enum: ["r", "w"] }],
      ],
      ["paths"],
    ),
    arguments: { paths: "texts", "paths[]": "text", mode: "text" },
  },
  {
    schema: object(
      [
        ["source", text],
        ["destination", text],
        ["path", { anyOf: [text, texts] }],
      ],
      ["source", "destination"],
    ),
    arguments: { source: "text", destination: "text", path: "texts" },
  },
  {
    schema: object(
      [
        ["__proto__", text],
        ["prototype", text],
        ["path", { $ref: "#/$defs/path" }],
      ],
      [],
      { $defs: { path: text } },
    ),
    arguments: { prototype: "text", path: "text" },
  },
  {
    schema: object(
      [
        ["path", text],
        ["more", { type: "object" }],
      ],
      [],
      { additionalProperties: true },
    ),
    arguments: { path: "text" },
  },
];

const NAMES = [
  "read_file",
  "write_file",
  "list_files",
  "delete-note",
  "issues.list",
  "move file",
  "__proto__",
  "createIssue",
  "Delete",
  "9",
  "10",
  "is:odd",
  "label:x",
  "a & b",
  "constructor",
  "get",
  "get_issue",
  "ask",
  "naïve",
  "x.y.z",
];

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

export function someTools(dice: Dice): Tool[] {
  const names = dice.sample(NAMES, 1 + dice.below(8));
  return names.map((name) => {
    const annotations = HINTS.flatMap((hint) => (dice.chance(45) ? [[hint, dice.chance(50)] as const] : []));
    const described = dice.chance(30) ? { description: `Does ${name} */ \`\${1}\`` } : {};
    const annotated = annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {};
    return { name, ...described, inputSchema: dice.one(SHAPES).schema, ...annotated };
  });
}

export function argumentsOf(tool: Tool): Readonly<Record<string, Kind>> {
  return SHAPES.find((shape) => shape.schema === tool.inputSchema)?.arguments ?? {};
}

const OF_TEXT: readonly Condition[] = [
  { glob: "tests/**" },
  { glob: "**" },
  { glob: "*" },
  { glob: "**/*.ts" },
  { glob: "tests/.hidden/?" },
  { glob: "tests/caf\u00e9" },
  { enum: ["r", "harbor"] },
  { enum: ["tests/a.ts", null, 7] },
  { pattern: "tests/.*" },
  { pattern: "r|w" },
  { pattern: "[^.]+", glob: "**" },
  { schema: { type: "string", maxLength: 10 } },
  { schema: { not: { const: "harbor" } } },
  { schema: { type: ["string", "null"] }, enum: ["w", null, "harbor"] },
];
const OF_TEXTS: readonly Condition[] = [...OF_TEXT.slice(0, -2), { enum: ["r", ["r", "w"]] }];
const OF_OBJECT: readonly Condition[] = [
  { enum: [{ path: "tests/a.ts", mode: "r" }, {}] },
  { schema: { type: "object", required: ["mode"] } },
  { schema: { type: "object", properties: { path: { pattern: "^tests/" } } } },
];

export function someCondition(dice: Dice, kind: Kind): Condition {
  const condition = dice.one(kind === "text" ? OF_TEXT : kind === "texts" ? OF_TEXTS : OF_OBJECT);
  return dice.chance(25) ? { ...condition, optional: true } : condition;
}

const TEXTS = ["tests/a.ts", "tests/deep/b.ts", "r", "w", "harbor", "a.ts", "src/a.ts", "tests"];
const FITTING: Readonly<Record<string, readonly unknown[]>> = {
  mode: ["r", "w"],
  options: [{ path: "tests/a.ts", mode: "r" }, { mode: "w" }, { path: "src/b.ts" }, {}],
  edits: [
    [{ path: "tests/a.ts", text: "r" }],
    [{ path: "tests/a.ts" }, { path: "tests/b.ts", text: "harbor" }],
    [{ path: "src/a.ts" }, { path: "tests/a.ts" }],
  ],
  paths: [["tests/a.ts"], ["r", "w"], ["r"], ["tests/a.ts", "../a"], ["tests/a.ts", "src/a.ts"]],
  more: [{}],
};
/** Texts that only look like what a condition allows, and values of other types. */
const HOSTILE: readonly unknown[] = [
  "../a",
  "./tests/a.ts",
  "tests/./a.ts",
  "tests/a.ts/",
  "tests/../src/a.ts",
  "src/../tests/a.ts",
  "tests/../../a",
  "..",
  "a/..",
  "/srv/harbor/tests/a.ts",
  "/srv/harbor",
  "/srv/harborx/tests/a.ts",
  "/srv/harbor/../harbor/tests/a.ts",
  "/etc/passwd",
  "//tests/a.ts",
  "tests//a.ts",
  "tests/cafe\u0301",
  "tests/caf\u00e9",
  "tests/.hidden/x",
  ".hidden",
  "",
  " tests/a.ts",
  "tests/a.ts ",
  "'tests/a.ts'",
  "~/a",
  "$HOME",
  "tests/$a",
  "tests/%2e%2e/a",
  "c:a",
  "file:a",
  "tests\\a",
  "tests/a\u0000",
  "tests/a\n",
  "r\n",
  "R",
  "Tests/a.ts",
  "tests./a",
  "tests /a",
  null,
  0,
  7,
  true,
  [],
  ["r"],
  ["tests/a.ts"],
  ["tests/a.ts", 7],
  [null],
  [["r"]],
  [["tests/a.ts"], "r"],
  {},
  { path: "tests/a.ts" },
  { path: ["tests/a.ts"] },
  { path: null },
  [{}],
  [{ path: "../a" }],
  [{ path: "tests/a.ts" }, "x"],
  "__proto__",
];
const WHOLE: readonly unknown[] = [undefined, null, [], "tests/a.ts", 7, [{ path: "tests/a.ts" }], {}];

/** The arguments of one call, as a host would hand them over. */
export function someArguments(dice: Dice, tool: Tool): unknown {
  if (dice.chance(4)) return dice.one(WHOLE);
  const names = Object.keys(((tool.inputSchema as Json | undefined)?.["properties"] ?? {}) as Json);
  const written = names.flatMap((name): [string, unknown][] => {
    if (dice.chance(25)) return [];
    return [[name, dice.chance(35) ? dice.one(HOSTILE) : dice.one(FITTING[name] ?? TEXTS)]];
  });
  const unknown = dice.chance(8)
    ? [[dice.one(["unknown", "__proto__", "constructor", "PATH", "path "]), "r"] as [string, unknown]]
    : [];
  return Object.fromEntries([...unknown, ...written]);
}

const INNER: readonly (readonly [string, unknown])[] = [
  ["options", { path: "tests/a.ts", mode: "r", more: 1 }],
  ["options", JSON.parse('{ "mode": "r", "__proto__": "r" }')],
  ["edits", [{ path: "tests/a.ts", text: "r", more: "x" }]],
  ["more", { anything: "/etc/passwd" }],
  ["paths", [{ path: "tests/a.ts" }]],
];

/** Arguments that hold, inside of an argument that the schema names, what it doesn't name. */
export function someInnerArguments(dice: Dice, tool: Tool): unknown {
  const names = Object.keys(((tool.inputSchema as Json | undefined)?.["properties"] ?? {}) as Json);
  const inner = INNER.filter(([name]) => names.includes(name));
  const plain = names.filter(() => dice.chance(60)).map((name) => [name, dice.one(FITTING[name] ?? TEXTS)] as const);
  return Object.fromEntries([...plain, ...(inner.length > 0 ? [dice.one(inner)] : [])]);
}

/** What a caller has to write at least, as TypeScript. */
export function leastArguments(tool: Tool): string {
  const required = ((tool.inputSchema as Json | undefined)?.["required"] ?? []) as readonly string[];
  return JSON.stringify(Object.fromEntries(required.map((name) => [name, (FITTING[name] ?? TEXTS)[0]])));
}
