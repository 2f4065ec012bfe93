import { describe, expect, test } from "vitest";
import { main } from "../../../compiler/cli/main.ts";
import type { Engine, Followed } from "../../../compiler/cli/command.ts";
import type { Terminal } from "../../../compiler/cli/terminal.ts";
import type { Diagnostic } from "../../../compiler/diagnostics/types.ts";
import { rolecall, upToDate } from "../../support/fake-terminal.ts";
import { sampleProject } from "../../support/sample-project.ts";

const warning: Diagnostic = {
  code: "server/unused",
  severity: "warning",
  says: "nobody uses `notes`",
  help: undefined,
  at: undefined,
  also: [],
};
const changes = {
  missing: ["src/mcp/roles/new.ts"],
  differs: ["src/mcp/index.ts"],
  stale: ["src/mcp/roles/old.ts"],
  unchanged: 5,
};

describe("build", () => {
  test("what was written and removed, on standard output", async () => {
    expect(await rolecall(["build"], { outcome: changes })).toMatchObject({
      exit: 0,
      err: "",
      out: [
        "wrote 2 files, removed 1 file, 5 unchanged",
        "  ~ src/mcp/index.ts",
        "  + src/mcp/roles/new.ts",
        "  - src/mcp/roles/old.ts",
        "2 roles, 3 servers, 6 tools, in 0 ms",
        "",
      ].join("\n"),
    });
  });

  test("nothing to do", async () => {
    expect((await rolecall(["build"])).out).toContain("nothing to do: 7 files up to date\n");
  });

  test("ten paths are enough", async () => {
    const missing = Array.from({ length: 25 }, (_, i) => `src/${i}.ts`);
    const { out } = await rolecall(["build"], { outcome: { ...upToDate, missing } });
    expect(out.match(/^ {2}\+ /gm)).toHaveLength(10);
    expect(out).toContain("  and 15 more\n");
  });

  test("warnings go to standard error and don't stop it", async () => {
    const { exit, out, err } = await rolecall(["build"], { diagnostics: [warning] });
    expect(exit).toBe(0);
    expect(err).toBe("warning[server/unused]: nobody uses `notes`\n\n1 warning\n");
    expect(out).not.toContain("notes`");
  });

  test("errors: exit 1, and the last good output stays", async () => {
    const { exit, out, err } = await rolecall(["build"], { diagnostics: [{ ...warning, severity: "error" }] });
    expect({ exit, out }).toEqual({ exit: 1, out: "" });
    expect(err).toContain("nothing was written");
  });

  test("sync is build", async () => {
    expect(await rolecall(["sync"], { outcome: changes })).toEqual(await rolecall(["build"], { outcome: changes }));
  });

  test("JSON says the same", async () => {
    const { exit, out, err } = await rolecall(["build", "--json"], { outcome: changes, diagnostics: [warning] });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      format: 1,
      diagnostics: [{ code: "server/unused" }],
      written: ["src/mcp/index.ts", "src/mcp/roles/new.ts"],
      removed: ["src/mcp/roles/old.ts"],
      unchanged: 5,
    });
  });
});

describe("build --check", () => {
  test("out of date is exit 2, with a word on each file", async () => {
    const { exit, out } = await rolecall(["build", "--check"], { outcome: changes });
    expect(exit).toBe(2);
    expect(out).toBe(
      [
        "3 files out of date",
        "  differs  src/mcp/index.ts",
        "  missing  src/mcp/roles/new.ts",
        "  stale    src/mcp/roles/old.ts",
        "run `rolecall build`, and commit what it writes",
        "",
      ].join("\n"),
    );
    expect(
      JSON.parse((await rolecall(["build", "--check", "--json"], { outcome: changes })).out).outOfDate,
    ).toContainEqual({ path: "src/mcp/roles/old.ts", how: "stale" });
  });

  test("up to date is exit 0, errors are exit 1", async () => {
    const blocked = { ...changes, blocked: changes.differs.slice(0, 1) };
    expect((await rolecall(["build", "--check"], { outcome: blocked })).out).toContain(
      "some of them aren't rolecall's, or can't be read: `rolecall build` writes nothing",
    );
    expect(await rolecall(["build", "--check"])).toMatchObject({ exit: 0, out: "up to date: 7 files\n" });
    expect(
      (await rolecall(["build", "--check"], { outcome: changes, diagnostics: [{ ...warning, severity: "error" }] }))
        .exit,
    ).toBe(1);
  });
});

