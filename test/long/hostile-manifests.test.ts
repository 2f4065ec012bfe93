import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { ASKED, HOSTILE, hostileProject } from "./hostile-manifests.ts";

/**
 * What a build costs is bounded by what it reads, whoever wrote it. Measured in processes of their own: the time of the
 * processor, and the heap by a limit that ends the process where it is passed.
 */

const MS_A_BYTE = 0.01;
const FIXED_MS = 3000;
const HEAP_A_BYTE = 30;
const FIXED_HEAP_MB = 80;
const MEASURE = path.join(import.meta.dirname, "measure-on-exit.mjs");

let cli: BundledCli;
let made = 0;
beforeAll(() => void (cli = bundledCli()));
afterAll(() => cli.remove());

function build(files: Readonly<Record<string, string>>): {
  exit: number | null;
  said: string;
  bytes: number;
  cpuMs: number;
} {
  const dir = cli.folder(`hostile-${made++}`);
  let bytes = 0;
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
    bytes += Buffer.byteLength(text);
  }
  const heap = FIXED_HEAP_MB + Math.ceil((HEAP_A_BYTE * bytes) / 2 ** 20);
  const note = path.join(dir, "measured.json");
  const ended = spawnSync(
    process.execPath,
    [`--max-old-space-size=${heap}`, "--import", MEASURE, cli.entry, "build", "--project", dir],
    {
      encoding: "utf8",
      maxBuffer: 2 ** 24,
      timeout: 60_000,
      killSignal: "SIGKILL",
      env: { ...process.env, MEASURED_TO: note },
    },
  );
  const said = `${ended.stderr}${ended.stdout}`.slice(0, 500);
  const cpuMs =
    ended.signal === null && ended.status! < 4
      ? (JSON.parse(readFileSync(note, "utf8")) as { cpuMs: number }).cpuMs
      : Infinity;
  rmSync(dir, { recursive: true });
  return { exit: ended.status, said, bytes, cpuMs };
}

const SHAPES = Object.entries(HOSTILE).flatMap(([name, make]) =>
  Object.entries(ASKED)
    .filter(([how]) => how === "" || make(100).about !== undefined)
    .map(([how, asked]) => [`${name}${how}`, (bytes: number) => hostileProject(make(bytes), asked)] as const),
);

describe.each([3_000, 600_000])("of about %i bytes", (size) => {
  test.each(SHAPES)("%s", { timeout: 70_000 }, (_, project) => {
    const { exit, said, bytes, cpuMs } = build(project(size));
    expect([0, 1], said).toContain(exit);
    expect(cpuMs).toBeLessThan(FIXED_MS + MS_A_BYTE * bytes);
  });
});

test.each<[string, string, number, keyof typeof ASKED]>([
  ["130,000 tools", "many tools", 7_000_000, ""],
  ["48 MB of escapes", "escapes", 48_000_000, ""],
  ["48 MB of escapes in a schema", "escapes in a schema", 48_000_000, ""],
  ["6 MB of empty objects", "many empty objects", 6_000_000, ""],
  ["6 MB of empty lists", "many empty lists", 6_000_000, ""],
  ["6 MB of values", "many values", 6_000_000, ""],
  ["a chain of 5,000 references", "a chain of references", 150_000, ", as a glob"],
  ["60 dense alternatives", "dense alternatives", 60 * 60 * 12, ", as a glob"],
  ["5,000 alternatives", "many alternatives that are objects", 350_000, ""],
])("%s", { timeout: 70_000 }, (_, shape, size, how) => {
  const { exit, said, bytes, cpuMs } = build(hostileProject(HOSTILE[shape]!(size), ASKED[how]));
  expect(exit, said).toBe(0);
  expect(cpuMs).toBeLessThan(FIXED_MS + MS_A_BYTE * bytes);
});

/** What a team writes multiplies as well: roles by tools by rules. */
describe("sources", () => {
  const names = (count: number, name: (i: number) => string): string[] =>
    Array.from({ length: count }, (_, i) => name(i));
  const project = (tools: readonly string[], sources: readonly string[], server = ""): Record<string, string> => ({
    "package.json": '{ "type": "module" }',
    "rolecall.yaml": `version: 1\nproject: harbor\nservers:\n  s: { connect: [{ stdio: [node, s.js] }], ${server} }\n`,
    "mcp/manifests/s.json": JSON.stringify({
      server: "s",
      tools: tools.map((name) => ({
        name,
        inputSchema: { type: "object", properties: { a: { type: "number" } } },
      })),
    }),
    "mcp/roles.yaml": `${sources.join("\n")}\n`,
  });
  const policy = (i: number): string =>
    `  - { name: p${i}, roles: ["*"], tools: [s.*], where: { a: { schema: { type: number, maximum: ${i} } } } }`;

  test.each([
    ["300 conditions for 100 roles and 300 tools", 300, "role/conditions-too-large"],
    ["6 conditions for 100 roles and 300 tools", 6, ""],
  ])("%s", { timeout: 70_000 }, (_, policies, code) => {
    const roles = names(100, (i) => `  r${i}: { tools: { s: all } }`);
    const { said, bytes, cpuMs } = build(
      project(
        names(300, (i) => `tool_${i}`),
        ["roles:", ...roles, "policies:", ...names(policies, policy)],
      ),
    );
    expect(said).toContain(code);
    expect(cpuMs).toBeLessThan(FIXED_MS + MS_A_BYTE * bytes);
  });

  test.each([
    ["together", "all", 'never: { roles: ["*"], together: [s.*, label:inner] }'],
    ["never", "all", 'never: { roles: ["*"], tools: [s.*] }'],
    ["always", "all", 'always: { roles: ["*"], tools: [s.*], effect: ask }'],
    ["can", "[tool_1]", 'can: { roles: ["*"], tools: [s.*] }'],
  ])("200 invariants that 200 roles break: %s", { timeout: 70_000 }, (kind, held, claim) => {
    const roles = names(200, (i) => `  r${i}: { tools: { s: ${held} } }`);
    const invariants = names(200, (i) => `  - { name: i${i}, ${claim} }`);
    const { said, bytes, cpuMs } = build(
      project(
        names(600, (i) => `tool_${i}`),
        ["roles:", ...roles, "invariants:", ...invariants],
        "labels: { inner: [tool_1*] }",
      ),
    );
    expect(said).toContain(`invariant/${kind}`);
    expect(cpuMs).toBeLessThan(FIXED_MS + MS_A_BYTE * bytes);
  });

  test("3,000 names that are nearly those of tools", { timeout: 70_000 }, () => {
    const written = names(3000, (i) => `creat_thng_${i}x`);
    const { said, bytes, cpuMs } = build(
      project(
        names(3000, (i) => `create_thing_${i}`),
        ["roles:", `  r: { tools: { s: [${written.join(", ")}] } }`],
      ),
    );
    expect(said).toContain("manifest/unknown-tool");
    expect(cpuMs).toBeLessThan(FIXED_MS + MS_A_BYTE * bytes);
  });
});
