import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** What becomes of clients while the project is built anew: what a build takes away counts, what it opens waits. */
let cli: BundledCli;
let project: ServedProject;
let client: Connected["client"];
let told = 0;

const sources = (tester: string, command = "stdio", idle = "1s"): string => `version: 1
project: harbor
serve: { idle: ${idle}, approvers: [terminal, program] }
servers:
  everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, ${command}], cwd: . }] }
roles:
  reader: { tools: { everything: [echo] } }
${tester}
`;
const TESTER =
  "  tester: { description: First., tools: { everything: { include: [echo, get-sum, get-tiny-image], where: { echo: { message: { enum: [a, b] } } } } } }";

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, { "rolecall.yaml": sources(TESTER) });
}, 120_000);
beforeEach(async () => {
  project.write("rolecall.yaml", sources(TESTER));
  await project.run("build");
  project.typed("serve", "--accept");
  told = 0;
  ({ client } = await project.connect(["--role", "tester"]));
  client.setNotificationHandler("notifications/tools/list_changed", () => void told++);
  await names();
});
afterEach(async () => {
  await client.close();
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  cli.remove();
});

const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

async function build(tester: string, command?: string): Promise<void> {
  project.write("rolecall.yaml", sources(tester, command));
  await project.run("build");
}

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  for (const end = Date.now() + 15_000; !(await holds());) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

const isOpen = (name: string, args: object): Promise<boolean> =>
  client.callTool({ name, arguments: args as Record<string, unknown> }).then(
    ({ isError }) => isError !== true,
    () => false,
  );

test("what a build takes away is gone for clients that are there, and they are told", async () => {
  expect(await isOpen("everything__get-sum", { a: 1, b: 2 })).toBe(true);
  await build("  tester: { tools: { everything: { include: [echo], where: { echo: { message: { enum: [a] } } } } } }");
  await until(async () => (await names()).length === 1);
  expect(told).toBe(1);
  expect(await isOpen("everything__get-sum", { a: 1, b: 2 })).toBe(false);
  expect(await isOpen("everything__echo", { message: "b" })).toBe(false);
  expect(await isOpen("everything__echo", { message: "a" })).toBe(true);
});

test("what it opens waits for a yes, also over a new start, and of both only what it takes away counts", async () => {
  await build("  tester: { tools: { everything: { include: [echo, get-sum, get-env] } } }");
  await until(async () => !(await names()).includes("everything__get-tiny-image"));
  const asIs = async (): Promise<void> => {
    expect(await names()).toEqual(["everything__echo", "everything__get-sum"]);
    expect(await isOpen("everything__get-env", {})).toBe(false);
    // The condition is the older one still.
    expect(await isOpen("everything__echo", { message: "c" })).toBe(false);
    expect(await isOpen("everything__echo", { message: "a" })).toBe(true);
  };
  await asIs();
  project.typed("serve", "--stop");
  await asIs();
  const approver = project.program();
  expect(await approver.line(0)).toEqual({ waiting: 1 });
  const { id, hash, changes } = await approver.line(1);
  expect(JSON.stringify(changes)).toContain('"tool":"get-env"');
  approver.say({ id, hash: "sha256:0", yes: true });
  expect(await approver.line(2)).toMatchObject({ done: false });
  await asIs();
  approver.say({ id, hash, yes: true });
  await until(async () => (await names()).includes("everything__get-env"));
  expect(await isOpen("everything__echo", { message: "c" })).toBe(true);
  await approver.end();
  project.typed("serve", "--stop");
  expect(await names()).toContain("everything__get-env");
});

test("where its output is moved by a build that waits, what later builds take away counts after a new start too", async () => {
  const moved = async (tester: string): Promise<void> => {
    project.write("mcp/team.yaml", `roles:\n  tester: { tools: { everything: ${tester} } }\n`);
    await project.run("build");
  };
  project.write("rolecall.yaml", `${sources("")}out: src/moved\n`);
  await moved("[echo, get-sum, get-env]");
  await until(async () => !(await names()).includes("everything__get-tiny-image"));
  project.typed("serve", "--stop");
  expect(await names()).toEqual(["everything__echo", "everything__get-sum"]);
  await moved("[echo, get-env]");
  await until(async () => (await names()).length === 1);
  expect(await isOpen("everything__get-sum", { a: 1, b: 2 })).toBe(false);
  rmSync(path.join(project.dir, "mcp/team.yaml"));
});

