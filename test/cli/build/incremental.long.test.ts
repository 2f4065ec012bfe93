// A build that leaves out what an earlier one did ends with the very output of a build that knows nothing.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fc } from "../../support/generated.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Built } from "../../../compiler/cli/command.ts";
import { engine } from "../../../compiler/cli/engine.ts";
import { arbitraryProject, type SampleProject } from "../../support/arbitrary/project.ts";
import { diceOf, tapes, type Dice } from "../../support/dice.ts";
import { narrowed } from "../../support/project-edits.ts";
import { filesOf, type Files } from "../../support/project-layout.ts";

const top = mkdtempSync(path.join(tmpdir(), "rolecall-incremental-"));
let dir = "";
let count = 0;
beforeEach(() => newProject());
afterAll(() => rmSync(top, { recursive: true, force: true }));

function newProject(): void {
  dir = path.join(top, String(++count));
  mkdirSync(dir);
}

const at = (file: string) => path.join(dir, file);
const build = (folder = dir, cache = true) => engine.build(folder, { check: false, cache });

/** The project's sources are these and no others; a file that is as it was isn't touched. */
function write(files: Files, folder = dir): void {
  const wanted = new Map(Object.entries(files));
  for (const file of filesBelow(folder))
    if (!isOutput(file) && !wanted.has(file)) rmSync(path.join(folder, file), { force: true });
  for (const [file, text] of wanted) {
    const whole = path.join(folder, file);
    if (existsSync(whole) && readFileSync(whole, "utf8") === text) continue;
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, text);
  }
}

function isOutput(file: string): boolean {
  return ["src/mcp/", "mcp/schema/", "mcp/hosts/"].some((folder) => file.startsWith(folder));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .filter((file) => !file.startsWith(".rolecall"));
}

function outputs(folder = dir): Record<string, string> {
  const files = filesBelow(folder).filter(isOutput).sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
}

async function fromScratch(files: Files): Promise<{ readonly built: Built; readonly made: Record<string, string> }> {
  const folder = mkdtempSync(path.join(top, "fresh-"));
  write(files, folder);
  const built = await build(folder, false);
  const made = outputs(folder);
  rmSync(folder, { recursive: true });
  return { built, made };
}

/** With a host, so that there is somebody to tell a prompt; its files go where the list of outputs goes. */
function hosted(project: SampleProject): Files {
  const files = filesOf(project);
  return { ...files, "rolecall.yaml": `${files["rolecall.yaml"]}hosts: [ai-sdk]\n` };
}

/** Whoever remembers says and leaves what whoever doesn't says and makes. */
async function holdsUp(files: Files): Promise<void> {
  write(files);
  const built = await build();
  const fresh = await fromScratch(files);
  expect(built.diagnostics).toEqual(fresh.built.diagnostics);
  expect(built.counts).toEqual(fresh.built.counts);
  expect(built.outcome === undefined).toBe(fresh.built.outcome === undefined);
  if (built.outcome !== undefined) expect(outputs()).toEqual(fresh.made);
}

// ---------------------------------------------------------------- edits

type Edit = (dice: Dice, project: SampleProject) => SampleProject;
type Tool = SampleProject["manifests"][string][number];

const changeTool =
  (change: (tool: Tool, dice: Dice) => Tool): Edit =>
  (dice, project) => {
    const pins = Object.keys(project.manifests).filter((pin) => project.manifests[pin]!.length > 0);
    if (pins.length === 0) return project;
    const pin = dice.one(pins);
    const which = dice.below(project.manifests[pin]!.length);
    const tools = project.manifests[pin]!.map((tool, i) => (i === which ? change(tool, dice) : tool));
    return { ...project, manifests: { ...project.manifests, [pin]: tools } };
  };

function changeServer(change: (dice: Dice) => object): Edit {
  return (dice, project) => {
    const name = dice.one(Object.keys(project.servers));
    const servers = { ...project.servers, [name]: { ...project.servers[name]!, ...change(dice) } };
    return { ...project, servers };
  };
}

/** No role extends one that an earlier edit took away. */
function isWhole({ roles }: SampleProject): boolean {
  return Object.values(roles).every((role) => [role.extends ?? []].flat().every((parent) => parent in roles));
}

