import { describe, expect, test } from "vitest";
import { compiled, decision, errors, heldBy, manifest } from "../../support/compiled.ts";

/** What MAGSAG's files say of servers and roles that others declare: patterns reach all, and what is no name is no other name. */

const reads = (name: string) => ({ name, annotations: { readOnlyHint: true } });
const pin = manifest(reads("list"), "push");
const SERVERS = ["git", "git-lab", "github"];
const files = (line: string, more: Readonly<Record<string, string>> = {}) => ({
  ...Object.fromEntries(SERVERS.map((name) => [`mcp/manifests/${name}.json`, pin])),
  "rolecall.yaml": `version: 1
project: p
imports: ["c/*.yaml"]
servers: { ${SERVERS.map((name) => `${name}: { connect: [{ stdio: [serve] }] }`).join(", ")} }
roles: { dev: { tools: { ${SERVERS.map((name) => `${name}: all`).join(", ")} } } }
`,
  "c/p.yaml": `${line}\n`,
  ...more,
});
const rule = (text: string) => `policies: { tools: { ${text} } }`;

describe("a pattern over servers", () => {
  const denied = (line: string, more?: Readonly<Record<string, string>>) => {
    const found = compiled(files(line, more));
    if (errors(found).length > 0) return errors(found).join(" ");
    return SERVERS.filter((server) => decision(found, "dev", server, "push")?.effect !== "allow").join(" ");
  };

  test.each([
    ["git*.push", "git git-lab github"],
    ["git-*.push", "git-lab"],
    ["GIT*.push", "git git-lab github"],
    ["*hub.push", "github"],
    ["git?ub.pu*", "github"],
    ["*.push", "git git-lab github"],
    ["GitHub.push", "github"],
    ["lab*.push", "server/unknown"],
    ["git*.pull", "policy/matches-nothing"],
    ["!git.push", "import/not-of-format"],
    ["!git*.push", "import/not-of-format"],
    ["{git,github}.push", "import/not-of-format"],
    ["[g]it.push", "import/not-of-format"],
    ["my git*.push", "import/not-of-format"],
    ["-git.push", "import/not-of-format"],
    ["~git.push", "import/not-of-format"],
  ])("%s: deny", (text, expected) => {
    expect(denied(rule(`"${text}": deny`))).toBe(expected);
    expect(denied(rule(`"${text}": require-approval`))).toBe(expected);
  });

  test("finds a server by its own name where the project gives it another", () => {
    const more = {
      "s/lab.yaml": "server_id: Team Tracker\ntype: mcp\ncommand: serve\n",
      "mcp/manifests/ours.json": pin,
    };
    const { "rolecall.yaml": project, ...others } = files(rule('"team*.push": deny'), more);
    const text = project
      .replace('["c/*.yaml"]', '["c/*.yaml", { file: s/lab.yaml, servers: { Team Tracker: ours } }]')
      .replace("github: all", "github: all, ours: all");
    const found = compiled({ ...others, "rolecall.yaml": text });
    expect(errors(found)).toEqual([]);
    expect(decision(found, "dev", "ours", "push")?.effect).toBe("deny");
    expect(decision(found, "dev", "git", "push")?.effect).toBe("allow");
  });

  test("finds what the list of the file itself calls otherwise", () => {
    const { "rolecall.yaml": project, ...others } = files(rule('"Code*.push": deny'));
    const text = project.replace('["c/*.yaml"]', "[{ file: c/p.yaml, servers: { Code Host: github } }]");
    const found = compiled({ ...others, "rolecall.yaml": text });
    expect(errors(found)).toEqual([]);
    expect(decision(found, "dev", "github", "push")?.effect).toBe("deny");
    expect(decision(found, "dev", "git", "push")?.effect).toBe("allow");
  });

  test("opens nothing where it lets through", () => {
    const agent = "slug: x\nrequires: { mcp: [git, git-lab] }\n";
    expect(heldBy(compiled(files(agent + rule('"git*.push": allow'))), "x")).toEqual(["git.list", "git-lab.list"]);
    expect(heldBy(compiled(files(agent + rule('"git-*.push": allow'))), "x")).toEqual(["git.list", "git-lab.list"]);
  });
});