test("what a host is kept from stays so until a yes, and a host that isn't the project's is refused", async () => {
  const hosted = async (entry: string, tester = "[echo]"): Promise<void> => {
    project.write("rolecall.yaml", `${sources(`  tester: { tools: { everything: ${tester} } }`)}hosts: [${entry}]\n`);
    await project.run("build");
  };
  const RESTRICTED = "{ id: codex, via: serve, without: [everything] }";
  await hosted(RESTRICTED);
  project.typed("serve", "--accept");
  const codex = await project.connect(["--role", "tester", "--host", "codex", "--of", "harbor"]);
  const there = async (): Promise<string[]> => (await codex.client.listTools()).tools.map(({ name }) => name);
  expect(await there()).toEqual([]);
  const approver = project.program();
  expect(await approver.line(0)).toEqual({ waiting: 0 });
  await hosted("{ id: codex, via: serve }");
  const { id, hash, hosts } = await approver.line(1);
  expect(hosts).toEqual(
    ["reader", "tester"].map((role) => ({ host: "codex", role, tools: ["everything.echo"], reads: [] })),
  );
  expect(await there()).toEqual([]);
  const doctor = (): string =>
    project.typed("doctor", "--host", "codex", "--role", "tester").out.replaceAll(/\s+/g, " ");
  expect(doctor()).toContain("what was built last waits for your yes: rolecall asks");
  approver.say({ id, hash, yes: true });
  await until(async () => (await there()).length === 1);
  expect(doctor()).not.toContain("waits for your yes");
  await hosted(RESTRICTED, "[echo, get-sum]");
  await until(async () => (await there()).length === 0);
  expect(await names()).toEqual(["everything__echo"]);
  for (const name of ["codx", "__proto__"])
    await expect(project.connect(["--role", "tester", "--host", name])).rejects.toThrow(`has no host \`${name}\``);
  await codex.client.close();
  await approver.end();
});

test.each([
  ["below a folder with a dot", ".generated/mcp", undefined],
  ["behind a link", "src/mcp", "src"],
  ["in a folder that is a link", "src/mcp", "src/mcp"],
])("where its output lies %s, what a build takes away counts as well", async (_, out, link) => {
  const wide = `${sources("  tester: { tools: { everything: [echo, get-sum] } }")}out: ${out}\n`;
  rmSync(path.join(project.dir, "src"), { recursive: true, force: true });
  if (link !== undefined) {
    mkdirSync(path.join(project.dir, "elsewhere"), { recursive: true });
    mkdirSync(path.join(project.dir, path.dirname(link)), { recursive: true });
    symlinkSync(path.join(project.dir, "elsewhere"), path.join(project.dir, link));
  }
  // No source that stands in rolecall.yaml, which is looked at wherever the output lies.
  const write = async (tester: string): Promise<void> => {
    project.write("mcp/team.yaml", `roles: { tester: { tools: { everything: ${tester} } } }\n`);
    await project.run("build");
  };
  project.write("rolecall.yaml", wide.replace(/^ {2}tester.*\n/m, ""));
  await write("[echo, get-sum]");
  project.typed("serve", "--accept");
  await until(async () => (await names()).length === 2);
  await write("[echo]");
  await until(async () => (await names()).length === 1);
  expect(await isOpen("everything__get-sum", { a: 1, b: 2 })).toBe(false);
  for (const made of ["mcp", "src", "elsewhere", ".generated"])
    rmSync(path.join(project.dir, made), { recursive: true, force: true });
  project.write("rolecall.yaml", sources(TESTER));
  for (const command of [["capture", "--accept"], ["build"]]) await project.run(...command);
});

test("a no leaves it so, and who is asked isn't asked the same again", async () => {
  const approver = project.program();
  expect(await approver.line(0)).toEqual({ waiting: 0 });
  await build(`${TESTER}\n  other: { tools: { everything: [get-env] } }`);
  const { id, hash } = await approver.line(1);
  approver.say({ id, hash, yes: false });
  expect(await approver.line(2)).toMatchObject({ done: true });
  await project.run("build");
  const status = (): object => JSON.parse(project.typed("serve", "--status", "--json").out) as object;
  expect(status()).toMatchObject({ asks: 0, build: "refused" });
  expect(project.typed("serve", "--status").out).toContain("a change of mind is rolecall serve --accept");
  await expect(project.connect(["--role", "other"])).rejects.toThrow("has no role `other`");
  await expect(client.callTool({ name: "everything__get-env", arguments: {} })).rejects.toThrow(
    "a build may have closed it. Tell the user that `rolecall serve --status` says what waits",
  );
  // What opens more waits, until what was answered with no is built again.
  await build(`${TESTER}\n  other: { tools: { everything: [get-env, get-sum] } }`);
  const more = await approver.line(3);
  expect(status()).toMatchObject({ asks: 1, build: "waits" });
  await build(`${TESTER}\n  other: { tools: { everything: [get-env] } }`);
  expect(await approver.line(4)).toEqual({ gone: more.id });
  approver.say({ id: more.id, hash: more.hash, yes: true });
  expect(await approver.line(5)).toMatchObject({ done: false });
  await expect(project.connect(["--role", "other"])).rejects.toThrow("has no role `other`");
  expect(status()).toMatchObject({ asks: 0, build: "refused" });
  await approver.end();
});