const edits: readonly Edit[] = [
  (_, project) => project,
  (dice, project) => (isWhole(project) ? narrowed(dice, project) : undefined) ?? project,
  changeTool((tool, dice) => ({ ...tool, description: dice.one(["Once.", "Twice.", "A line\nand another"]) })),
  changeTool((tool) => ({ ...tool, inputSchema: backwards(tool.inputSchema ?? {}) }) as Tool),
  changeTool((tool, dice) => ({ ...tool, annotations: { readOnlyHint: dice.chance(50) } })),
  changeTool((tool, dice) => ({ ...tool, outputSchema: { type: "object", title: dice.one(["a", "b"]) } }) as Tool),
  (dice, project) => ({ ...project, roles: withoutOne(dice, project.roles) }),
  changeServer((dice) => ({ whenDown: dice.one(["Wait.", "Go on."]) })),
  changeServer((dice) => ({ limits: { concurrency: 1 + dice.below(3) } })),
  (dice, project) => {
    const name = dice.one(Object.keys(project.roles));
    const file = dice.one(["prompts/a.md", "prompts/b.md"]);
    const prompts = { ...project.prompts, [file]: dice.one(["Be kind.\n", "Be quick.\n", "Be kind.\r\n"]) };
    return { ...project, prompts, roles: { ...project.roles, [name]: { ...project.roles[name]!, prompt: file } } };
  },
  (dice, project) => {
    const [file] = dice.sample(Object.keys(project.prompts ?? {}), 1);
    if (file === undefined) return project;
    return { ...project, prompts: { ...project.prompts, [file]: dice.one(["Be calm.\n", "Be kind.\n", ""]) } };
  },
];

function backwards(schema: object): object {
  return Object.fromEntries(Object.entries(schema).toReversed());
}

function withoutOne<T>(dice: Dice, map: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const names = Object.keys(map);
  const gone = names.length > 1 ? dice.one(names) : undefined;
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== gone));
}

/** What else happens in a folder between two builds. */
const happenings: readonly ((dice: Dice) => unknown)[] = [
  () => undefined,
  () => pause(130), // what was written is old enough by then for its stats to be believed
  (dice) => someOutputs(dice).forEach((file) => rmSync(at(file))),
  () => rmSync(at("src"), { recursive: true, force: true }),
  () => rmSync(at("mcp/schema"), { recursive: true, force: true }),
  (dice) => {
    // Edited in place, which changes whatever shares the file; then gone.
    for (const file of someOutputs(dice)) {
      appendFileSync(at(file), "x");
      rmSync(at(file));
    }
  },
  () => rmSync(at(".rolecall/kept"), { recursive: true, force: true }),
];

/** Not the list of what is ours: without it an access.json that must change could be anybody's, and the build says so. */
function someOutputs(dice: Dice): string[] {
  const files = Object.keys(outputs()).filter((file) => !file.endsWith("/files.txt"));
  return dice.sample(files, 1 + dice.below(3));
}

test("after any edits the output is the one of a build that remembers nothing", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryProject, tapes(120), async (first, tape) => {
      newProject();
      const dice = diceOf(tape);
      const states = [first];
      await holdsUp(hosted(first));
      for (let step = 0; step < 6; step++) {
        const back = dice.chance(20);
        const state = back ? dice.one(states) : dice.one(edits)(dice, states.at(-1)!);
        states.push(state);
        await dice.one(happenings)(dice);
        await holdsUp(hosted(state));
      }
      rmSync(dir, { recursive: true });
    }),
    // An edit sequence takes long: the first that fails is shown as it is.
    { numRuns: 10, endOnFailure: true },
  );
});

// ---------------------------------------------------------------- what is left out, and what never is

const files = (description = "Reads.", role = "reader"): Files => ({
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  "mcp/servers.yaml":
    "servers:\n  notes: { connect: [{ stdio: [notes] }] }\n  files: { connect: [{ stdio: [files] }] }\n",
  "mcp/roles.yaml": `roles:\n  ${role}: { tools: { notes: [read], files: [list] } }\n`,
  "mcp/manifests/notes.json": manifest("notes", "read", description),
  "mcp/manifests/files.json": manifest("files", "list", "Lists."),
});

function manifest(server: string, name: string, description: string): string {
  const tools = [{ name, description, inputSchema: { type: "object" } }];
  return JSON.stringify({ format: 1, server, tools });
}

/** Builds twice, so that the second says of what the first has written that it lies there unchanged. */
async function settled(): Promise<void> {
  write(files());
  await build();
  await pause(130);
  await build();
}

test("one manifest changed: only what is made from it is made", async () => {
  await settled();
  const others = ["roles/reader.ts", "ACCESS.md", "index.ts", "servers/files.ts", "servers/files.data.ts"];
  const before = others.map((file) => statSync(at(`src/mcp/${file}`)).ino);
  write(files("Reads a note."));
  const { outcome } = await build();
  expect(outcome?.differs).toEqual([
    "src/mcp/access.json",
    "src/mcp/servers/notes.data.ts",
    "src/mcp/servers/notes.ts",
  ]);
  expect(others.map((file) => statSync(at(`src/mcp/${file}`)).ino)).toEqual(before);
});

