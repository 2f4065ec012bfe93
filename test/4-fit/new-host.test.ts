import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import { keptNames } from "../../compiler/4-fit/kept-names.ts";
import { ownTools } from "../../compiler/4-fit/own-tools.ts";
import type { Host, Target } from "../../compiler/5-artifacts/target.ts";
import { allTargets } from "../../compiler/5-artifacts/targets.ts";
import { ownPlaces } from "../../compiler/base/own-places.ts";
import { compile } from "../../compiler/compile.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { readResources } from "../../compiler/io/read/resources.ts";
import { textOf } from "../support/artifact-text.ts";
import { manifest } from "../support/compiled.ts";
import { newFolderForEachTest, put, run, text, tree } from "../support/output-folder.ts";

/** What somebody writes who adds a host: this value in a folder of its own. */
const lantern: Host<{ readonly reach: string }> = {
  id: "lantern",
  title: "Lantern",
  alsoCalled: ["lamp-post"],
  places: {
    shared: [".lantern/settings.json"],
    agents: ".lantern/agents",
    bare: ["*.lantern"],
    keyed: [{ file: /^\.lantern\/settings\.json$/, format: "json", keys: /^servers\/[^/]+$/ }],
    into: { file: /(?:^|\/)lantern\.json$/, example: "lantern.json" },
  },
  abilities: {
    hide: { holds: "enforced" },
    ask: { holds: "asked" },
    conditions: { holds: "none" },
    resources: { holds: "enforced" },
    delegation: { holds: "enforced" },
    builtins: { holds: "enforced" },
    references: { holds: "enforced" },
    pins: { holds: "none" },
    limits: { holds: "none" },
    roles: true,
    filtersByName: false,
    longestName: undefined,
  },
  ownTools: ownTools({ seenIn: "Lantern 1", shells: ["kindle"] }, { runs: "kindle", reads: "shine" }),
  kept: keptNames("Lantern 1", {}),
  joinedName: (server, tool) => `${server}:${tool}`,
  tell: (transport) =>
    transport.kind === "stdio" ? { problem: "starts no program" } : { value: { reach: transport.url.written } },
  start: ({ role }) => ({ byHand: `light \`${role}\`` }),
  *emit({ plan, roles }) {
    for (const { name, servers } of roles)
      yield { path: `${plan.project.folder}/hosts/lantern/${name}.lantern`, text: servers.map(textFor).join("") };
    const keys = roles.flatMap(({ servers }) =>
      servers.map(({ server, told }) => ({ at: ["servers", server.name], value: told.reach })),
    );
    yield { path: ".lantern/settings.json", format: "json", keys };
  },
};

function textFor({ server, told, tools }: Parameters<typeof lantern.emit>[0]["roles"][number]["servers"][number]) {
  return `${server.name} at ${told.reach}: ${tools.map(({ joined }) => joined).join(" ")}\n`;
}

/** And the line in the list of hosts. */
const targets: readonly (Target | Host)[] = [...allTargets(readResources()), lantern];

const TEAM = {
  "rolecall.yaml": "version: 1\nproject: harbor\nhosts: [lantern]\n",
  "mcp/team.yaml": `
servers:
  notes: { connect: [{ http: "https://notes.example/mcp" }] }
  local: { connect: [{ stdio: [local-server] }] }
roles:
  keeper:
    tools: { notes: { include: [look, write_it], where: { write_it: { path: { glob: "a/**" } } } }, local: all }
    builtins: { lantern: [shine] }
`,
  "mcp/manifests/notes.json": manifest("look", { name: "write_it", arguments: ["path"] }),
  "mcp/manifests/local.json": manifest("run"),
};

function told(files: Readonly<Record<string, string>> = {}) {
  const compiled = compile(memoryFiles({ ...TEAM, ...files }), targets, lazyLibraries());
  const says = compiled.diagnostics.map(({ code, says: what, help }) => `${code}: ${what}; ${help}`).join("\n");
  return { ...compiled, says, artifacts: new Map([...compiled.artifacts].map((one) => [one.path, one])) };
}

