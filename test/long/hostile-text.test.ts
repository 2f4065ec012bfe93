import { textOf } from "../support/artifact-text.ts";
import { manifest, planned } from "../support/compiled.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { fc } from "../support/generated.ts";
import { afterAll, describe, expect, test } from "vitest";
import { definedBy } from "../../compiler/2-model/definition.ts";
import type { JsonObject, JsonValue } from "../../compiler/base/json.ts";
import type { ToolName } from "../../compiler/base/names.ts";
import { stableText } from "../../compiler/base/stable-text.ts";
import type { Plan, Tool } from "../../compiler/3-plan/types.ts";
import { readResources } from "../../compiler/io/read/resources.ts";
import { typedModule } from "../../compiler/5-artifacts/typed-module/typed-module.ts";
import type { Role, RoleData } from "../../runtime/contract.ts";
import { temporaryProject, typeCheck } from "../types/tsc.ts";

/**
 * A manifest is written by a stranger. Whatever its texts hold, the emitted modules say the same few statements,
 * run nothing, and give back what went in. `rolecallCanary` is what an escaped text would set.
 */

const strike = "globalThis.rolecallCanary = true;";
const fragments = [
  "*/",
  "/*",
  "//",
  "*",
  "/",
  "`",
  "${",
  "}",
  "{",
  "'",
  '"',
  "\\",
  "\n",
  "\r",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u200b",
  "\ufeff",
  "\u0000",
  "\u001b[2J",
  "\ud800",
  "\udfff",
  "@ts-expect-error",
  " @ts-ignore",
  "@deprecated",
  "<!--",
  "-->",
  "</script>",
  "//# sourceMappingURL=data:,x",
  "#!",
  "__proto__",
  "constructor",
  "default",
  "class",
  ";",
  strike,
  `*/ ${strike} /*`,
  `"; ${strike} "`,
  `'; ${strike} '`,
  `\`; ${strike} \``,
  "${" + strike + "}",
  `\u2028${strike}`,
  `\n${strike}\n`,
  "a",
  "é",
  "🙂",
  "\u{e0041}",
  " ",
];
const hostile = fc.oneof(
  { weight: 8, arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 8 }).map((parts) => parts.join("")) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "__proto__",
      "constructor",
      "prototype",
      "then",
      "toString",
      "hasOwnProperty",
      "default",
      "if",
      "0",
      "-0",
      "1e3",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...fragments).map((part) => part.repeat(Math.ceil(10_000 / part.length))) },
);

const schema = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.record({ type: fc.constant("string"), description: hostile, default: hostile }),
    fc.record({ enum: fc.array(hostile, { minLength: 1, maxLength: 3 }), title: hostile }),
    fc.record({
      const: fc
        .dictionary(hostile, hostile, { maxKeys: 2 })
        .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue),
    }),
    fc.record(
      {
        type: fc.constant("object"),
        properties: mapOf(tie("schema")),
        required: fc.array(hostile, { maxLength: 2 }),
        description: hostile,
        $ref: fc.oneof(
          hostile,
          hostile.map((text) => `#/properties/${text}`),
        ),
      },
      { requiredKeys: ["type", "properties"] },
    ),
    fc.record({
      type: fc.oneof(hostile, fc.constant("array")),
      items: tie("schema"),
      $id: hostile,
      $anchor: hostile,
      $schema: hostile,
    }),
  ) as fc.Arbitrary<JsonValue>,
})).schema;

const tools: fc.Arbitrary<ToolFacts[]> = fc.uniqueArray(
  fc.record({ name: hostile, title: hostile, description: hostile, inputSchema: schema, outputSchema: schema }),
  {
    minLength: 1,
    maxLength: 4,
    selector: (tool) => tool.name,
  },
);