test("a yes that can't be kept counts as none, and waits on", async () => {
  const approver = project.program();
  expect(await approver.line(0)).toEqual({ waiting: 0 });
  await build(`${TESTER}\n  other: { tools: { everything: [get-env] } }`);
  const { id, hash } = await approver.line(1);
  const folder = path.join(project.env["HOME"]!, ".local/state/rolecall");
  chmodSync(folder, 0o777);
  approver.say({ id, hash, yes: true });
  expect(await approver.line(2)).toMatchObject({
    done: false,
    why: expect.stringContaining("couldn't be kept") as string,
  });
  chmodSync(folder, 0o700);
  expect(await names()).toHaveLength(3);
  approver.say({ id, hash, yes: true });
  expect(await approver.line(3)).toMatchObject({ done: true });
  await approver.end();
});

test("what waits goes on waiting while a source is edited and not built", async () => {
  const approver = project.program();
  expect(await approver.line(0)).toEqual({ waiting: 0 });
  const opening = `${TESTER}\n  other: { tools: { everything: [get-env] } }`;
  await build(opening);
  const { id, hash } = await approver.line(1);
  project.write("rolecall.yaml", sources(`${opening}\n  more: { tools: { everything: [get-env] } }`));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  project.write("rolecall.yaml", sources(opening));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  approver.say({ id, hash, yes: true });
  expect(await approver.line(2)).toMatchObject({ id, done: true });
  await approver.end();
});

test("a machine without a person accepts what is built", async () => {
  await build("  tester: { tools: { everything: [get-env] } }");
  await until(async () => (await names()).length === 0);
  expect(project.typed("serve", "--accept")).toMatchObject({ exit: 0, err: "" });
  expect(await names()).toEqual(["everything__get-env"]);
});

test("what was accepted and can't be understood is no first start", async () => {
  await client.close();
  project.typed("serve", "--stop");
  const folder = path.join(project.env["HOME"]!, ".local/state/rolecall");
  const [file, made] = ["json", "made.json"].map((end) =>
    path.join(
      folder,
      readdirSync(folder).find((name) => name.split(".").slice(1).join(".") === end)!,
    ),
  ) as [string, string];
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [text, note] = [readFileSync(file, "utf8"), readFileSync(made, "utf8")];
  const told = JSON.parse(text) as { access: object };
  const served = () => project.typed("serve", "--role", "tester");
  for (const other of [
    {},
    { ...told, access: { ...told.access, roles: {} } },
    { ...told, servers: [["everything", "{"]] },
  ]) {
    writeFileSync(file, JSON.stringify(other));
    const { exit, err } = served();
    expect(exit).toBe(1);
    expect(err).toContain("can't be understood");
    expect(err).toContain("`rolecall serve --accept` takes what is built now");
  }
  rmSync(file);
  mkdirSync(file);
  expect(served()).toMatchObject({ exit: 1, out: "" });
  expect(served().err).toContain("is a folder\n  move it away: what you accepted of projects is kept there\n");
  rmSync(file, { recursive: true });
  writeFileSync(`${file}-elsewhere`, text);
  symlinkSync(`${file}-elsewhere`, file);
  expect(served().err).toContain("is a link\n  move it away: what you accepted of projects is kept there\n");
  rmSync(file);
  writeFileSync(file, text, { mode: 0o600 });
  // A note of what it was made of that says nothing is none.
  const { files, ...others } = JSON.parse(note) as { files: readonly unknown[] };
  writeFileSync(made, JSON.stringify({ ...others, files: [7, ...files] }));
  expect(served()).toEqual({ exit: 0, out: "", err: "" });
  writeFileSync(file, "{}");
  expect(project.typed("serve", "--accept")).toMatchObject({ exit: 0, err: "" });
  expect(served()).toEqual({ exit: 0, out: "", err: "" });
});

test("another way to a server waits, and so does what isn't built changes nothing", async () => {
  await build(TESTER, "streamableHttp");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await isOpen("everything__get-sum", { a: 1, b: 2 })).toBe(true);
  project.write("rolecall.yaml", sources("  tester: { tools: { everything: [echo] } }"));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await names()).toHaveLength(3);
  expect(told).toBe(0);
});

test("a role that is gone offers nothing any more", async () => {
  await build("");
  await until(async () => (await names()).length === 0);
  expect(await isOpen("everything__echo", { message: "a" })).toBe(false);
});

test("another time to wait counts at once, while nobody is there too", async () => {
  const isServed = (): boolean => project.typed("serve", "--status").exit === 0;
  const said = (): string => readFileSync(servePlace(project.dir, project.env).log, "utf8");
  const before = said().length;
  project.write("rolecall.yaml", sources(TESTER, "stdio", "60m"));
  await project.run("build");
  await until(() => said().slice(before).includes("a build is served"));
  await client.close();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(isServed()).toBe(true);
  project.write("rolecall.yaml", sources(TESTER, "stdio", "1s"));
  await project.run("build");
  await until(() => !isServed());
});
