import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { captureProject, tool, type CaptureProject, type Ran } from "../support/capture-project.ts";
import { ROOT } from "../support/root.ts";
import { programAt } from "../../compiler/io/start/find-program.ts";
import { SERVERS } from "../presets/shipped.ts";

/** `rolecall add`: from a name to a server in use, with real processes and PATHs that hold what a test says. */

const FILESYSTEM = SERVERS.get("filesystem")!.text;
const ROLES = `roles:
  reader: # who reads
    tools:
      notes: all # for now
  other: { tools: { notes: none } }
`;

let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  project.write("rolecall.yaml", "version: 1\nproject: harbor\n");
  // What npx starts without a network: the packages of this repository.
  symlinkSync(path.join(ROOT, "node_modules"), path.join(project.dir, "node_modules"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  project.remove();
});

function add(words: string, env: Record<string, string> = {}, types?: string[]): Promise<Ran> {
  // Children get the system's own PATH, which isn't the terminal's.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const scene = { env: { PATH: process.env["PATH"]!, HOME: project.dir, npm_config_offline: "true", ...env } };
  return project.run(["add", ...words.split(" ")], types ? { ...scene, types } : scene);
}

/** A folder for PATH with these programs, as shell scripts; `node` is always there. */
function bin(programs: Readonly<Record<string, string>>): Record<string, string> {
  const folder = path.join(project.dir, "bin");
  mkdirSync(folder, { recursive: true });
  symlinkSync(process.execPath, path.join(folder, "node"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  return { PATH: folder };
}

function withReader(): void {
  const notes = project.fake("notes", { pages: [[tool("read_note", { annotations: { readOnlyHint: true } })]] });
  project.write("mcp/team.yaml", `servers:\n  notes: { connect: ${notes} }\n${ROLES}`);
}

describe("a preset", () => {
  test("from an empty folder to a call that passes, in less than two minutes", async () => {
    const started = performance.now();
    const dir = path.join(project.dir, "first");
    mkdirSync(dir);
    symlinkSync(path.join(ROOT, "node_modules"), path.join(dir, "node_modules"));
    const env = { PATH: process.env["PATH"]!, HOME: project.dir, npm_config_offline: "true" };
    expect((await project.run(["init", "--yes"], { cwd: "first", env })).exit).toBe(0);
    const { exit, out, err } = await project.run(["add", "filesystem", "--role", "reader"], { cwd: "first", env });
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain("reader: gained directory_tree");
    expect(out).toMatch(/^built: \d+ files written$/m);
    expect(project.read("first/mcp/roles.yaml")).toMatch(/notes: read-only .*\n {6}filesystem: read-only\n/);
    const { out: may } = await project.run(["explain", "reader", "filesystem.read_text_file"], { cwd: "first", env });
    expect(may).toContain("read-only");
    expect((await project.run(["build", "--check"], { cwd: "first", env })).exit).toBe(0);
    expect(performance.now() - started).toBeLessThan(120_000);
  });

  test("is declared, granted and kept with what it came from; comments and layout stay", async () => {
    withReader();
    project.write("mcp/servers.yaml", "# ours\n");
    await project.run(["capture", "notes", "--accept"]);
    const { exit, out } = await add("filesystem --role reader");
    expect(exit).toBe(0);
    expect(out).toContain("wrote mcp/presets/filesystem.yaml\nwrote mcp/servers.yaml\nwrote mcp/team.yaml\n");
    expect(project.read("mcp/servers.yaml")).toBe("# ours\nservers:\n  filesystem: { preset: filesystem }\n");
    const roles = ROLES.replace("# for now\n", "# for now\n      filesystem: read-only\n");
    expect(project.read("mcp/team.yaml")).toContain(roles);
    expect(project.read("mcp/presets/filesystem.yaml")).toBe(FILESYSTEM);
    expect(project.read("mcp/presets/.upstream/filesystem.yaml")).toBe(FILESYSTEM);
    expect(out).toContain("WORKSPACE_ROOT  not set, and optional");
  });

  test("a second time it grants to another role, and shows what that role gains", async () => {
    withReader();
    await project.run(["capture", "notes", "--accept"]);
    await add("filesystem --role reader");
    const { exit, out, err } = await add("filesystem --role other --as filesystem");
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain("roles\n  other: gained directory_tree");
    expect(project.read("mcp/team.yaml")).toContain("{ tools: { notes: none, filesystem: read-only } }");
    expect((await add("filesystem --role other")).out).toContain("other has it already, and stays as it is");
  });

  test("several at once, without a role, and under a name of one's own", async () => {
    const { exit, out } = await add("filesystem memory");
    expect(exit).toBe(0);
    expect(project.read("mcp/servers.yaml")).toBe(
      "servers:\n  filesystem: { preset: filesystem }\n  memory: { preset: memory }\n",
    );
    expect(out).toContain("nobody holds it yet; next: rolecall add filesystem memory --role ROLE");
    expect(
      (await project.run(["bootstrap", "memory", "--as", "notebook"], { env: { PATH: process.env["PATH"]! } })).exit,
    ).toBe(0);
    expect(project.read("mcp/servers.yaml")).toContain("  notebook: { preset: memory }\n");
    expect(await add("memory --as Notebook")).toMatchObject({ exit: 64, err: expect.stringContaining("--as") });
    expect((await add("fetch --as notebook")).err).toContain(
      "there is a server `notebook` already, in mcp/servers.yaml",
    );
  });

  test("whose variables aren't set is declared, and the one next step is said", async () => {
    const { exit, out, err } = await add("slack");
    expect(exit).toBe(1);
    expect(err).toContain("`SLACK_BOT_TOKEN` and `SLACK_TEAM_ID` aren't set");
    expect(err).toContain("get one at https://api.slack.com/apps");
    expect(out).toContain("SLACK_BOT_TOKEN  not set\n");
    expect(out).toContain("then rolecall capture slack and rolecall build");
    expect(project.has("mcp/presets/slack.yaml")).toBe(true);
  });

  test("names of presets and roles complete in a shell", async () => {
    withReader();
    const complete = async (...words: string[]) =>
      (await project.run(["completion", "--words", "--", "add", ...words])).out;
    expect(await complete("github", "files")).toBe("filesystem\n");
    expect(await complete("github", "--role", "re")).toBe("reader\n");
  });

  test("as JSON", async () => {
    const { exit, out } = await add("filesystem --json");
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      files: ["mcp/servers.yaml"],
      presets: [{ name: "filesystem", state: "copied" }],
      captured: [{ server: "filesystem", state: "first", written: true }],
      build: { removed: [] },
    });
  });
});