const folder = mkdtempSync(join(tmpdir(), "rolecall-hostile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a stranger's text", () => {
  test("never becomes code, and comes back as it was", { timeout: 120_000 }, async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(tools, hostile, async (facts, description) => {
        const plan = planFor(facts, description);
        const loaded = await load(plan, join(folder, String(run++)));
        expect(Reflect.get(globalThis, "rolecallCanary")).toBeUndefined();

        expect(Object.keys(loaded.server)).toEqual([]);
        expect(Object.keys(loaded.role)).toEqual(["tester"]);
        expect(Object.keys(loaded.index).sort()).toEqual(["team", "tester"]);
        const tester = loaded.role["tester"] as Role<string, unknown>;
        expect(tester.name).toBe("tester");
        const data = JSON.parse(tester.data) as RoleData;
        const names = facts.map((tool) => tool.name);
        expect(new Set(Object.keys(data.servers["hostile"]!.tools))).toEqual(new Set(names));
        const where = new Map(Object.entries(data.servers["hostile"]!.where ?? {}));
        for (const name of names)
          expect(new Map(Object.entries(where.get(name)!)).get(description)).toEqual({ pattern: "^x" });
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  test(
    "compiles, whatever it is: several hundred hostile tools in one run of the compiler",
    { timeout: 120_000 },
    async () => {
      const project = temporaryProject();
      try {
        fc.sample(fc.tuple(tools, hostile), { numRuns: 150, seed: 8 }).forEach(([facts, description], index) => {
          for (const [path, text] of emitted(planFor(facts, description, `src/p${index}`))) {
            expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
            // The runtime is the same in each: it is compiled once.
            const own = path.slice(`src/p${index}/`.length);
            if (!own.startsWith("runtime")) project.write(path, text);
            else if (index === 0) project.write(`src/${own}`, text);
          }
          for (const door of ["runtime", "runtime-types"]) {
            project.write(`src/p${index}/${door}.ts`, `export * from "../${door}.js";\n`);
          }
        });
        expect(await typeCheck(project, "7.0", ["src"])).toEqual([]);
      } finally {
        project.remove();
      }
    },
  );

  test("the canary sings when a text does escape", async () => {
    const escaped = `/** ${fragments.find((part) => part.startsWith("*/ "))} */ export {};`;
    await load(
      new Map([
        ["src/mcp/servers/hostile.ts", escaped],
        ["src/mcp/roles/tester.ts", "export {};"],
        ["src/mcp/index.ts", "export {};"],
      ]),
      join(folder, "control"),
    );
    expect(Reflect.get(globalThis, "rolecallCanary")).toBe(true);
    Reflect.deleteProperty(globalThis, "rolecallCanary");
  });
});

interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonValue;
  readonly outputSchema: JsonValue;
}

const { plan: PLAIN } = planned({
  "mcp/team.yaml":
    'servers: { hostile: { connect: [{ stdio: [x] }] } }\nroles: { tester: { tools: { hostile: { include: [tame], ask: [tame], where: { tame: { it: { pattern: "^x" } } } } } } }\n',
  "mcp/manifests/hostile.json": manifest({ name: "tame", arguments: ["it"] }),
});

/** A project's plan with texts in it that a build refuses: no manifest can hold all of them. */
function planFor(facts: readonly ToolFacts[], description: string, out = "src/mcp"): Plan {
  const [tame, role] = [PLAIN.servers[0]!, PLAIN.roles[0]!];
  const [decision] = role.grants[0]!.decisions;
  const tools = facts.map((fact, index): Tool => {
    const { title, description: says, inputSchema, outputSchema } = fact;
    const [input, output] = [inputSchema, outputSchema].map((one) => stableText(one as JsonObject));
    const texts = () => ({ title, description: says, inputSchema: input!, outputSchema: output! });
    return { ...tame.tools[0]!, name: fact.name as ToolName, index, ...definedBy(texts), resultFrom: "server" };
  });
  const server = { ...tame, tools };
  const where = decision!.where.map((rule) => ({ ...rule, argument: description }));
  const grants = [{ server, decisions: tools.map(() => ({ ...decision!, where })), resources: undefined }];
  return {
    ...PLAIN,
    project: { ...PLAIN.project, out },
    servers: [server],
    roles: [{ ...role, description, grants }],
  };
}

function emitted(plan: Plan): Map<string, string> {
  const texts = new Map<string, string>();
  for (const artifact of typedModule(readResources().runtime).emit(plan, []))
    texts.set(artifact.path, textOf(artifact));
  return texts;
}

type Loaded = Record<"server" | "role" | "index", Record<string, unknown>>;

/** Transpiles the modules as they are and really imports them. */
async function load(plan: Plan | Map<string, string>, to: string): Promise<Loaded> {
  for (const [path, text] of plan instanceof Map ? plan : emitted(plan)) {
    const { code } = await transform(text, {
      loader: "ts",
      format: "esm",
      target: "es2022",
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    });
    const file = join(to, path.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  writeFileSync(join(to, "package.json"), '{ "type": "module" }');
  const at = (path: string): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ pathToFileURL(join(to, "src/mcp", path)).href) as Promise<Record<string, unknown>>;
  return { server: await at("servers/hostile.js"), role: await at("roles/tester.js"), index: await at("index.js") };
}

/** Keys that no object literal of ours could hold. */
function mapOf(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc
    .array(fc.tuple(hostile, values), { maxLength: 3 })
    .map(
      (entries) =>
        JSON.parse(
          `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`,
        ) as JsonValue,
    );
}
