import path from "node:path";
import { describe, expect, test } from "vitest";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { compile } from "../../compiler/compile.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { openProject } from "../../compiler/io/read/project-files.ts";
import { at, newFolderForEachTest, put } from "../support/output-folder.ts";

/** Files that `state:` names. A team begins without them, so that none is an error; a slip in a path is said. */

const FILES = [".squad/decisions.md", ".squad/backlog.json", ".squad/agents/kit/charter.md", "DECISIONS.md"];
newFolderForEachTest();

const said = (state: string, files = FILES): string[] => {
  for (const file of files) put(file, "[]\n");
  const roles = "roles: { lead: { tools: { squad: all } } }\n";
  put("rolecall.yaml", `version: 1\nproject: harbor\nstate: { name: squad, ${state} }\n${roles}`);
  const { diagnostics } = compile(openProject(path.dirname(at("rolecall.yaml"))), allHosts([]), lazyLibraries());
  return diagnostics.map(({ severity, code, says, help }) => `${severity} ${code}: ${says}; ${help}`);
};

describe("a slip is a warning", () => {
  test.each([
    ["decisions: .squad/decisons.md", "`decisions` of `state`", ".squad/decisons.md", ".squad/decisions.md"],
    ["decisions: .sqad/decisions.md", "`decisions` of `state`", ".sqad/decisions.md", ".squad/decisions.md"],
    ["decisions: DECISION.md", "`decisions` of `state`", "DECISION.md", "DECISIONS.md"],
    ["backlog: .squad/backlg.json", "`backlog` of `state`", ".squad/backlg.json", ".squad/backlog.json"],
    [
      'history: ".squad/agent/{name}/h.md"',
      "`history` of `state`",
      ".squad/agent/{name}/h.md",
      ".squad/agents/{name}/h.md",
    ],
    [
      "members: { kit: { role: lead, charter: .squad/agents/kti/charter.md } }",
      "`charter` of member `kit`",
      ".squad/agents/kti/charter.md",
      ".squad/agents/kit/charter.md",
    ],
  ])("%s", (state, owner, file, meant) => {
    expect(said(state)).toEqual([
      `warning state/no-file: ${owner} names \`${file}\`, which isn't there; did you mean \`${meant}\`?`,
    ]);
  });

  test("so is a folder that isn't there", () => {
    expect(said("decisions: notes/of/decisions.md")).toEqual([
      "warning state/no-file: `decisions` of `state` names `notes/of/decisions.md`, which isn't there; make the folder `notes`, or correct the path, which begins at the project's folder",
    ]);
  });
});

test("a file that is to come is a note", () => {
  expect(said("decisions: .squad/adr.md")).toEqual([
    "note state/file-to-come: `decisions` of `state` names `.squad/adr.md`, which isn't there yet; fine if it is to come; until then the team's state says that there is none",
  ]);
});

test.each(FILES.slice(0, 1))("nothing is said of what is there, nor of what nobody named: %s", (file) => {
  expect(said(`decisions: ./${file}, history: "{name}.md"`)).toEqual([]);
  expect(said("command: [rolecall, state]", [])).toEqual([]);
});
