import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type ServedProject } from "../support/served-project.ts";

/** What a person reads after an update of rolecall in one place and not in the other: which version, and where. */
let cli: BundledCli;
let project: ServedProject;

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 1s }
servers: { one: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] } }
roles: { tester: { tools: { one: [echo] } } }
`,
  });
}, 120_000);
afterEach(() => void project.typed("serve", "--stop"));
afterAll(() => {
  project.remove();
  cli.remove();
});

/** A shim at the door of somebody who welcomes it with this line. */
async function welcomedWith(line: string): Promise<{ exit: number | null; out: string; err: string }> {
  const { folder } = servePlace(project.dir, project.env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const door = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(line));
  });
  await new Promise<void>((resolve) => door.listen(path.join(folder, "clients"), resolve));
  try {
    const shim = spawn(process.execPath, [cli.entry, "serve", "--role", "tester"], {
      cwd: project.dir,
      env: project.env,
    });
    let [out, err] = ["", ""];
    shim.stdout.on("data", (text: Buffer) => (out += text.toString()));
    shim.stderr.on("data", (text: Buffer) => (err += text.toString()));
    const exit = await new Promise<number | null>((resolve) => shim.once("close", resolve));
    return { exit, out, err };
  } finally {
    await new Promise((resolve) => door.close(resolve));
  }
}

test("a newer process that talks otherwise is left alone, and its version is named", async () => {
  expect(await welcomedWith('{"rolecall":2,"version":"3.1.0","hello":{}}\n')).toEqual({
    exit: 1,
    out: "",
    err: "rolecall: another rolecall, 3.1.0, serves this project, and this one can't talk to it\n  install rolecall 3.1.0 here too\n",
  });
});

test.each([
  ["HTTP/1.1 400\n", "install its version here too"],
  ["", "end it with `rolecall serve --stop`"],
  ['{"rolecall":1,"version":"9.0.0","refused":{"exit":1,"says":"not so","next":"do this"}}\n', "not so\n  do this\n"],
])("whoever welcomes with %j is told of, with the next step", async (line, next) => {
  const { exit, out, err } = await welcomedWith(line);
  expect([exit, out]).toEqual([1, ""]);
  expect(err).toContain(next);
});

test("a build of a newer version isn't served by an older one, which names both", async () => {
  const newer = bundledCli("99.0.0");
  try {
    newer.run("rolecall build", project.dir);
    const { exit, out, err } = project.typed("serve", "--role", "tester");
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toContain("was written by rolecall 99.0.0, which is newer than this one");
    expect(err).toContain("update this one to 99.0.0");
  } finally {
    await project.run("build", "--downgrade");
    newer.remove();
  }
});
