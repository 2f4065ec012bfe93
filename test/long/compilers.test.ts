import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Plan } from "../../compiler/3-plan/types.ts";
import { planned } from "../support/compiled.ts";
import { emitted, filled, issue, smallTeam } from "../types/small-team.ts";
import { compilers, typeCheck, type Compiler, type Project } from "../types/tsc.ts";
import { SHARED } from "../support/root.ts";

const real = path.join(SHARED, "manifests");
const versions = Object.keys(compilers) as Compiler[];
const projects: Project[] = [];
afterAll(() => projects.forEach((project) => project.remove()));

/** Each thing that must not compile stands beside its twin that must. */
const app = `import { tester, type ToolOf, type Roles, type RoleName } from "./mcp/index.js";
import { tester as light } from "./mcp/roles/tester.js";
declare const servers: Roles["tester"];
export const same: typeof light = tester;

export async function calls(): Promise<void> {
  const made = await servers.github.create_issue({ owner: "me", labels: ["a"] }, { timeoutMs: 5 });
  export_(made.structured.number.toFixed(0));
  await servers.github.list_issues();
  await servers["azure-devops"][""]();
  await servers["azure-devops"]["issues.list"]({ any: 1 });
  // @ts-expect-error not held
  await servers.github.merge_pull_request({ owner: "me" });
  // @ts-expect-error owner is required
  await servers.github.create_issue({ labels: [] });
  // @ts-expect-error arguments are required
  await servers.github.create_issue();
  // @ts-expect-error misspelt
  await servers.github.list_issues({ ownr: "me" });
  // @ts-expect-error a number isn't text
  await servers.github.list_issues({ owner: 1 });
  // @ts-expect-error a result that nobody promised
  export_((await servers.github.list_issues()).structured.number);
  // @ts-expect-error a server of which the role holds nothing
  await servers.notes.search();
}

export const held: ToolOf<"tester"> = "github.create_issue";
export const dotted: ToolOf<"tester"> = "azure-devops.issues.list";
export const others: ToolOf<"delete" | "tester"> = "github.merge_pull_request";
export const role: RoleName = "no-body";
// @ts-expect-error not held
export const denied: ToolOf<"tester"> = "github.merge_pull_request";
// @ts-expect-error not a tool of that server
export const crossed: ToolOf<"tester"> = "azure-devops.create_issue";
// @ts-expect-error nobody
export const none: ToolOf<"no-body"> = "notes.search";
// @ts-expect-error no such role
export const nobody: RoleName = "nobody";

function export_(_: string): void {}
`;

describe("types, in each compiler", () => {
  const project = made(smallTeam);
  project.write("src/app.ts", app);

  test.each(versions)("a tool that the role doesn't hold is a compile error: TypeScript %s", async (version) => {
    expect(await typeCheck(project, version, ["src"])).toEqual([]);
  });

  test("and the errors are really there", async () => {
    project.write("src/wrong.ts", app.replaceAll("@ts-expect-error", "error:"));
    const said = await typeCheck(project, "7.0", ["src/wrong.ts"]);
    expect(said.filter((line) => line.startsWith("src/wrong.ts"))).toHaveLength(
      app.split("@ts-expect-error").length - 1,
    );
  });

  test.each(["ts", "none"] as const)("imports that end in %s", async (importExtension) => {
    const other = made({ ...smallTeam, project: { ...smallTeam.project, importExtension } });
    expect(
      await typeCheck(
        other,
        "7.0",
        ["src"],
        importExtension === "none" ? { module: "esnext", moduleResolution: "bundler" } : {},
      ),
    ).toEqual([]);
  });

  test.each(versions)("as it is written, the runtime is checked by no compiler: TypeScript %s", async (version) => {
    const other = made(smallTeam);
    const files = [...emitted(smallTeam)].filter(([path]) => path.startsWith("src/mcp/runtime"));
    expect(files).toHaveLength(3);
    const broken = (text: string) => `${text}const wrong: number = "";\n`;
    for (const [path, text] of files) other.write(path, broken(text));
    expect(await typeCheck(other, version, ["src"])).toEqual([]);
    for (const [path, text] of files) other.write(path, broken(text.replace("// @ts-nocheck\n", "")));
    expect((await typeCheck(other, version, ["src"])).filter((line) => line.includes("TS2322"))).toHaveLength(3);
  });

  test("a project without roles", async () => {
    expect(await typeCheck(made(planFor({}, {})), "7.0", ["src"])).toEqual([]);
  });
});

