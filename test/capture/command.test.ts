import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import { compile } from "../../compiler/compile.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { captureProject, NOTES, READER, tool, type CaptureProject } from "../support/capture-project.ts";

/** `rolecall capture` as a command: secrets, wrong usage, projects in every state, JSON. */
let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

describe("secrets", () => {
  const connected = (settings: object) => {
    const connect = project
      .fake("notes", settings)
      .replace("] }]", '], env: { TOKEN: "${TOKEN}", LEVEL: "${LEVEL:-}" } }]');
    project.declare({ notes: `{ connect: ${connect} }` });
  };

  test("a missing variable is named", async () => {
    connected({ pages: [[]] });
    expect((await project.run(["capture"])).err).toBe(
      "notes: not captured: `TOKEN` isn't set\n    help: set it in the environment and try again; a `.env` counts for `rolecall serve` alone\n\n",
    );
  });

  test("what a server says never shows them, in text or JSON, and names that were set are kept", async () => {
    connected({ die: 'bad token "s3cr3t-of-mine-17"' });
    const env = { TOKEN: "s3cr3t-of-mine-17" };
    for (const argv of [["capture"], ["capture", "--json"]]) {
      const { out, err } = await project.run(argv, { env });
      expect(out + err).toContain("bad token");
      expect(out + err).not.toContain("s3cr3t");
    }
    connected({ pages: [[tool("read")]] });
    await project.run(["capture", "--accept"], { env });
    expect(project.pinned()["variables"]).toEqual(["TOKEN"]);
  });

  test("an answer that holds one isn't written", async () => {
    connected({ pages: [[tool("read", { description: 'Reads with "s3cr3t-of-mine-17".' })]] });
    const { exit, out, err } = await project.run(["capture", "--accept"], { env: { TOKEN: "s3cr3t-of-mine-17" } });
    expect(exit).toBe(1);
    expect(err).toContain("its answer holds the value of `TOKEN`");
    expect(out + err).not.toContain("s3cr3t");
    expect(project.has(NOTES)).toBe(false);
  });
});

describe("the command", () => {
  test.each([
    [["capture", "notse"], "there is no server `notse`; did you mean `notes`?"],
    [["capture", "--check", "--accept"], "--check and --accept can't be given together"],
    [["capture", "--timeout", "soon"], "--timeout takes a time like 500ms, 30s or 2m"],
  ])("%j is wrong usage", async (argv, says) => {
    project.notes({ pages: [[]] });
    const { exit, err } = await project.run(argv);
    expect(exit).toBe(64);
    expect(err).toContain(says);
  });

  test("sources that can't be read stop it", async () => {
    project.notes({ pages: [[]] });
    project.write("mcp/broken.yaml", "roles: [");
    const { exit, err } = await project.run(["capture"]);
    expect(exit).toBe(1);
    expect(err).toContain("nothing was captured: mend these first");
  });

  test("a pin that is shared is asked for once, and a manifest that can't be read is replaced", async () => {
    project.notes({ pages: [[tool("read")]] }, "", {
      copy: "{ manifest: notes, connect: [{ stdio: [no-such-command-anywhere] }] }",
    });
    project.write(NOTES, "{ broken");
    const { exit, out, err } = await project.run(["capture", "--accept"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("first capture");
    expect(project.pinned().tools).toHaveLength(1);
  });

  test("a manifest that somebody edited is compared as it lies there: its digests don't count", async () => {
    project.notes({ pages: [[tool("read"), tool("write")]] });
    await project.run(["capture", "--accept"]);
    const edited = project.pinned();
    project.write(NOTES, JSON.stringify(edited).replace("Does read.", "Does nothing."));
    const { exit, out } = await project.run(["capture", "--check"]);
    expect(exit).toBe(2);
    expect(out).toContain("Does nothing.");
    expect(out).toContain("Does read.");
    expect(out).not.toContain("first capture");
    expect(out).not.toContain("write");
  });

  test("several servers are told in one look, before the first of them is asked about", async () => {
    project.notes({ pages: [[tool("read")]] }, "", { gone: "{ connect: [{ stdio: [no-such-command-anywhere] }] }" });
    const typed = { types: ["n"], env: { NO_COLOR: "1" } };
    const { out } = await project.run(["capture"], typed);
    expect(out).toMatch(/^2 servers\n {2}gone {3}not captured\n {2}notes {2}first capture, 1 tool\n\nnotes: /);
    expect((await project.run(["capture", "--check"])).out).toMatch(/^2 servers\n/);
    expect((await project.run(["capture", "notes"], typed)).out).toMatch(/^notes: /);
  });

  test("what a server says begins no line of the page", async () => {
    const text = `${"\u00a0".repeat(150)}wrote\u00a0it\u00a0all${"\u00a0".repeat(150)}`;
    project.notes({ pages: [[tool(`read${text}`, { description: text }), tool("write")]] }, READER);
    const { out } = await project.run(["capture"], { types: ["n"] });
    const lines = out.replaceAll("\u00a0", " ").split(/\n|(?<=\[y\/N\] )/);
    expect(lines.filter((line) => line.includes("wrote it all")).length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line.length, line).toBeLessThanOrEqual(80);
      expect(line).not.toMatch(/^ {0,3}wrote/);
    }
    const changed = [tool(`read${text}`, { description: `${text}.` }), tool("write", { description: text })];
    await project.run(["capture", "--accept"]);
    project.notes({ pages: [changed] }, READER);
    for (const line of (await project.run(["capture"], { types: ["n"] })).out.split(/\n|(?<=\[y\/N\] )/))
      expect(line.length, line).toBeLessThanOrEqual(80);
  });

  test("--json has every key for every server", async () => {
    project.notes({ pages: [[tool("read")]] }, READER, {
      gone: "{ connect: [{ stdio: [no-such-command-anywhere] }] }",
    });
    const { exit, out } = await project.run(["capture", "--json", "--accept"]);
    expect(exit).toBe(1);
    const { servers } = JSON.parse(out) as { servers: Record<string, unknown>[] };
    expect(servers.map((one) => one["state"])).toEqual(["failed", "first"]);
    expect(Object.keys(servers[0]!)).toEqual(Object.keys(servers[1]!));
    expect(servers[0]!["failure"]).toMatchObject({
      kind: "unreachable",
      says: "its command `no-such-command-anywhere` isn't found",
    });
    expect(servers[1]).toMatchObject({
      written: true,
      tools: 1,
      changes: { added: ["read"] },
      access: [{ role: "reader", tool: "read", before: { effect: "deny" }, after: { effect: "allow" } }],
    });
  });

  test("what it writes is what the compiler takes", async () => {
    project.notes({ pages: [[tool("read", { description: "é \u{1f600} \u0001" })]] }, READER);
    await project.run(["capture", "--accept"]);
    const files = memoryFiles({ "rolecall.yaml": project.read("rolecall.yaml"), [NOTES]: project.read(NOTES) });
    expect(compile(files, [], lazyLibraries()).diagnostics.filter((one) => one.code.startsWith("manifest/"))).toEqual(
      [],
    );
  });
});