describe("nothing is written", () => {
  const names = [
    ["gihub", "did you mean `github`?"],
    ["server-github", "did you mean `github`?"],
    ["@modelcontextprotocol/server-memory", "rolecall add memory, or, for the npm package of that name"],
    ["tester", "`tester` is a role"],
    ["github --role redaer", "there is no role `redaer`; did you mean `reader`?"],
    ["uvx:some-server", "rolecall add uvx:some-server==1.2.3"],
    ["a/b/c", "is no preset, package or URL"],
    ["npx:--registry=x", "is no preset, package or URL"],
    ["npx:some@git+ssh://x", "is no preset, package or URL"],
  ] as const;
  test.each(names)("for %s", async (words, said) => {
    withReader();
    const { exit, err } = await add(words);
    expect([exit, err]).toEqual([64, expect.stringContaining(said)]);
    expect(project.has("mcp/servers.yaml")).toBe(false);
  });

  test.each(["", "--all", "--force --all github", "github fetch --as a", "github --force --role reader"])(
    "for wrong usage: add %s",
    async (words) => expect((await project.run(["add", ...words.split(" ").filter(Boolean)])).exit).toBe(64),
  );

  test("where the project would have an error by it", async () => {
    const { exit, err } = await add("https://mcp.acme.example/mcp?token=abcdefabcdef123456789");
    expect([exit, err]).toEqual([1, expect.stringContaining("server/written-secret")]);
    expect(err).not.toContain("abcdefabcdef");
    expect(project.has("mcp/servers.yaml")).toBe(false);
  });

  test("into a role that is shared by an anchor: it says what to write by hand", async () => {
    project.write("mcp/a.yaml", "roles:\n  a: &a { description: A. }\n  b: *a\n");
    const { exit, err } = await add("filesystem --role a");
    expect(exit).toBe(64);
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      "write by hand what was to be added: roles.a.tools: { filesystem: read-only }",
    );
    expect(project.has("mcp/servers.yaml")).toBe(false);
  });
});

