import { afterEach, describe, expect, test } from "vitest";
import { memoryFiles } from "../compiler/1-source/memory-files.ts";
import { compile } from "../compiler/compile.ts";
import { lazyLibraries } from "../compiler/io/libraries.ts";
import { captureProject, tool, type CaptureProject } from "./support/capture-project.ts";

/** `rolecall capture` against a server that does what it is told. */
let project: CaptureProject;
afterEach(() => project.remove());

/** A project with one fake server `notes`, and a way to change what it answers. */
function notes(settings: object, roles = "", more = ""): (settings: object) => void {
  project = captureProject("", "");
  const set = (changed: object) => {
    const connect = project.fake("notes", changed);
    project.write(
      "rolecall.yaml",
      `version: 1\nproject: harbor\nservers:\n  notes: { connect: ${connect} }\n${more}${roles}`,
    );
  };
  set(settings);
  return set;
}

const FILE = "mcp/manifests/notes.json";
const pinned = () =>
  JSON.parse(project.read(FILE)) as { tools: { name: string; description: string }[]; [key: string]: unknown };
const READER = "roles:\n  reader: { tools: { notes: all } }\n";

describe("a first capture", () => {
  test("is shown with who would hold what, and written only with the flag", async () => {
    notes(
      { pages: [[tool("read", { annotations: { readOnlyHint: true } }), tool("drop")]] },
      "roles:\n  reader: { tools: { notes: read-only } }\n",
    );
    const without = await project.run(["capture"]);
    expect(without.exit).toBe(2);
    expect(without.out).toContain("notes: first capture, 2 tools (stdio)");
    expect(without.out).toContain("+ read: read-only; Does read.");
    expect(without.out).toContain("reader: would gain read\n");
    expect(without.out).toContain("with it, 1 error of the project would be gone");
    expect(without.out).toContain(
      "not written: notes; look at the changes above, then rolecall capture notes --accept",
    );
    expect(project.has(FILE)).toBe(false);

    const accepted = await project.run(["capture", "--accept"]);
    expect(accepted).toMatchObject({ exit: 0, err: "" });
    expect(accepted.out).toContain(`wrote ${FILE}\nnext: rolecall build\n`);
    expect(pinned().tools.map((one) => one.name)).toEqual(["drop", "read"]);
  });

  test("gives a manifest that compiles, and the build finds nothing wrong", async () => {
    notes({ pages: [[tool("read")]] }, READER);
    await project.run(["capture", "--accept"]);
    const built = await project.run(["build"]);
    expect(built.err).not.toContain("error");
    const again = await project.run(["capture", "--accept"]);
    expect(again).toMatchObject({ exit: 0, err: "", out: "notes: the same, 1 tool\n" });
  });

  test("writes exactly the text of format 1", async () => {
    notes({ pages: [[{ inputSchema: { type: "object", "10": 1, "9": 2 }, name: "b", icons: [] }, tool("a")]] });
    await project.run(["capture", "--accept"]);
    const text = project.read(FILE);
    expect(
      text.startsWith('{\n "capabilities": {\n  "tools": {}\n },\n "format": 1,\n "protocolVersion": "2025-11-25",\n'),
    ).toBe(true);
    expect(text.endsWith('],\n "variables": []\n}\n')).toBe(true);
    expect(text).toContain(
      '   "icons": [],\n   "inputSchema": {\n    "10": 1,\n    "9": 2,\n    "type": "object"\n   },\n   "name": "b"\n',
    );
    expect(text).not.toContain("\r");
    expect(pinned().tools.map((one) => one.name)).toEqual(["a", "b"]);
  });
});

