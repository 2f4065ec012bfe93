import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openGitProject, temporaryFolder, type GitProject } from "../support/git-project.ts";

/** What a build overwrites is told when it would be lost, and not when the last commit has it as it lies there. */
let top: string;
let project: GitProject;
beforeEach(async () => {
  top = temporaryFolder();
  project = openGitProject(path.join(top, "team"));
  project.write({
    "rolecall.yaml": "version: 1\nproject: team\nhosts: [claude-code]\n",
    ".gitignore": ".rolecall/\n",
    "mcp/team.yaml": "servers: { db: { connect: [{ stdio: [db] }] } }\nroles: { reader: { tools: { db: [read] } } }\n",
    "mcp/manifests/db.json":
      '{"server":"db","tools":[{"name":"read","inputSchema":{"type":"object"}},{"name":"drop","inputSchema":{"type":"object"}}]}',
  });
  project.git("init", "-q");
  await project.build();
  project.commit("built");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const overwritten = async (): Promise<string[]> =>
  (await project.build()).diagnostics.filter(({ code }) => code === "output/overwritten").map(({ says }) => says);
const forgotten = (): void => rmSync(project.at(".rolecall"), { recursive: true, force: true });
const another = (): void =>
  project.write({
    "mcp/team.yaml":
      "servers: { db: { connect: [{ stdio: [db] }] } }\nroles: { reader: { tools: { db: [read, drop] } } }\n",
  });

describe("what no build here left so", () => {
  test("isn't told where it is committed: a fresh clone, a pull", async () => {
    forgotten();
    another();
    expect(await overwritten()).toEqual([]);
  });

  test("is told where somebody edited it since", async () => {
    writeFileSync(project.at("src/mcp/roles/reader.ts"), "// mine\n");
    forgotten();
    another();
    const [told, ...more] = await overwritten();
    expect(more).toEqual([]);
    expect(told).toContain("`src/mcp/roles/reader.ts`");
    expect(told).not.toContain("access.json");
  });

  test("is told where git has no commit", async () => {
    rmSync(project.at(".git"), { recursive: true, force: true });
    forgotten();
    another();
    expect((await overwritten())[0]).toContain("`src/mcp/access.json`");
  });
});

describe("a key in a file that is edited too", () => {
  const AGENT = ".claude/agents/reader.md";
  const edit = (from: string, to: string): void => {
    const text = project.text(AGENT);
    expect(text).toContain(from);
    project.write({ [AGENT]: text.replace(from, to) });
  };

  test("isn't told where the last commit has its value, whatever else was edited", async () => {
    another();
    project.commit("sources alone");
    forgotten();
    project.write({ [AGENT]: `${project.text(AGENT)}\nMy own text.\n` });
    expect(await overwritten()).toEqual([]);
    expect(project.text(AGENT)).toContain("My own text.");
    expect(project.text(AGENT)).toContain("drop");
  });

  test("is told where its value is nobody's, and the others aren't", async () => {
    edit("  - mcp__db__read\n", "  - mcp__db__all\n");
    forgotten();
    another();
    expect(await overwritten()).toEqual([expect.stringMatching(/be a build's: `.claude\/agents\/reader.md, tools`$/)]);
  });
});

describe("a merge that isn't done yet", () => {
  const holds = (tools: string): void =>
    project.write({
      "mcp/team.yaml": `servers: { db: { connect: [{ stdio: [db] }] } }\nroles: { reader: { tools: { db: ${tools} } } }\n`,
    });
  beforeEach(async () => {
    project.git("checkout", "-q", "-b", "theirs");
    holds("[drop]");
    await project.build();
    project.commit("theirs");
    project.git("checkout", "-q", "-");
    another();
    await project.build();
    project.commit("ours");
    forgotten();
  });

  test.each([["merge"], ["rebase"], ["cherry-pick"]])("isn't told of what a %s put together of both", async (how) => {
    expect(project.tries(how, "theirs")).toBe(false);
    expect(project.text("src/mcp/access.json")).toContain("<<<<<<<");
    holds("[read]");
    expect(await overwritten()).toEqual([]);
  });

  test("isn't told of a side's key, and is of what somebody wrote in between", async () => {
    expect(project.tries("merge", "theirs")).toBe(false);
    project.git("checkout", "--theirs", ".claude/agents/reader.md");
    project.write({
      ".claude/agents/reader.md": `${project.text(".claude/agents/reader.md")}\nMine.\n`,
      "src/mcp/access.json": `${project.text("src/mcp/access.json")}mine\n`,
    });
    holds("[read]");
    expect(await overwritten()).toEqual([expect.stringMatching(/be a build's: `src\/mcp\/access.json`$/)]);
  });
});

test("access.json is known by what it holds where the list that names it is gone", async () => {
  rmSync(project.at("src/mcp/files.txt"));
  forgotten();
  another();
  const { diagnostics } = await project.build();
  expect(diagnostics.map(({ code }) => code)).not.toContain("output/in-the-way");
  writeFileSync(project.at("src/mcp/access.json"), '{ "somebody": "else" }\n');
  const told = (await project.build()).diagnostics.filter(({ code }) => code === "output/in-the-way");
  expect(told.map(({ says }) => says)).toEqual(["`src/mcp/access.json` is in the way: rolecall didn't write it"]);
});

test("a source with a dot before its name is parked: it grants nothing", async () => {
  project.write({ "mcp/.ghost.yaml": "roles: { ghost: { tools: { db: all } } }\n" });
  const { diagnostics, counts } = await project.build();
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(counts.roles).toBe(1);
});
