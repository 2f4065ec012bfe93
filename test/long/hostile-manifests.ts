/**
 * Manifests and conditions of somebody who wants a build to take long: each about as large as asked for, and where a walk
 * would go twice through the same it goes through it without end.
 */
export interface Hostile {
  readonly manifest: string;
  /** A condition on the argument `path`, where it is to be read. */
  readonly about?: object;
  /** More of the project: sources by path. */
  readonly sources?: Readonly<Record<string, string>>;
}

type Schema = Readonly<Record<string, unknown>> | boolean;

/** By what is in them; `bytes` is about how large the text becomes. */
export const HOSTILE: Readonly<Record<string, (bytes: number) => Hostile>> = {
  "references that double": (bytes) => argument(chained(bytes / 60, (next) => ({ anyOf: [next, next] }))),
  "references that double, of lists": (bytes) =>
    argument(chained(bytes / 80, (next) => ({ type: "array", items: { anyOf: [next, next] } }))),
  "references that double, together": (bytes) => argument(chained(bytes / 60, (next) => ({ allOf: [next, next] }))),
  "references that double, of properties": (bytes) =>
    argument(chained(bytes / 90, (next) => ({ type: "object", properties: { a: next, b: next } }))),
  "a chain of references": (bytes) => argument(chained(bytes / 30, (next) => next)),
  "a circle of references": (bytes) => argument(chained(bytes / 30, (next) => next, { $ref: "#/$defs/a0" })),
  "dense alternatives": (bytes) => argument(dense(Math.sqrt(bytes / 12), "anyOf")),
  "dense alternatives, of which one": (bytes) => argument(dense(Math.sqrt(bytes / 12), "oneOf")),
  "dense parts": (bytes) => argument(dense(Math.sqrt(bytes / 12), "allOf")),
  "dense properties": (bytes) => argument(denseObjects(Math.sqrt(bytes / 14))),
  "many alternatives": (bytes) => argument({ anyOf: many(bytes / 20, (i) => ({ const: `v${i}` })) }),
  "many alternatives that are objects": (bytes) =>
    argument({ anyOf: many(bytes / 70, (i) => ({ type: "object", properties: { [`p${i}`]: { type: "string" } } })) }),
  "many parts": (bytes) =>
    argument({ allOf: many(bytes / 70, (i) => ({ type: "object", properties: { [`p${i}`]: { type: "string" } } })) }),
  "many values": (bytes) => argument({ enum: many(bytes / 8, (i) => `v${i}`) }),
  "many empty objects": (bytes) => tool({ properties: { a: { enum: many(bytes / 3, () => ({})) } } }),
  "many empty lists": (bytes) => tool({ properties: { a: { enum: many(bytes / 3, () => []) } } }),
  "many properties": (bytes) => tool({ properties: properties(bytes / 30, { type: "string" }) }),
  "many properties, of no name in common": (bytes) =>
    tool({ anyOf: many(bytes / 60, (i) => ({ properties: { [`p${i}`]: {} } })) }),
  "a deep schema": (bytes) => argument(nested(Math.min(90, bytes / 40), bytes)),
  "a wide and deep schema": (bytes) => argument(tree(bytes)),
  "many tools": (bytes) => ({
    manifest: JSON.stringify({
      tools: many(bytes / 50, (i) => ({ name: `tool_${i}`, inputSchema: { type: "object" } })),
    }),
  }),
  escapes: (bytes) => ({
    manifest: `{"tools":[{"name":"read","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}},"description":"${"\\u00e9".repeat(bytes / 6)}"}]}`,
  }),
  "escapes in a schema": (bytes) => ({
    manifest: `{"tools":[{"name":"read","inputSchema":{"type":"object","properties":{"path":{"description":"${"\\n".repeat(bytes / 2)}"}}}}]}`,
  }),
  "many patterns": (bytes) =>
    tool({ properties: Object.fromEntries(many(bytes / 50, (i) => [`p${i}`, { pattern: `^(a|b|c${i})*d+e*$` }])) }),
  "one long pattern": (bytes) => argument({ pattern: "(a|b)*".repeat(bytes / 6) }),
  "a condition that doubles": (bytes) => condition(chained(bytes / 60, (next) => ({ anyOf: [next, next] }))),
  "a condition that doubles under not": (bytes) =>
    condition(chained(bytes / 60, (next) => ({ not: { anyOf: [next, { not: next }] } }))),
  "a condition that doubles under if": (bytes) =>
    condition(chained(bytes / 80, (next) => ({ if: next, then: next, else: next }))),
  "a condition of dense alternatives": (bytes) => condition(dense(Math.sqrt(bytes / 12), "oneOf")),
  "a condition of one chain": (bytes) => condition(chained(bytes / 30, (next) => next)),
  "a condition of many alternatives": (bytes) => condition({ anyOf: many(bytes / 20, (i) => ({ const: `v${i}` })) }),
};