test.each([
  [["src/mcp/index.ts"], "1 file", "it is the same but for layout: a formatter?"],
  [["src/mcp/a.ts", "src/mcp/index.ts"], "2 files", "they are the same but for layout: a formatter?"],
])("build --check of %j that a formatter wrote", async (differs, count, says) => {
  const outcome = { ...upToDate, differs, respaced: differs };
  const { exit, out } = await rolecall(["build", "--check"], { outcome });
  expect([exit, out]).toEqual([
    2,
    [
      `${count} out of date`,
      ...differs.map((file) => `  differs  ${file}`),
      says,
      "keep it away: what builds write belongs into .prettierignore, or what your formatter has for it",
      "run `rolecall build`, and commit what it writes",
      "",
    ].join("\n"),
  ]);
  const some = await rolecall(["build", "--check"], { outcome: { ...outcome, missing: ["src/mcp/b.ts"] } });
  expect(some.out).toContain(`${differs.length} of them `);
});

describe("progress", () => {
  const slow = (progress: (doing: string) => void, clock: { now: number }) => {
    progress("writing a.ts");
    clock.now = 400;
    progress("writing b.ts");
    clock.now = 410;
    progress("writing c.ts");
  };

  test("shows after a while on a terminal, not too often, and goes away", async () => {
    const { err } = await rolecall(["build"], { during: slow, isTerminal: true, width: 80 });
    expect(err).toBe("\r\u001b[2Kwriting b.ts\r\u001b[2K");
  });

  test("a quick build and a pipe see nothing of it", async () => {
    expect(
      (await rolecall(["build"], { during: (progress) => progress("writing"), isTerminal: true, width: 80 })).err,
    ).toBe("");
    expect((await rolecall(["build"], { during: slow })).err).toBe("");
  });
});

describe("build --watch", () => {
  test("builds at once and after each change, one build at a time, until stopped", async () => {
    const watch = watching();
    const done = main(["build", "--watch"], watch.terminal, watch.engine);
    await watch.settled();
    expect(watch.builds).toBe(1);
    watch.change(["rolecall.yaml"]);
    watch.change(["mcp/roles.yaml"]);
    await watch.settled();
    expect(watch.builds).toBe(2);
    watch.change(["src/mcp/access.json"]);
    await watch.settled();
    expect(watch.builds).toBe(2);
    watch.change(["src/mcp/access.json", "rolecall.yaml"]);
    await watch.settled();
    expect(watch.builds).toBe(3);
    expect(watch.followed()).toEqual({ others: ["prompts/reader.md"], folder: "mcp" });
    watch.stop();
    expect(await done).toBe(0);
    expect(watch.watching).toBe(false);
  });
});

function watching() {
  const scene = {
    builds: 0,
    watching: false,
    change: (_files: string[]) => {},
    followed: (): Followed => ({ others: [], folder: "" }),
    stop: () => {},
    settled: () => new Promise((resolve) => setTimeout(resolve, 10)),
  };
  const stream = { write: () => {}, isTerminal: false, width: undefined };
  const terminal: Terminal = {
    out: stream,
    err: stream,
    env: {},
    cwd: "/",
    now: () => 0,
    stopped: () => new Promise((resolve) => (scene.stop = resolve)),
  };
  const compiled = { ...sampleProject(), diagnostics: [] };
  const engine: Engine = {
    compile: async () => compiled,
    build: async () => (
      scene.builds++,
      {
        diagnostics: [],
        counts: { roles: 1, servers: 1, tools: 1 },
        others: ["prompts/reader.md"],
        folder: "mcp",
        outcome: { ...upToDate, differs: ["src/mcp/access.json"] },
      }
    ),
    strays: async () => [],
    watch: async (_, changed, followed) => {
      scene.watching = true;
      scene.followed = followed;
      scene.change = changed;
      return () => void (scene.watching = false);
    },
  };
  return Object.assign(scene, { terminal, engine });
}