describe("a prompt", () => {
  const prompted = (text: string): Files => ({
    ...files(),
    "rolecall.yaml": "version: 1\nproject: harbor\nhosts: [ai-sdk, codex]\n",
    "mcp/roles.yaml": "roles:\n  reader: { tools: { notes: [read] }, prompt: .squad/reader.md }\n",
    ".squad/reader.md": text,
  });
  const check = () => engine.build(dir, { check: true, cache: false });
  const changed = ["mcp/hosts/codex/reader.config.toml", "src/mcp/hosts/ai-sdk.ts"];

  test("is an input of a build: whoever changes it has something to build, and nothing else is written", async () => {
    write(prompted("Be kind.\n"));
    await build();
    await pause(130);
    expect((await build()).outcome).toMatchObject({ missing: [], differs: [], stale: [] });
    write(prompted("Be quick.\n"));
    expect((await check()).outcome?.differs).toEqual(changed);
    expect((await build()).outcome).toMatchObject({ missing: [], differs: changed, stale: [] });
    expect(outputs()).toEqual((await fromScratch(prompted("Be quick.\n"))).made);
    expect((await check()).outcome).toMatchObject({ missing: [], differs: [], stale: [] });
  });

  test("is the same with other line ends", async () => {
    write(prompted("Be\nkind.\n"));
    await build();
    write(prompted("Be\r\nkind.\r\n"));
    expect((await build()).outcome).toMatchObject({ missing: [], differs: [], stale: [] });
  });

  test("that is gone stops the build, and the file that it was is told to whoever watches", async () => {
    write(prompted("Be kind.\n"));
    expect((await build()).others).toEqual([".squad/reader.md"]);
    await pause(130);
    expect((await build()).others).toEqual([".squad/reader.md"]);
    rmSync(at(".squad/reader.md"));
    const { diagnostics, others, outcome } = await build();
    expect(diagnostics.map(({ code }) => code)).toContain("role/bad-prompt");
    expect([others, outcome]).toEqual([[".squad/reader.md"], undefined]);
  });
});

test("outputs that are gone come back as they were, the same files by another name", async () => {
  await settled();
  const before = outputs();
  const { ino } = statSync(at("src/mcp/access.json"));
  rmSync(at("src"), { recursive: true });
  const { outcome } = await build();
  expect(outcome?.missing).toEqual(Object.keys(before).filter((file) => file.startsWith("src/")));
  expect(outcome?.unchanged).toBe(Object.keys(before).length - outcome!.missing.length);
  expect(outputs()).toEqual(before);
  expect(statSync(at("src/mcp/access.json")).ino).toBe(ino);
});

test("what was edited in place before it went isn't put back", async () => {
  await settled();
  const before = outputs();
  for (const file of ["src/mcp/access.json", "src/mcp/index.ts"]) {
    appendFileSync(at(file), "// mine\n");
    rmSync(at(file));
  }
  await build();
  expect(outputs()).toEqual(before);
});

test("a link in place of what is kept leads nowhere: nothing behind it is touched", async () => {
  const elsewhere = mkdtempSync(path.join(top, "elsewhere-"));
  const names = ["letter.txt", "0".repeat(64)];
  for (const name of names) writeFileSync(path.join(elsewhere, name), "mine");
  mkdirSync(at(".rolecall"));
  symlinkSync(elsewhere, at(".rolecall/kept"));
  await settled();
  expect(readdirSync(elsewhere).sort()).toEqual(names.toSorted());
});

test("an output that somebody edited is written anew, and told once", async () => {
  await settled();
  const before = outputs();
  appendFileSync(at("src/mcp/index.ts"), "// mine\n");
  const { outcome, diagnostics } = await build();
  expect(outcome).toMatchObject({ differs: ["src/mcp/index.ts"], missing: [], stale: [] });
  expect(diagnostics.map((d) => d.code)).toContain("output/overwritten");
  expect(outputs()).toEqual(before);
  expect((await build()).diagnostics.map((d) => d.code)).not.toContain("output/overwritten");
});

test("a note from elsewhere names nothing that is believed", async () => {
  await settled();
  const note = readFileSync(at(".rolecall/cache"), "utf8");
  rmSync(at(".rolecall/cache"));
  writeFileSync(at(".rolecall/cache"), note);
  rmSync(at("src/mcp/index.ts"));
  writeFileSync(at("mcp/roles.yaml"), files("", "writer")["mcp/roles.yaml"]!);
  await build();
  expect(outputs()).toEqual((await fromScratch({ ...files(), ...filesNow("mcp/roles.yaml") })).made);
});

function filesNow(file: string): Files {
  return { [file]: readFileSync(at(file), "utf8") };
}