describe("what no preset knows", () => {
  /** A registry that knows one package, in two versions. */
  async function registry(): Promise<Server & { readonly url: string }> {
    const name = "notes-mcp-server";
    const version = (one: string) => ({
      name,
      version: one,
      dist: { tarball: "http://127.0.0.1:9/x.tgz", shasum: "0" },
    });
    const server = createServer((request, response) => {
      const found = request.url === `/${name}`;
      response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
      const versions = { "1.0.0": version("1.0.0"), "1.2.0": version("1.2.0") };
      response.end(
        JSON.stringify(found ? { name, "dist-tags": { latest: "1.2.0" }, versions } : { error: "not found" }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  }
  const online = (url: string) => ({ npm_config_offline: "false", npm_config_registry: url });

  /** Real npm is asked for the version; npx is ours, since the package isn't real. */
  function notesBin(): Record<string, string> {
    const npm = programAt("npm", { PATH: process.env["PATH"] }, "/")!;
    const stdio = project.fake("notes", {
      pages: [
        [
          tool("read_note"),
          tool("delete_note", { annotations: { readOnlyHint: false } }),
          tool("send_note", { annotations: { readOnlyHint: false, openWorldHint: true } }),
        ],
      ],
    });
    const [, node, server, settings] = /stdio: \[([^,]+), ([^,]+), ([^\]]+)\]/.exec(stdio)!;
    return bin({ npm: `exec ${process.execPath} ${npm} "$@"`, npx: `exec ${node} ${server} ${settings}` });
  }

  test("is written with the version of today, captured, and looked at; nobody holds it", async () => {
    const npm = await registry();
    try {
      const { exit, out, err } = await add("notes-mcp-server", { ...notesBin(), ...online(npm.url) });
      expect([exit, err]).toEqual([0, ""]);
      expect(project.read("mcp/servers.yaml")).toContain("stdio: [npx, -y, notes-mcp-server@1.2.0]");
      expect(project.read("mcp/servers.yaml")).toContain("  notes:");
      expect(out).toContain("what is right belongs below `notes` under `servers`");
      expect(out).toContain("read_note: { readOnly: true, destructive: false }");
      expect(out).toContain("destructive: [delete_note]");
      expect(out).toMatch(/external: \[.*send_note/);
      expect(out).toContain("private-data: [read_note]");
      expect(project.read("src/mcp/access.json")).not.toContain("read_note");
    } finally {
      npm.close();
    }
  });

  test("and isn't there is told before anything is written", async () => {
    const npm = await registry();
    try {
      for (const word of ["no-such-mcp-server", "npx:notes-mcp-server@9.9.9"]) {
        const { exit, err } = await add(word, online(npm.url));
        expect([exit, err]).toEqual([64, expect.stringContaining("npm has no package")]);
      }
      expect(project.has("mcp/servers.yaml")).toBe(false);
    } finally {
      npm.close();
    }
  });

  test("offline it says how to pin, and a pin is enough", async () => {
    const offline = { npm_config_offline: "false", npm_config_registry: "http://127.0.0.1:1/" };
    const { exit, err } = await add("notes-mcp-server", offline);
    expect([exit, err]).toEqual([
      64,
      expect.stringContaining("pin one that you know: rolecall add npx:notes-mcp-server@1.2.3"),
    ]);
    const pinned = await add("npx:notes-mcp-server@1.2.0", { ...offline, ...notesBin() });
    expect([pinned.exit, pinned.err]).toEqual([0, ""]);
  });
});

describe("the first ten minutes: each says what to type next", () => {
  test("npx isn't there", async () => {
    const { exit, err, out } = await add("memory", bin({}));
    expect([exit, err]).toEqual([1, expect.stringContaining("install Node.js with npm, which brings `npx`")]);
    expect(out).toContain("rolecall capture memory");
  });

  test("npm isn't there", async () => {
    expect((await add("some-mcp-server", bin({}))).err).toContain("install Node.js with npm, or name a version");
  });

  test("uvx isn't there", async () => {
    expect((await add("uvx:some-server==1.2.3", bin({}))).err).toContain("install uv, which brings `uvx`");
  });

  test("docker isn't there, or doesn't run", async () => {
    project.write("mcp/servers.yaml", "servers: { box: { connect: [{ stdio: [docker, run, box:1.0.0] }] } }\n");
    const capture = (env: Record<string, string>) => (
      vi.stubEnv("PATH", env["PATH"]),
      project.run(["capture", "box"], { env })
    );
    expect((await capture(bin({}))).err).toContain("install Docker and start it");
    writeFileSync(
      path.join(project.dir, "bin/docker"),
      "#!/bin/sh\necho 'Cannot connect to the Docker daemon at x' >&2\nexit 1\n",
    );
    chmodSync(path.join(project.dir, "bin/docker"), 0o755);
    expect((await capture({ PATH: path.join(project.dir, "bin") })).err).toContain("start Docker and try again");
  });

  test("npm lacks the version of the preset", async () => {
    const npx = "echo 'npm error code E404' >&2; exit 1";
    const { err } = await add("memory", bin({ npx }));
    expect(err).toContain("memory: not captured: npm has no package `@modelcontextprotocol/server-memory`\n");
    expect(err).not.toContain("npm error");
  });

  test.each(["exit 1", "exec /bin/sleep 20"])("npm can't reach its registry, and then: %s", async (end) => {
    const npx = `echo 'npm error code EAI_AGAIN' >&2; ${end}`;
    const { err } = await add("memory --timeout 2s", bin({ npx }));
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      "memory: not captured: npm can't reach its registry help: check your network or proxy; `rolecall image` lists what to install beforehand",
    );
  });

  test("the download takes longer than the time-out", async () => {
    const { err } = await add("memory --timeout 500ms", bin({ npx: "exec /bin/sleep 20" }));
    expect(err.replaceAll(/\s+/g, " ")).toContain("the first time `npx` downloads the server");
  });

  test("there is no project", async () => {
    rmSync(path.join(project.dir, "rolecall.yaml"));
    const { exit, err } = await add("github");
    expect([exit, err]).toEqual([1, expect.stringContaining("rolecall init")]);
  });
});