function many<Item>(count: number, item: (i: number) => Item): Item[] {
  return Array.from({ length: Math.max(1, Math.floor(count)) }, (_, i) => item(i));
}

function properties(count: number, schema: Schema): Record<string, Schema> {
  return Object.fromEntries(many(count, (i) => [`p${i}`, schema]));
}

/** `a0` leads to `a1`, and so on. */
function chained(count: number, link: (next: Schema) => Schema, last: Schema = { type: "string" }): Schema {
  const definitions = many(count, (i) => [`a${i}`, link({ $ref: `#/$defs/a${i + 1}` })] as const);
  const ending = [`a${definitions.length}`, last] as const;
  return { $ref: "#/$defs/a0", $defs: Object.fromEntries([...definitions, ending]) };
}

/** Each leads to all that come after it. */
function dense(count: number, keyword: string): Schema {
  const all = many(count, (i) => i);
  const leading = all.map((i) => [`a${i}`, { [keyword]: all.slice(i + 1).map((j) => ({ $ref: `#/$defs/a${j}` })) }]);
  return { $ref: "#/$defs/a0", $defs: { ...Object.fromEntries(leading), [`a${all.length - 1}`]: { type: "string" } } };
}

function denseObjects(count: number): Schema {
  const all = many(count, (i) => i);
  const leading = all.map((i) => [
    `a${i}`,
    {
      type: "object",
      properties: Object.fromEntries(all.slice(i + 1).map((j) => [`p${j}`, { $ref: `#/$defs/a${j}` }])),
    },
  ]);
  return { $ref: "#/$defs/a0", $defs: Object.fromEntries(leading) };
}

function nested(depth: number, bytes: number): Schema {
  let schema: Schema = { enum: many(bytes / 16, (i) => `v${i}`) };
  for (let i = 0; i < depth / 3; i++)
    schema = { type: "object", properties: { p: { anyOf: [schema, { type: "null" }] } } };
  return schema;
}

function tree(bytes: number): Schema {
  const grow = (left: number): Schema =>
    left < 100
      ? { type: "string" }
      : { type: "object", properties: Object.fromEntries(many(4, (i) => [`p${i}`, grow(left / 4 - 30)])) };
  return grow(bytes);
}

function tool(inputSchema: object): Hostile {
  return { manifest: JSON.stringify({ tools: [{ name: "read", inputSchema: { type: "object", ...inputSchema } }] }) };
}

/** Under an argument that a condition is about, references from the top. */
function argument(schema: Schema): Hostile {
  const { $defs, ...rest } = schema as { $defs?: object };
  return {
    ...tool({ properties: { path: rest }, ...($defs && { $defs }) }),
    about: { schema: { type: "string", minLength: 1 } },
  };
}

function condition(schema: Schema): Hostile {
  const policy = { name: "scoped", roles: ["*"], tools: ["db.read"], where: { path: { schema } } };
  return {
    ...tool({ properties: { path: {} } }),
    sources: { "mcp/more.json": JSON.stringify({ policies: [policy] }) },
  };
}

/** What is asked of the argument: whether it may be text, and one that isn't there. */
export const ASKED = {
  "": undefined,
  ", as a glob": { path: { glob: "a/**" } },
  ", below it": { "path.a.b": { glob: "a/**" } },
};

/** A project with it. `asked`: of the argument, in place of what is always asked. */
export function hostileProject({ manifest, about, sources = {} }: Hostile, asked?: object): Record<string, string> {
  const where = asked ?? (about && { path: about });
  const policy = { name: "scoped", roles: ["*"], tools: ["db.read"], where };
  return {
    ...(where && { "mcp/about.json": JSON.stringify({ policies: [policy] }) }),
    "rolecall.yaml": "version: 1\nproject: harbor\nhosts: [ai-sdk, opencode]\n",
    "mcp/team.yaml":
      "servers:\n  db: { connect: [{ http: https://db.example.com/mcp }] }\nroles:\n  reader: { tools: { db: all } }\n",
    "mcp/manifests/db.json": manifest,
    ...sources,
  };
}
