import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** What a person reads after an update of rolecall in one place and not in the other: which version, and where. */
let cli: BundledCli;
let project: ServedProject;
const WIDE = "  tester: { tools: { one: [echo, get-sum] } }\n";
const NARROW = "  tester: { tools: { one: [echo] } }\n";

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 1s }
servers: { one: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] } }
roles:
${WIDE}`,
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

describe("of a build that can't be judged", () => {
  let client: Connected["client"];
  const first = (): string => project.read("rolecall.yaml").replace(NARROW, WIDE);
  const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
  const called = async (name: string): Promise<string> =>
    JSON.stringify(
      await client
        .callTool({ name, arguments: name.endsWith("echo") ? { message: "here" } : { a: 1, b: 2 } })
        .catch((error: unknown) => String(error)),
    );
  const narrowedBy = async (build: () => unknown): Promise<void> => {
    await expect.poll(found).toMatch(/^one__echo one__get-sum .*The sum of 1 and 2 is 3.*Echo: here/);
    project.write("rolecall.yaml", first().replace(WIDE, NARROW));
    await build();
  };
  /** What is listed, and what calls of both come to. */
  const found = async (): Promise<string> =>
    [...(await names()), await called("one__get-sum"), await called("one__echo")].join(" ");
  const NARROWED = /^one__echo \S*ProtocolError: no tool of this list .*Echo: here/;
  const PATIENTLY = { timeout: 15_000 };

  beforeEach(async () => {
    project.typed("serve", "--accept");
    ({ client } = await project.connect(["--role", "tester"]));
  });
  afterEach(async () => {
    await client.close();
    project.write("rolecall.yaml", first().replace(/^ {2}(?:other|:).*\n/gm, ""));
    await project.run("build", "--downgrade");
  });

  test("what a newer version took away is gone for clients of the older one, also after the newer one's yes", async () => {
    const newer = bundledCli("99.0.0");
    try {
      await narrowedBy(() => newer.run("rolecall build", project.dir));
      await expect.poll(found, PATIENTLY).toMatch(NARROWED);
      const accept = `env -i PATH="$PATH" HOME='${project.env["HOME"]}' rolecall serve --accept`;
      expect(newer.run(accept, project.dir)).toMatchObject({ exit: 0, err: "" });
      expect(await found()).toMatch(NARROWED);
    } finally {
      newer.remove();
    }
  });

  test("what a newer one accepts in another folder isn't less by what was left in the old one", async () => {
    const [newer, before] = [bundledCli("99.0.0"), project.read("rolecall.yaml")];
    const more = before
      .replace("project: harbor", "project: harbor\nout: src/next")
      .replace("[echo,", "[echo, get-env,");
    project.write("rolecall.yaml", more);
    // Then a build leaves the old one where it was.
    rmSync(path.join(project.dir, ".rolecall"), { recursive: true });
    newer.run("rolecall build", project.dir);
    const { client: later } = await project.connect(["--role", "tester"], { entry: newer.entry });
    const count = async (): Promise<number> => (await later.listTools()).tools.length;
    try {
      newer.run(`env -i PATH="$PATH" HOME='${project.env["HOME"]}' rolecall serve --accept`, project.dir);
      await expect.poll(count, PATIENTLY).toBe(3);
      await pause(2_500);
      expect(await count()).toBe(3);
    } finally {
      await later.close();
      newer.remove();
      rmSync(path.join(project.dir, "src/next"), { recursive: true });
      project.write("rolecall.yaml", before);
    }
  });

  test.each(["  other: {}\n", "  : :\n"])("it is gone where %j is written before anybody has looked", async (line) => {
    await narrowedBy(async () => {
      await project.run("build");
      project.write("rolecall.yaml", project.read("rolecall.yaml") + line);
    });
    await expect.poll(found, PATIENTLY).toMatch(NARROWED);
    // What it took away comes back by a yes alone, though nobody judged it.
    project.write("rolecall.yaml", first().replace(line, ""));
    await project.run("build");
    await expect.poll(() => project.typed("serve", "--status").out, PATIENTLY).toContain("waits for your yes");
    expect(await found()).toMatch(NARROWED);
    project.typed("serve", "--accept");
    await expect.poll(names, PATIENTLY).toEqual(["one__echo", "one__get-sum"]);
  });

  test("nothing is called while its access can't be read, and all is again when it can be judged", async () => {
    const [file, text] = ["src/mcp/access.json", project.read("src/mcp/access.json")];
    project.write(file, text.replace('"format": 1', '"format": 2'));
    await expect.poll(() => called("one__echo"), PATIENTLY).toContain("can't be read by the rolecall that");
    expect(await names()).toEqual(["one__echo", "one__get-sum"]);
    project.write(file, text);
    await expect.poll(() => called("one__echo"), PATIENTLY).toContain("Echo: here");
  });
});
