import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import {
  realServer,
  servedProject,
  type Connected,
  type Connecting,
  type ServedProject,
} from "../support/served-project.ts";

/** Real servers behind `rolecall serve`, called by a real client, in both eras of the protocol. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
servers:
  files:
    connect: [{ stdio: [${process.execPath}, ${realServer("filesystem")}, .], cwd: . }]
    root: .
  everything:
    connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }]
    hints: { get-sum: { readOnly: true, idempotent: true } }
roles:
  tester:
    description: Writes tests.
    tools:
      files: { include: [read_text_file, write_file, create_directory], ask: [create_directory], where: { write_file: { path: { glob: "tests/**" } } } }
      everything: [echo, get-sum, get-structured-content, get-tiny-image, trigger-long-running-operation]
  reader: { tools: { files: [read_text_file] } }
`,
    "tests/.keep": "",
    "src/.keep": "",
  });
}, 120_000);
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
});
afterAll(() => {
  project.remove();
  cli.remove();
});

async function connect(args: readonly string[], how?: Connecting): Promise<Connected["client"]> {
  const connected = await project.connect(args, how);
  open.push(connected);
  return connected.client;
}

const textIn = (answer: object): string => {
  const { content } = answer as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text }) => text ?? "").join("\n");
};

describe.each(["legacy", "auto"] as const)("in the protocol of %s clients", (mode) => {
  const tester = (): Promise<Connected["client"]> => connect(["--role", "tester"], { mode });

  test("the list is what the role holds, with what was reviewed and what its conditions allow", async () => {
    const client = await tester();
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "legacy" ? "2025-11-25" : "2026-07-28");
    expect(client.getInstructions()).toContain("Writes tests.");
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "everything__echo",
      "everything__get-structured-content",
      "everything__get-sum",
      "everything__get-tiny-image",
      "everything__trigger-long-running-operation",
      "files__create_directory",
      "files__read_text_file",
      "files__write_file",
    ]);
    const named = (name: string) => tools.find((tool) => tool.name === name);
    expect(named("everything__get-sum")?.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true });
    expect(named("files__write_file")?.description).toContain("May be called only when `path` matches `tests/**`");
    expect(named("files__create_directory")?.description).toContain("A person is asked before each call");
  });

  test("a call reaches its server, and its result comes as it is", async () => {
    const client = await tester();
    expect(textIn(await client.callTool({ name: "everything__echo", arguments: { message: "ho" } }))).toBe("Echo: ho");
    const sum = await client.callTool({
      name: "everything__get-structured-content",
      arguments: { location: "Chicago" },
    });
    expect(sum.structuredContent).toMatchObject({ conditions: expect.anything() });
    const image = await client.callTool({ name: "everything__get-tiny-image", arguments: {} });
    expect(image.content).toContainEqual(expect.objectContaining({ type: "image", mimeType: "image/png" }));
    const file = await client.callTool({
      name: "files__write_file",
      arguments: { path: `tests/${mode}`, content: "x" },
    });
    expect(file.isError).toBeFalsy();
    expect(project.read(`tests/${mode}`)).toBe("x");
  });

  test("what isn't allowed executes nothing, and says what to do instead", async () => {
    const client = await tester();
    const call = (name: string, args: object) => client.callTool({ name, arguments: args as Record<string, unknown> });
    const outside = await call("files__write_file", { path: "src/a", content: "x" });
    expect(outside).toMatchObject({ isError: true });
    expect(textIn(outside)).toContain("Call it with other arguments");
    const asked = await call("files__create_directory", { path: "tests/new" });
    expect(asked).toMatchObject({ isError: true });
    expect(textIn(asked)).toContain("nobody is there to be asked");
    expect(existsSync(path.join(project.dir, "src/a")) || existsSync(path.join(project.dir, "tests/new"))).toBe(false);
    // Whether another role holds it, the project knows it, or nobody has ever heard of it.
    for (const name of ["files__move_file", "move_file", "files.write_file", "nothing__such", "__proto__"])
      await expect(call(name, {})).rejects.toMatchObject({ code: -32602 });
  });

  test("what a tool says of its own failure comes as the tool says it", async () => {
    const client = await tester();
    const failed = await client.callTool({ name: "files__read_text_file", arguments: { path: "tests/none" } });
    expect(failed).toMatchObject({ isError: true });
    expect(textIn(failed)).toContain("ENOENT");
  });

  test("progress passes, and so does that a call is given up", async () => {
    const client = await tester();
    const heard: unknown[] = [];
    const long = { name: "everything__trigger-long-running-operation", arguments: { duration: 1, steps: 4 } };
    await client.callTool(long, { onprogress: (progress) => heard.push(progress) });
    expect(heard.length).toBeGreaterThan(1);
    const giveUp = new AbortController();
    const began = Date.now();
    const longer = { ...long, arguments: { duration: 20, steps: 2 } };
    setTimeout(() => giveUp.abort(), 200);
    await expect(client.callTool(longer, { signal: giveUp.signal })).rejects.toThrow("AbortError");
    expect(Date.now() - began).toBeLessThan(5_000);
    const after = await client.callTool({ name: "everything__echo", arguments: { message: "on" } });
    expect(textIn(after)).toBe("Echo: on");
  });

  test("one server alone bears its own names, and nothing of another", async () => {
    const client = await connect(["--role", "tester", "--server", "files"], { mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["create_directory", "read_text_file", "write_file"]);
    await expect(client.callTool({ name: "echo", arguments: { message: "x" } })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.callTool({ name: "files__write_file", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });
});