describe("what is no name grants nothing", () => {
  const said = (line: string) => {
    const found = compiled(files(`slug: x\n${line}`, { "c/s.yaml": 'id: skill.admin\npermissions: ["mcp:git"]\n' }));
    return errors(found).length > 0 ? errors(found).join(" ") : heldBy(found, "x").join(" ");
  };
  test.each([
    ['permissions: ["mcp:git"]', "git.list"],
    ['permissions: ["mcp: git"]', "git.list"],
    ['permissions: ["mcp:!git"]', "import/not-of-format"],
    ['permissions: ["mcp:-git"]', "import/not-of-format"],
    ['permissions: ["mcp:git*"]', "import/not-of-format"],
    ['permissions: ["mcp:git, github"]', "import/not-of-format"],
    ['permissions: ["mcp:"]', "import/not-of-format"],
    ['requires: { mcp: ["!git"] }', "import/not-of-format"],
    ['requires: { mcp: ["git-lab*"] }', "import/not-of-format"],
    ['requires: { mcp: ["*"] }', "import/not-of-format"],
    ["skills: [skill.admin]", "git.list"],
    ['skills: ["magsag://skill.admin@>=0.1.0"]', "git.list"],
    ['skills: ["!skill.admin"]', "import/not-of-format"],
    ['skills: ["magsag://!skill.admin"]', "import/not-of-format"],
    ['depends_on: { skills: ["skill.*"] }', "import/not-of-format"],
    ...[
      "~git",
      "^git",
      "@!git",
      "(!git)",
      "−git",
      "git-",
      "git?",
      "git|hub",
      "git;hub",
      "#git",
      "//git",
      "{git}",
      "[git]",
    ].map((name) => [`requires: { mcp: ["${name}"] }`, "import/not-of-format"]),
    ...["(git)", "\ud83d\udc19 git", ".git", "git!"].map((name) => [`requires: { mcp: ["${name}"] }`, "git.list"]),
  ])("%s", (line, expected) => expect(said(line)).toBe(expected));

  test("the text and the next step are told", () => {
    const found = compiled(files('slug: x\npermissions: ["mcp:!github"]'));
    const told = found.diagnostics.find(({ code }) => code === "import/not-of-format");
    expect([told?.says, told?.at?.line]).toEqual([
      "`!github` as the name of a server is nothing that MAGSAG's catalog can say",
      2,
    ]);
  });
});

describe("a name with other signs", () => {
  const server = (name: string) => `server_id: ${JSON.stringify(name)}\ntype: mcp\ncommand: serve\n`;
  const names = ["Jira (prod)", "R&D: Jira", "Jira + Wiki", "Jira's #1", ".NET Docs", "7-Zip", "Yahoo!", "@team/jira"];

  test.each(names)("means the server that is declared so: %s", (name) => {
    const { "rolecall.yaml": project, ...others } = files(`slug: x\nrequires: { mcp: [${JSON.stringify(name)}] }`);
    const declared = compiled({
      "rolecall.yaml": project.replace("c/*.yaml", "s/*.yaml"),
      "s/jira.yaml": server(name),
    });
    const own = declared.plan.servers.find(({ name }) => !SERVERS.includes(name))!.name;
    const found = compiled({
      ...others,
      "rolecall.yaml": project.replace("c/*.yaml", "*/*.yaml"),
      "s/jira.yaml": server(name),
      [`mcp/manifests/${own}.json`]: pin,
    });
    expect(errors(found)).toEqual([]);
    expect(heldBy(found, "x")).toEqual([`${own}.list`]);
  });

  test.each(["Q&A Bot", "Ops (on call)", "Fix: it", "What's up"])("means the role that is declared so: %s", (name) => {
    const agent = `slug: ${JSON.stringify(name)}\nrequires: { mcp: [git] }\n`;
    const found = compiled(files(`slug: x\nskills: [${JSON.stringify(name)}]`, { "c/other.yaml": agent }));
    expect(errors(found)).toEqual([]);
    expect(heldBy(found, "x")).toEqual(["git.list"]);
  });
});