newFolderForEachTest();

describe("a host that is one value and one line", () => {
  test("is chosen, fitted, emitted and told of", () => {
    const { hosts, artifacts, diagnostics } = told();
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(hosts.map(({ host }) => host.id)).toEqual(["lantern"]);
    expect(textOf(artifacts.get("mcp/hosts/lantern/keeper.lantern")!)).toBe(
      "notes at https://notes.example/mcp: notes:look\n",
    );
    expect(artifacts.get(".lantern/settings.json")).toMatchObject({
      keys: [{ at: ["servers", "notes"], value: "https://notes.example/mcp" }],
    });
    const access = textOf(artifacts.get("src/mcp/ACCESS.md")!);
    expect(access).toContain("Lantern");
    expect(access).toContain("starts no program");
    expect(access).toContain("`shine`");
  });

  test("is named in answers to a slip, with its own tools", () => {
    const slip = "version: 1\nproject: harbor\nhosts: [lamp-post]\n";
    expect(told({ "rolecall.yaml": slip }).says).toContain("did you mean `lantern`?");
    const team = TEAM["mcp/team.yaml"];
    expect(told({ "mcp/team.yaml": team.replace("lantern: [", "lantrn: [") }).says).toContain("role/unknown-host");
    expect(told({ "mcp/team.yaml": team.replace("[shine]", "[shne]") }).says).toContain("role/unknown-builtin");
    const guarded = `${team.replace("[shine]", "[kindle]")}
policies: [{ name: still, roles: ["*"], effect: deny, tools: [local.run] }]
`;
    expect(told({ "mcp/team.yaml": guarded }).says).toContain("role/shell-undoes-policy");
  });

  test("has its own files, which nothing else is taken for", () => {
    const settings = (text: string) => `version: 1\nproject: harbor\n${text}\n`;
    expect(told({ "mcp/hosts/lantern/keeper.lantern": "x" }).says).not.toContain("source/stray");
    expect(told({ "mcp/hosts/lantern/keeper.lamp": "x" }).says).toContain("source/stray");
    expect(told({ "rolecall.yaml": settings("out: .lantern/settings.json") }).says).toContain(
      "`.lantern/settings.json` is where hosts look",
    );
    const team = `${TEAM["mcp/team.yaml"]}    prompt: .lantern/agents/keeper.md\n`;
    expect(told({ "mcp/team.yaml": team, ".lantern/agents/keeper.md": "x" }).says).toContain("role/bad-prompt");
    const into = (file: string) => told({ "rolecall.yaml": settings(`hosts: [{ id: lantern, into: ${file} }]`) }).says;
    expect(into("lantern.json")).not.toContain("into");
    expect(into("other.json")).toContain("it isn't a file of Lantern's");
    expect(told({ "rolecall.yaml": settings("hosts: [{ id: codex, into: a.json }]") }).says).toContain(
      "`into` is for opencode, lantern",
    );
    expect(ownPlaces([lantern])("mcp/hosts/lantern/keeper.lantern~HEAD", "mcp")).toBe(true);
  });

  test("has its keys and files taken out again, and the user's left", () => {
    put(".lantern/settings.json", '{ "mine": 1 }\n');
    run(told().artifacts.values(), "write", { hosts: [lantern] });
    expect(JSON.parse(text(".lantern/settings.json"))).toEqual({
      mine: 1,
      servers: { notes: "https://notes.example/mcp" },
    });
    expect(Object.keys(tree())).toContain("mcp/hosts/lantern/keeper.lantern");
    const without = told({ "rolecall.yaml": "version: 1\nproject: harbor\n" }).artifacts;
    run(without.values(), "write", { hosts: [lantern] });
    expect(text(".lantern/settings.json")).toBe('{ "mine": 1 }\n');
    expect(Object.keys(tree())).not.toContain("mcp/hosts/lantern/keeper.lantern");
  });
});
