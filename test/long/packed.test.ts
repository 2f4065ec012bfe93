import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../support/root.ts";

/** The package as somebody installs it, in an empty folder: what is bundled isn't installed again, and nothing is missing. */
const home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-packed-")));
const run = (program: string, args: readonly string[], cwd = home): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const rolecall = (...args: readonly string[]): string => run(path.join(home, "node_modules/.bin/rolecall"), args);
const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
  writeFileSync(path.join(home, file), text);
};

beforeAll(() => {
  if (!existsSync(path.join(ROOT, "dist/types"))) run("npm", ["run", "--silent", "types:emit"], ROOT);
  // Its scripts would make dist anew under the tests that run beside this one.
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", home], ROOT)) as [
    { readonly filename: string },
  ];
  write("package.json", '{ "name": "garden", "private": true, "type": "module" }\n');
  run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", `./${packed.filename}`]);
}, 120_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("installed", () => {
  test("it brings the library of clients and what that needs, and nothing that lies in the package already", () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
      dependencies: object;
    };
    expect(Object.keys(dependencies)).toEqual(["@modelcontextprotocol/client"]);
    const there = readdirSync(path.join(home, "node_modules"));
    expect(there).toContain("rolecall");
    for (const bundled of ["yaml", "ajv", "jsonc-parser", "typescript", "ts-morph", "@modelcontextprotocol/server"])
      expect(existsSync(path.join(home, "node_modules", bundled))).toBe(false);
  });

  test("the command builds what needs each of the bundled packages", () => {
    write("rolecall.yaml", "version: 1\nproject: garden\nhosts: [{ id: opencode, into: opencode.json }]\n");
    write("opencode.json", '{\n  // mine\n  "theme": "dark"\n}\n');
    // Anchors are read by the `yaml` package, and a schema in a condition by the validator.
    const condition = "{ path: { schema: &text { type: string, maxLength: 9 } } }";
    write(
      "mcp/team.yaml",
      `servers: { notes: { connect: [{ stdio: [notes] }] } }
roles:
  reader: { tools: { notes: { include: [read], where: { read: ${condition} } } }, builtins: { opencode: none } }
`,
    );
    const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    write(
      "mcp/manifests/notes.json",
      JSON.stringify({ server: "notes", tools: [{ name: "read", inputSchema: schema }] }),
    );
    expect(rolecall("build")).toContain("1 role, 1 server, 1 tool, in");
    expect(readFileSync(path.join(home, "opencode.json"), "utf8")).toContain("// mine");
    expect(rolecall("build", "--check", "--no-cache")).toContain("up to date");
  });

  test("presets are in it: they are listed, copied, and read by a build as the project's own", () => {
    const { presets } = JSON.parse(rolecall("presets", "--json")) as { presets: { name: string }[] };
    expect(presets.map(({ name }) => name)).toEqual(expect.arrayContaining(["github", "filesystem", "pg-readonly"]));
    expect(rolecall("presets", "filesystem", "scribe", "--copy")).toContain("copied mcp/presets/filesystem.yaml");
    write("mcp/files.yaml", "servers: { filesystem: { preset: filesystem } }\n");
    const [name, schema] = ["read_file", { type: "object" }];
    write(
      "mcp/manifests/filesystem.json",
      JSON.stringify({ server: "filesystem", tools: [{ name, inputSchema: schema }] }),
    );
    expect(rolecall("inspect", "filesystem")).toContain("read:files (1 tool)");
  });

  test("an app's own test meets a fake of its server, and a tool that nobody holds doesn't compile", () => {
    write(
      "calls.ts",
      `import { fakeServer } from "rolecall/testing";
import { team } from "./src/mcp/index.js";
import type { NotesTools } from "./src/mcp/servers/notes.js";
const notes = await fakeServer<NotesTools>("notes", { read: ({ path }) => \`of \${path}\` });
// @ts-expect-error a name that the server's types don't have
const slip = fakeServer<NotesTools>("notes", { raed: () => "" }).catch((error: Error) => error.message);
// @ts-expect-error an argument that the tool doesn't have
void fakeServer<NotesTools>("notes", { read: ({ paths }) => paths });
await using garden = team({ fakes: [notes] });
console.log((await garden.as("reader").notes.read({ path: "a.md" })).text, await slip, notes.calls.length);
`,
    );
    write("tsconfig.json", typescript("calls.ts"));
    run(path.join(ROOT, "node_modules/.bin/tsc"), ["-p", "."]);
    const said = 'fakeServer("notes"): its pin has no tool `raed`; did you mean `read`?';
    expect(run(process.execPath, ["made/calls.js"])).toBe(`of a.md ${said} 1\n`);
  });

  test("the door for programs works, and its types need nothing that isn't installed", () => {
    write(
      "embed.ts",
      `import { allTargets, compile, lazyLibraries, memoryFiles, readResources, type Diagnostic } from "rolecall";
const files = memoryFiles({ "rolecall.yaml": "version: 1\\nproject: rows\\n", "mcp/a.yaml": "roles: { reader: {} }\\n" });
const { plan, diagnostics } = compile(files, allTargets(readResources()), lazyLibraries());
const errors: readonly Diagnostic[] = diagnostics.filter(({ severity }) => severity === "error");
console.log(plan.project.name, plan.roles.map(({ name }) => name).join(), errors.length);
`,
    );
    write("tsconfig.json", typescript("embed.ts", "sandbox.ts"));
    write("sandbox-config.ts", readFileSync(path.join(ROOT, "examples/embedding/sandbox-config.ts"), "utf8"));
    write(
      "sandbox.ts",
      `import { sandboxConfig } from "./sandbox-config.js";
const files = {
  "mcp/presets/playwright.yaml": "id: playwright\\nserver: { connect: [{ stdio: [browser] }] }\\n",
  "rules.yaml": 'policies: [{ name: no scripts, roles: ["*"], tools: [playwright.run], effect: deny }]\\n',
};
const manifests = { playwright: { tools: ["look", "run"].map((name) => ({ name, inputSchema: { type: "object" } })) } };
const { model, agent } = JSON.parse(sandboxConfig({ model: "acme/large" }, { session: {} }, { files, manifests }));
console.log(model, Object.keys(agent.agent.permission).join());
`,
    );
    run(path.join(ROOT, "node_modules/.bin/tsc"), ["-p", "."]);
    expect(run(process.execPath, ["made/embed.js"])).toBe("rows reader 0\n");
    expect(run(process.execPath, ["made/sandbox.js"])).toBe("acme/large playwright_**,playwright_look,rea?,tas?\n");
  });
});

/** As a user has it who checks everything. */
function typescript(...files: readonly string[]): string {
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    lib: ["es2023", "esnext.disposable"],
    strict: true,
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [path.join(ROOT, "node_modules/@types")],
    outDir: "made",
  };
  return JSON.stringify({ compilerOptions, include: [...files, "src"] });
}
