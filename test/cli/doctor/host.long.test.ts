import { rmSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { captureProject, tool, type CaptureProject } from "../../support/capture-project.ts";
import { hostDoctor, READ, TESTER, withEnv, type HostDoctor } from "../../support/host-doctor.ts";
import { startFault } from "../../support/linked.ts";

/** `rolecall doctor --host H --role R`: what a role would find there, before anything is started. */
let project: CaptureProject;
let doctor: HostDoctor;
beforeEach(() => {
  project = captureProject();
  doctor = hostDoctor(project);
});
afterEach(() => project.remove());

describe("variables come first", () => {
  test.each([
    ["opencode", "there an unset variable becomes empty"],
    ["gemini-cli", "there an unset variable becomes empty"],
    ["claude-code", "there an unset variable stays as it is written"],
    ["copilot-cli", "there an unset variable stays as it is written"],
    ["codex", "there an unset variable isn't passed on"],
  ])("%s: each that isn't set is named, and nothing is started", async (host, there) => {
    await doctor.built(
      host,
      `{ connect: ${withEnv(doctor.fake(), 'TOKEN: "${TOKEN}", KEY: "${KEY}", SET: "${SET}"')} }`,
    );
    doctor.install("opencode");
    const { exit, out } = await doctor.look(host, { SET: "x", KEY: "" });
    expect(exit).toBe(1);
    expect(out).toContain(`\nKEY isn't set; ${there}\n  needed by  notes\n\nTOKEN isn't set; ${there}\n`);
    expect(out).toContain("variables  1 of 3 set\n");
    expect(out).toContain("servers    not asked while a variable is missing\n");
    expect(out).toMatch(/\nnot ready to start: set the variables and try again\n$/);
    expect(project.has("starts")).toBe(false);
  });

  test("what for and where to get it is told, and who needs it", async () => {
    project.write(
      "mcp/presets/wiki.yaml",
      'id: wiki\ntitle: Wiki\nvariables:\n  - { name: TOKEN, for: reading pages, url: "https://wiki.example/tokens" }\nserver:\n  connect:\n    - http: https://wiki.example/mcp\n      headers: { Authorization: "Bearer ${TOKEN}" }\n',
    );
    doctor.pin("wiki", ["read_page"]);
    const asks = `{ connect: ${withEnv(doctor.fake(), 'A: "${TOKEN}", B: "${WHY:?the key of the notes}"')} }`;
    await doctor.built("opencode", asks, "roles:\n  tester: { tools: { notes: all, wiki: all } }\n", {
      wiki: "{ preset: wiki }",
    });
    const { out } = await doctor.look("opencode");
    expect(out).toContain(
      "for        reading pages\n  get it at  https://wiki.example/tokens\n  needed by  notes, wiki\n",
    );
    expect(out).toContain("for        the key of the notes\n");
    expect((await doctor.found("opencode")).variables).toEqual([
      {
        name: "TOKEN",
        isSet: false,
        servers: ["notes", "wiki"],
        for: "reading pages",
        url: "https://wiki.example/tokens",
      },
      { name: "WHY", isSet: false, servers: ["notes"], for: "the key of the notes", url: null },
    ]);
  });

  test("one with a default, of a server that isn't given, or that every object has, is another matter", async () => {
    const other = '{ connect: [{ http: https://other.example/mcp, headers: { X: "${OTHER}" } }] }';
    doctor.pin("other", ["x"]);
    const defaulted = withEnv(doctor.fake(), 'A: "${A:-b}", C: "${constructor}"');
    await doctor.built("gemini-cli", `{ connect: ${defaulted} }`, TESTER, { other });
    expect((await doctor.found("gemini-cli")).variables).toMatchObject([{ name: "constructor", isSet: false }]);
  });

  test("`:+` counts as `assume` says, and where that is wrong here it is told", async () => {
    const maybe = withEnv(doctor.fake(), 'T: "${TOKEN:+x${TOKEN}}", L: "${LOUD:+yes}"');
    const hosts = "opencode, { id: claude-code, assume: { TOKEN: set, LOUD: set } }";
    await doctor.built(hosts, `{ connect: ${maybe} }`);
    for (const program of ["opencode", "claude"]) doctor.install(program);
    expect(await doctor.found("opencode")).toMatchObject({ exit: 0, ready: true, variables: [], assumptions: [] });
    expect(await doctor.found("opencode", { TOKEN: "t" })).toMatchObject({
      exit: 0,
      assumptions: [{ name: "TOKEN", assumed: "unset" }],
    });
    expect((await doctor.look("opencode", { TOKEN: "t" })).out).toContain(
      "next: write `assume: { TOKEN: set }` for opencode, and build",
    );
    expect(await doctor.found("claude-code", { LOUD: "1" })).toMatchObject({
      exit: 1,
      variables: [{ name: "TOKEN", isSet: false }],
    });
    expect(await doctor.found("claude-code", { TOKEN: "t" })).toMatchObject({
      exit: 1,
      assumptions: [{ name: "LOUD", assumed: "set" }],
    });
    expect((await doctor.look("claude-code", { TOKEN: "t" })).out).toContain(
      "next: set it, or write `assume: { LOUD: unset }`",
    );
    expect(await doctor.found("claude-code", { TOKEN: "t", LOUD: "1" })).toMatchObject({ exit: 0, assumptions: [] });
  });

  test("so does a default that `assume` settles, and one that it doesn't is no assumption", async () => {
    const maybe = withEnv(doctor.fake(), 'L: "${LEVEL:-warn}", M: "${MODE:-x}"');
    await doctor.built("{ id: opencode, assume: { LEVEL: unset, MODE: set } }", `{ connect: ${maybe} }`);
    doctor.install("opencode");
    expect(await doctor.found("opencode", { MODE: "y" })).toMatchObject({ exit: 0, assumptions: [] });
    expect(await doctor.found("opencode", { MODE: "y", LEVEL: "info" })).toMatchObject({
      exit: 0,
      assumptions: [{ name: "LEVEL", assumed: "unset" }],
    });
    expect(await doctor.found("opencode")).toMatchObject({ exit: 1, variables: [{ name: "MODE", isSet: false }] });
  });
});

describe("the host's files", () => {
  const AGENT = ".claude/agents/tester.md";
  const SERVERS = "mcp/hosts/claude-code/tester.mcp.json";
  const state = async (file: string) =>
    (await doctor.found("claude-code")).files.find((one) => one.path === file)?.state;
  beforeEach(async () => {
    await doctor.built("claude-code, codex", `{ connect: ${doctor.fake()} }`);
    doctor.install("claude");
  });

  test("are the role's own: another host's don't count", async () => {
    rmSync(path.join(project.dir, "mcp/hosts/codex/tester.config.toml"));
    const { exit, ready, files } = await doctor.found("claude-code");
    expect([exit, ready]).toEqual([0, true]);
    expect(files.map(({ path: file }) => file)).toEqual([AGENT, SERVERS, SERVERS.replace(".mcp.", ".settings.")]);
  });

  test("missing, out of date, edited, not to be read", async () => {
    rmSync(path.join(project.dir, SERVERS));
    expect(await state(SERVERS)).toBe("missing");
    expect((await doctor.look("claude-code")).out).toContain(`\n${SERVERS} is missing\n  next: rolecall build\n`);
    await project.run(["build"]);
    project.write("rolecall.yaml", project.read("rolecall.yaml").replace("notes: all", "notes: [find]"));
    expect([await state(AGENT), await state(SERVERS)]).toEqual(["differs", "up-to-date"]);
    expect((await doctor.look("claude-code")).out).toContain(`\n${AGENT} is out of date\n`);
    await project.run(["build"]);
    project.write(SERVERS, "{}\n");
    project.write(AGENT, project.read(AGENT).replace("mcp__notes__find", "mcp__notes__list"));
    expect([await state(AGENT), await state(SERVERS)]).toEqual(["differs", "differs"]);
    project.write(AGENT, "---\ntools: [\n---\n");
    expect([await state(AGENT), await state(SERVERS)]).toEqual(["blocked", "differs"]);
    const { exit, out } = await doctor.look("claude-code");
    expect(exit).toBe(1);
    expect(out).toContain(`\n${AGENT} isn't rolecall's, or can't be read\n`);
    expect(out).toContain("  next: rolecall build says what stands in its way\n");
  });

  test("a file of the team's that the host puts above them", async () => {
    const above = ".codex/config.toml";
    doctor.install("codex");
    project.write(above, '[mcp_servers.others]\ncommand = "x"\n');
    expect((await doctor.found("codex")).ready).toBe(true);
    project.write(above, '[mcp_servers.notes]\ncommand = "x"\n');
    const { exit, out } = await doctor.look("codex");
    expect(exit).toBe(1);
    expect(out).toContain(
      `\n\`mcp_servers.notes\` in ${above} is nothing of rolecall's, and the host would join it with the role's own\n`,
    );
    expect(out).toContain("  next: take it out of that file, or call it otherwise there\n");
  });

  test("servers of the team's own that stay open beside every role are named, and don't stop it", async () => {
    await doctor.built("codex, opencode, { id: cursor, role: tester }, claude-code", `{ connect: ${doctor.fake()} }`);
    for (const program of ["codex", "opencode", "claude"]) doctor.install(program);
    project.write(
      ".codex/config.toml",
      '[mcp_servers.wiki]\ncommand = "x"\n[mcp_servers.off]\ncommand = "x"\nenabled = false\n[mcp_servers."files\\u001b2"]\nurl = "https://x.example"\n',
    );
    project.write(
      "opencode.jsonc",
      '{ // ours\n "mcp": { "wiki": { "type": "local" }, "off": { "enabled": false } } }',
    );
    const cursor = JSON.parse(project.read(".cursor/mcp.json")) as { mcpServers: Record<string, object> };
    cursor.mcpServers["wiki"] = { command: "x" };
    project.write(".cursor/mcp.json", JSON.stringify(cursor));
    const beside = async (host: string) => {
      const { exit, out } = await doctor.look(host);
      expect(exit, out).toBe(0);
      return /^.* stays? open to every role.*$/m.exec(out)?.[0];
    };
    expect(await beside("codex")).toBe("`files\\u001b2`, `wiki` in .codex/config.toml stay open to every role");
    expect(await beside("opencode")).toBe("`wiki` in opencode.jsonc stays open to every role");
    expect(await beside("cursor")).toBe("`wiki` in .cursor/mcp.json stays open to every role");
    expect(await beside("claude-code")).toBeUndefined();
    expect((await doctor.found("opencode")).beside).toEqual([{ file: "opencode.jsonc", servers: ["wiki"] }]);
    expect((await doctor.look("codex")).out).toContain("  next: rolecall import .codex/config.toml, or take them out");
  });

  test("of what a build put beside the team's own nothing is named, and what another role holds is", async () => {
    const roles = "roles:\n  tester: { tools: { notes: all } }\n  writer: { tools: { other: all } }\n";
    doctor.pin("other", ["x"]);
    const others = { other: "{ connect: [{ http: https://other.example/mcp }] }" };
    await doctor.built("{ id: opencode, into: opencode.json }", `{ connect: ${doctor.fake()} }`, roles, others);
    doctor.install("opencode");
    expect(await doctor.found("opencode")).toMatchObject({ ready: true, beside: [] });
    await doctor.built("opencode", `{ connect: ${doctor.fake()} }`, roles, others);
    project.write("opencode.json", '{ "mcp": { "other": {}, "notes": {} } }');
    expect((await doctor.found("opencode")).beside).toEqual([{ file: "opencode.json", servers: ["other"] }]);
  });

  test("nothing is written", async () => {
    rmSync(path.join(project.dir, SERVERS));
    await doctor.look("claude-code");
    expect(project.has(SERVERS)).toBe(false);
  });
});

describe("its servers", () => {
  test("are asked over the one transport that the host is told", async () => {
    const { url } = await startFault({});
    const sse = `{ sse: "http://127.0.0.1:9/nobody" }`;
    project.declare(
      { small: `{ connect: [${sse}, { http: "${url}" }] }` },
      "hosts: [codex, claude-code]\nroles: { tester: { tools: { small: [echo] } } }\n",
    );
    doctor.pin("small", ["echo"]);
    await project.run(["build"]);
    for (const program of ["codex", "claude"]) doctor.install(program);
    // Codex speaks no SSE.
    const [small] = (await doctor.found("codex")).servers!;
    expect(small).toMatchObject({ state: "reachable", transports: [{ transport: "http" }] });
    expect(await doctor.found("claude-code")).toMatchObject({
      exit: 1,
      servers: [{ state: "unreachable", transports: [{ transport: "sse" }] }],
    });
    const { out } = await doctor.look("claude-code");
    expect(out).toMatch(/\nnot ready to start; to start without what can't be reached, run what follows `&&` in /);
  });

  test("and have to have the role's tools still", async () => {
    await doctor.built("opencode", `{ connect: ${doctor.fake({ pages: [[tool("find", READ)]] })} }`);
    doctor.install("opencode");
    expect(await doctor.found("opencode")).toMatchObject({
      exit: 1,
      ready: false,
      servers: [{ state: "reachable", gone: ["list"] }],
    });
    const { out } = await doctor.look("opencode");
    expect(out).toContain("\nnotes doesn't have list any more\n  next: rolecall capture notes\n");
    expect(out).toMatch(/\nnot ready to start\n$/);
  });

  test("that answer otherwise than was captured are told, with what helps", async () => {
    const other = { ...tool("list", READ), description: "Lists, and more." };
    await doctor.built("opencode", `{ connect: ${doctor.fake({ pages: [[tool("find", READ), other]] })} }`);
    doctor.install("opencode");
    const says =
      "notes: 1 of its 2 tools (list) isn't what was captured, and calls of them are refused where pins are held\n  next: rolecall capture notes\n";
    const found = await doctor.look("opencode");
    expect([found.exit, found.out.replaceAll(/\n +/g, " ").replace(" next", "\n  next")]).toEqual([
      0,
      expect.stringContaining(says) as string,
    ]);
    expect((await project.run(["doctor"])).out.replaceAll(/\s+/g, " ")).toContain("(list) isn't what was captured");
    expect(await doctor.found("opencode")).toMatchObject({ servers: [{ transports: [{ changed: ["list"] }] }] });
  });

  test("of roles that work in the same session count, elsewhere they don't", async () => {
    const roles =
      "roles:\n  tester: { tools: { notes: all }, delegates: [writer] }\n  writer: { tools: { other: all } }\n";
    doctor.pin("other", ["x"]);
    await doctor.built("opencode, codex", `{ connect: ${doctor.fake()} }`, roles, {
      other: '{ connect: [{ stdio: ["${RUN:-x}"] }, { http: https://other.example/mcp }] }',
    });
    const servers = async (host: string) => (await doctor.found(host)).servers!.map(({ server }) => server);
    expect([await servers("opencode"), await servers("codex")]).toEqual([["notes", "other"], ["notes"]]);
  });

  test("may know the host's own login, unless the project sends a token; one of rolecall's isn't used", async () => {
    const { url } = await startFault({ token: "t0ken-of-the-day" });
    const declare = (headers: string) =>
      project.declare(
        { small: `{ connect: [{ http: "${url}"${headers} }] }` },
        "hosts: [opencode, ai-sdk]\nroles: { tester: { tools: { small: [echo] } } }\n",
      );
    doctor.pin("small", ["echo"]);
    declare("");
    await project.run(["build"]);
    doctor.install("opencode");
    expect(await doctor.found("opencode")).toMatchObject({
      exit: 0,
      servers: [{ state: "needs-auth", mayHaveLogin: true }],
    });
    expect((await doctor.look("opencode")).out).toContain("next: log in with OpenCode itself, unless you have");
    expect(await doctor.found("ai-sdk")).toMatchObject({
      exit: 1,
      servers: [{ state: "needs-auth", mayHaveLogin: false }],
    });
    declare(', headers: { Authorization: "Bearer ${TOKEN}" }');
    await project.run(["build"]);
    const old = await doctor.look("opencode", { TOKEN: "t0ken-of-yesterday" });
    expect([old.exit, old.out.includes("next: renew what its `Authorization` holds")]).toEqual([1, true]);
    expect(await doctor.found("opencode", { TOKEN: "t0ken-of-the-day" })).toMatchObject({ exit: 0, ready: true });
    expect(old.out).not.toContain("t0ken");
  });

  test("none at all is no trouble", async () => {
    await doctor.built("opencode", `{ connect: ${doctor.fake()} }`, "roles:\n  tester: { tools: { notes: none } }\n");
    doctor.install("opencode");
    const { exit, out } = await doctor.look("opencode");
    expect([exit, out.includes("servers    none is given there: `rolecall hosts` says why")]).toEqual([0, true]);
  });
});

test("the start commands run it first; a program of yours has no need to", async () => {
  await doctor.built("opencode, { id: cursor, role: tester }, vscode, ai-sdk", `{ connect: ${doctor.fake()} }`);
  const { out } = await project.run(["hosts", "--json"]);
  const { hosts } = JSON.parse(out) as { hosts: { id: string; start: string }[] };
  const start = Object.fromEntries(hosts.map(({ id, start: one }) => [id, one]));
  expect(start["opencode"]).toMatch(/^rolecall doctor --host opencode --role tester && OPENCODE_CONFIG_CONTENT=/);
  expect(start["cursor"]).toMatch(/^`rolecall doctor --host cursor --role tester`; then open /);
  expect(start["vscode"]).toMatch(/^`rolecall doctor --host vscode --role tester`; then open /);
  expect(start["ai-sdk"]).not.toContain("doctor");
});