describe("what the server sends", () => {
  test("is read to the last page, past noise, and its questions are answered", async () => {
    notes({
      pages: [[tool("a"), tool("b")], [tool("c")], [tool("d")]],
      noise: ["starting ...", "{ not json", '{"level":"info"}'],
      asks: true,
    });
    expect((await project.run(["capture", "--accept"])).exit).toBe(0);
    expect(pinned().tools.map((one) => one.name)).toEqual(["a", "b", "c", "d"]);
  });

  test("keeps what the client library would drop or refuse", async () => {
    const odd =
      '{"name":"odd","inputSchema":{"$schema":"x","properties":{"q":{"enum":[]}}},"outputSchema":{"type":"array"},"x-own":{"__proto__":{"a":1}},"annotations":{"readOnlyHint":"yes"}}';
    notes({ raw: `{"tools":[${odd}]}` });
    expect((await project.run(["capture", "--accept"])).exit).toBe(0);
    const { digest, ...kept } = pinned().tools[0] as unknown as Record<string, unknown>;
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const keys = (text: string) => (text.match(/"[^"]+"(?=:)/g) ?? []).toSorted();
    expect(keys(JSON.stringify(kept))).toEqual(keys(odd));
    expect(kept).toEqual(JSON.parse(odd));
  });

  test.each([
    ["two tools of one name", { pages: [[tool("a"), tool("a")]] }, "this manifest has two tools named `a`"],
    ["a tool without a name", { pages: [[{ inputSchema: {} }]] }, "this isn't a manifest: tool 1 has no name"],
    ["a key that stands twice", { raw: '{"tools":[{"name":"a","name":"b","inputSchema":{}}]}' }, "twice"],
    [
      "a number that no double holds",
      { raw: '{"tools":[{"name":"a","inputSchema":{"maximum":9007199254740993}}]}' },
      "9007199254740993",
    ],
    ["no list of tools", { raw: '{"tools":{}}' }, "its answer to tools/list has no list `tools`"],
    ["pages without end", { pages: [[tool("a")]], endless: true }, "its pages of tools never end"],
    ["an error", { error: "the moon is \u001b[31mfull" }, "it refuses: the moon is \\u001b[31mfull"],
  ])("is refused when it is %s", async (_, settings, says) => {
    notes(settings);
    const { exit, err } = await project.run(["capture", "--accept"]);
    expect(exit).toBe(1);
    expect(err).toContain(says);
    expect(err).not.toContain("\u001b");
    expect(project.has(FILE)).toBe(false);
  });

  test("a process that ends is named with its last words, and one that hangs is cut off", async () => {
    const set = notes({ die: "token abc-secret-def is wrong" });
    expect((await project.run(["capture"])).err).toContain(
      "its process ended before it answered; it said: token abc-secret-def is wrong",
    );
    for (const hang of ["initialize", "tools/list"]) {
      set({ pages: [[]], hang });
      const { exit, err } = await project.run(["capture", "--timeout", "400ms"]);
      expect(exit).toBe(1);
      expect(err).toContain("it gave no answer within 400 ms");
    }
  });
});

describe("a change", () => {
  test("is told apart: text, arguments, hints, new, gone, and who would hold it", async () => {
    const schema = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
    const set = notes(
      {
        pages: [[tool("find", { inputSchema: schema, annotations: { readOnlyHint: true } }), tool("old"), tool("say")]],
      },
      "roles:\n  reader: { tools: { notes: { exclude: [say] } } }\n  asker: { tools: { notes: { include: ['*'], ask: ['*'] } } }\n",
    );
    await project.run(["capture", "--accept"]);
    set({
      pages: [
        [
          tool("find", { inputSchema: { ...schema, required: [] }, annotations: { readOnlyHint: false } }),
          tool("say", { description: "Does say. \u202eLoudly." }),
          tool("brand_new"),
        ],
      ],
      initialize: { instructions: "Be kind." },
    });
    const { exit, out } = await project.run(["capture"]);
    expect(exit).toBe(2);
    expect(out).toContain("notes: 1 tool new, 1 tool gone, 2 tools changed (stdio)");
    expect(out).toContain("    + brand_new: Does brand_new.");
    expect(out).toContain("    - old\n");
    expect(out).toContain(
      "    ~ find: arguments widened, hints; held by asker, reader\n      `q` may be left out\n      readOnlyHint: true -> false\n",
    );
    expect(out).toContain("    ~ say: text; held by asker\n      - Does say.\n      + Does say. \\u202eLoudly.\n");
    expect(out).toContain("its instructions changed\n      + Be kind.\n");
    expect(out).toContain(
      "    asker: would gain brand_new (asked); would lose old\n    reader: would gain brand_new; would lose old\n",
    );
    expect(out).toContain('say holds characters that can\'t be seen: "Does say. \\u202eLoudly."');
    expect(out).not.toContain("\u202e");
  });

  test("that breaks a rule is said with the very error, and can still be accepted", async () => {
    const set = notes(
      { pages: [[tool("read"), tool("list_all", { description: "Lists it all." })]] },
      "roles:\n  reader: { tools: { notes: [read, list_all] } }\n",
    );
    await project.run(["capture", "--accept"]);
    set({ pages: [[tool("read"), tool("list_everything", { description: "Lists it all." })]] });
    const { exit, out } = await project.run(["capture", "--accept"]);
    expect(exit).toBe(0);
    expect(out).toContain("with it, the project would have 1 error more:");
    expect(out).toContain("error[manifest/unknown-tool]: `list_all` is not a tool of `notes`");
    expect(out).toContain("list_all looks renamed to list_everything: its pin is lost");
    expect(out).toContain("reader: would lose list_all\n");
  });

  test("of the version alone is written with a yes, and is no drift", async () => {
    const set = notes({ pages: [[tool("read")]] }, READER);
    await project.run(["capture", "--accept"]);
    set({ pages: [[tool("read")]], initialize: { serverInfo: { name: "fake", version: "2.0.0" } } });
    const checked = await project.run(["capture", "--check"]);
    expect(checked.exit).toBe(0);
    expect(checked.out).toContain("serverInfo: fake 1.0.0 -> fake 2.0.0");
    expect((await project.run(["capture", "--accept"])).exit).toBe(0);
    expect(pinned()["serverInfo"]).toEqual({ name: "fake", version: "2.0.0" });
  });

  test("between two answers is named: its pin won't hold", async () => {
    notes(
      { pages: [[tool("now", { description: "It is start {start}." }), tool("still")]], counter: "/dev/null" },
      READER,
    );
    const settings = JSON.parse(project.read("notes.settings.json")) as object;
    project.write("notes.settings.json", JSON.stringify({ ...settings, counter: `${project.dir}/starts` }));
    const { out } = await project.run(["capture", "--accept"]);
    expect(out).toContain("now was another one when asked again: its pin won't hold");
    expect(out).not.toContain("still was another one");
    expect(project.read("starts")).toBe("2");
  });
});

describe("at a terminal", () => {
  const two = () => {
    project = captureProject("");
    const [a, b] = ["alpha", "beta"].map(
      (name) => `  ${name}: { connect: ${project.fake(name, { pages: [[tool("read")]] })} }\n`,
    );
    project.write(
      "rolecall.yaml",
      `version: 1\nproject: harbor\nservers:\n${a}${b}roles:\n  reader: { tools: { alpha: all, beta: all } }\n`,
    );
  };

  test("each server has its own question", async () => {
    two();
    const { exit, out } = await project.run(["capture"], { types: ["n", "y"] });
    expect(exit).toBe(2);
    expect(out).toContain("write mcp/manifests/alpha.json? [y/N] ");
    expect(project.has("mcp/manifests/alpha.json")).toBe(false);
    expect(project.has("mcp/manifests/beta.json")).toBe(true);
  });

  test("an end of the input is a no", async () => {
    two();
    expect((await project.run(["capture"], { types: ["yes"] })).exit).toBe(2);
    expect(project.has("mcp/manifests/alpha.json")).toBe(true);
    expect(project.has("mcp/manifests/beta.json")).toBe(false);
  });

  test.each([
    ["CI is set", ["capture"], { CI: "true" }],
    ["--json is given", ["capture", "--json"], {}],
    ["--check is given", ["capture", "--check"], {}],
  ])("nobody is asked where %s", async (_, argv, env) => {
    two();
    const { exit, out } = await project.run(argv, { types: ["y", "y"], env });
    expect(exit).toBe(2);
    expect(out).not.toContain("[y/N]");
    expect(project.has("mcp/manifests/alpha.json")).toBe(false);
  });
});

describe("--check", () => {
  test("0 the same, 2 changed, 3 silent; what is certain outweighs silence; nothing is written", async () => {
    const set = notes(
      { pages: [[tool("read")]] },
      READER,
      "  gone: { connect: [{ stdio: [no-such-command-anywhere] }] }\n",
    );
    await project.run(["capture", "notes", "--accept"]);
    const before = project.read(FILE);
    expect(await project.run(["capture", "notes", "--check"])).toMatchObject({
      exit: 0,
      out: "notes: the same, 1 tool\n",
    });
    const silent = await project.run(["capture", "--check"]);
    expect(silent.exit).toBe(3);
    expect(silent.err).toContain("gone: not captured: its command wasn't found");
    set({ pages: [[tool("read", { description: "Reads." })]] });
    const both = await project.run(["capture", "--check"]);
    expect(both.exit).toBe(2);
    expect(both.out).toContain("changed since the last capture: notes; look at it with rolecall capture notes\n");
    expect(project.read(FILE)).toBe(before);
  });
});

describe("secrets", () => {
  const connected = (settings: object) => {
    project = captureProject("");
    const connect = project
      .fake("notes", settings)
      .replace("] }]", '], env: { TOKEN: "${TOKEN}", LEVEL: "${LEVEL:-}" } }]');
    project.write("rolecall.yaml", `version: 1\nproject: harbor\nservers:\n  notes: { connect: ${connect} }\n`);
  };

  test("a missing variable is named", async () => {
    connected({ pages: [[]] });
    expect((await project.run(["capture"])).err).toBe(
      "notes: not captured: `TOKEN` isn't set\n    help: set it and capture again\n\n",
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
    expect(pinned()["variables"]).toEqual(["TOKEN"]);
  });

  test("an answer that holds one isn't written", async () => {
    connected({ pages: [[tool("read", { description: 'Reads with "s3cr3t-of-mine-17".' })]] });
    const { exit, out, err } = await project.run(["capture", "--accept"], { env: { TOKEN: "s3cr3t-of-mine-17" } });
    expect(exit).toBe(1);
    expect(err).toContain("its answer holds the value of `TOKEN`");
    expect(out + err).not.toContain("s3cr3t");
    expect(project.has(FILE)).toBe(false);
  });
});

describe("the command", () => {
  test.each([
    [["capture", "notse"], "there is no server `notse`; did you mean `notes`?"],
    [["capture", "--check", "--accept"], "--check and --accept can't be given together"],
    [["capture", "--timeout", "soon"], "--timeout takes a time like 500ms, 30s or 2m"],
  ])("%j is wrong usage", async (argv, says) => {
    notes({ pages: [[]] });
    const { exit, err } = await project.run(argv);
    expect(exit).toBe(64);
    expect(err).toContain(says);
  });

  test("sources that can't be read stop it", async () => {
    notes({ pages: [[]] });
    project.write("mcp/broken.yaml", "roles: [");
    const { exit, err } = await project.run(["capture"]);
    expect(exit).toBe(1);
    expect(err).toContain("nothing was captured: mend these first");
  });

  test("a pin that is shared is asked for once, and a manifest that can't be read is replaced", async () => {
    notes(
      { pages: [[tool("read")]] },
      "",
      "  copy: { manifest: notes, connect: [{ stdio: [no-such-command-anywhere] }] }\n",
    );
    project.write(FILE, "{ broken");
    const { exit, out, err } = await project.run(["capture", "--accept"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("first capture");
    expect(pinned().tools).toHaveLength(1);
  });

  test("--json has every key for every server", async () => {
    notes({ pages: [[tool("read")]] }, READER, "  gone: { connect: [{ stdio: [no-such-command-anywhere] }] }\n");
    const { exit, out } = await project.run(["capture", "--json", "--accept"]);
    expect(exit).toBe(1);
    const { servers } = JSON.parse(out) as { servers: Record<string, unknown>[] };
    expect(servers.map((one) => one["state"])).toEqual(["failed", "first"]);
    expect(Object.keys(servers[0]!)).toEqual(Object.keys(servers[1]!));
    expect(servers[0]!["failure"]).toMatchObject({ kind: "unreachable", says: "its command wasn't found" });
    expect(servers[1]).toMatchObject({
      written: true,
      tools: 1,
      changes: { added: ["read"] },
      access: [{ role: "reader", tool: "read", before: { effect: "deny" }, after: { effect: "allow" } }],
    });
  });

  test("what it writes is what the compiler takes", async () => {
    notes({ pages: [[tool("read", { description: "é \u{1f600} \u0001" })]] }, READER);
    await project.run(["capture", "--accept"]);
    const files = memoryFiles({ "rolecall.yaml": project.read("rolecall.yaml"), [FILE]: project.read(FILE) });
    expect(compile(files, [], lazyLibraries()).diagnostics.filter((one) => one.code.startsWith("manifest/"))).toEqual(
      [],
    );
  });
});