describe("names that meet", () => {
  test("servers and tools whose names give one identifier", async () => {
    const tools: ToolFacts[] = [
      "get-x",
      "getX",
      "get_x",
      "Get X",
      "",
      "日本",
      "1st",
      "tool",
      "class",
      "constructor",
      "x".repeat(300),
    ].map((name) => ({ name, inputSchema: issue, outputSchema: issue }));
    const servers = { "a-b": tools, ab: tools, tool: tools };
    const roles = ["r", "default", "global-this", "team", "await", "type", "async"];
    const plan = planFor(servers, Object.fromEntries(roles.map((name) => [name, allOf(Object.keys(servers))])));
    expect(await typeCheck(made(plan), "7.0", ["src"])).toEqual([]);
  });

  test("every keyword is a property, a tool and a server's key", async () => {
    const words =
      "abstract accessor any as async await class const constructor declare default delete enum export false function get global if implements import in infer instanceof is keyof let module namespace never new null of out override package private protected public readonly require return satisfies set static super symbol this true type typeof undefined unique unknown using var void with yield __proto__ prototype".split(
        " ",
      );
    const properties = Object.fromEntries(
      words.filter((word) => word !== "__proto__").map((word) => [word, { type: "string" }]),
    );
    const inputSchema = { type: "object", properties, required: words.slice(0, 20) };
    const server = words.map((name) => ({ name, inputSchema }));
    const project = made(planFor({ words: server }, { r: allOf(["words"]) }));
    for (const version of ["5.2", "7.0"] as const) expect(await typeCheck(project, version, ["src"])).toEqual([]);
  });
});

describe("what an importing app pays", () => {
  test("one role of eight servers and 800 tools: at most 1,000 instantiations", async () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: "array", items: issue },
        c: { anyOf: [issue, { type: "null" }] },
      },
      required: ["a"],
    };
    const tools = Array.from({ length: 100 }, (_, t) => ({
      name: `tool_${t}`,
      inputSchema: schema,
      outputSchema: schema,
    }));
    const names = Array.from({ length: 12 }, (_, i) => `server${i}`);
    const held = { include: ["*"], exclude: ["tool_*7"] };
    const roles = Array.from({ length: 20 }, (_, i) => {
      const eight = names.slice(i % 4, (i % 4) + 8);
      return [`role-${i}`, { tools: Object.fromEntries(eight.map((name) => [name, held])) }];
    });
    const project = made(planFor(Object.fromEntries(names.map((name) => [name, tools])), Object.fromEntries(roles)));
    const call = `declare const s: NonNullable<typeof role0.servers>;\nexport const r = s.server0.tool_1({ a: "" });\n`;
    project.write("src/app.ts", `import { role0 } from "./mcp/roles/role-0.js";\n${call}`);
    project.write("src/empty.ts", "export {};\n");
    const cost = (await instantiations(project, "src/app.ts")) - (await instantiations(project, "src/empty.ts"));
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(1_000);
  });
});

const captured = existsSync(real) ? readdirSync(real).filter((file) => file.endsWith(".json")) : [];

describe.skipIf(captured.length === 0)(
  `${captured.length} captured manifests${captured.length === 0 ? ": ../shared/manifests isn't here, skipped" : ""}`,
  () => {
    const servers = captured.map((file): [string, ToolFacts[]] => [
      `s${file
        .slice(0, -5)
        .toLowerCase()
        .replace(/[^a-z0-9_-]/g, "_")}`,
      toolsOf(file),
    ]);
    const tools = servers.reduce((sum, [, all]) => sum + all.length, 0);
    const everything = allOf(servers.map(([name]) => name));
    const project = made(planFor(Object.fromEntries(servers), { everything }));

    test("there are tools in them", () => {
      expect(tools).toBeGreaterThan(1_000);
    });
    test.each(versions)("all compile: TypeScript %s", { timeout: 120_000 }, async (version) => {
      expect(await typeCheck(project, version, ["src"])).toEqual([]);
    });
  },
);

interface ToolFacts {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

/** Of servers by name, and roles as they are written. */
function planFor(
  servers: Readonly<Record<string, readonly ToolFacts[]>>,
  roles: Readonly<Record<string, object>>,
): Plan {
  const declared = Object.keys(servers).map((name) => [name, { connect: [{ stdio: ["x"] }] }]);
  const pins = Object.entries(servers).map(([server, facts]) => {
    const tools = facts.map(({ name, title, description, inputSchema = { type: "object" }, outputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      outputSchema,
    }));
    return [`mcp/manifests/${server}.json`, JSON.stringify({ server, tools })];
  });
  return planned({
    "rolecall.yaml": "version: 1\nproject: harbor\n",
    "mcp/team.json": JSON.stringify(declared.length === 0 ? {} : { servers: Object.fromEntries(declared), roles }),
    ...Object.fromEntries(pins),
  }).plan;
}

function allOf(servers: readonly string[]): object {
  return { tools: Object.fromEntries(servers.map((name) => [name, "all"])) };
}

function made(plan: Plan): Project {
  const project = filled(plan);
  projects.push(project);
  return project;
}

async function instantiations(project: Project, file: string): Promise<number> {
  const said = (
    await typeCheck(project, "7.0", [file], { skipLibCheck: true, isolatedDeclarations: false }, [
      "--extendedDiagnostics",
    ])
  ).join("\n");
  expect(said).not.toContain("error TS");
  return Number(/Instantiations:\s+(\d+)/.exec(said)?.[1]);
}

/** The captures have more fields, and some name a tool twice. */
function toolsOf(file: string): ToolFacts[] {
  const { tools } = createRequire(import.meta.url)(path.join(real, file)) as { tools?: ToolFacts[] };
  return [...new Map((tools ?? []).map((tool) => [tool.name, tool])).values()];
}
