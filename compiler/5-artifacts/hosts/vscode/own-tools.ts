import { ownTools } from "../../../4-fit/own-tools.ts";

/** Sets of tools, and the tools in them, as the editor's pages name both. */
export const OWN_TOOLS = ownTools(
  {
    seenIn: "VS Code's pages of September 2026",
    shells: ["execute", "terminal"],
    varies: "from extensions, and in newer versions",
  },
  {
    runs: "execute execute/createAndRunTask execute/runInTerminal execute/runNotebookCell vscode/installExtension vscode/runCommand",
    writes: "edit edit/createDirectory edit/createFile edit/editFiles edit/editNotebook newWorkspace",
    "reaches out": "browser githubRepo githubTextSearch web web/fetch",
    reads:
      "read search execute/getTerminalOutput execute/testFailure read/getNotebookSummary read/problems read/readFile read/readNotebookCellOutput read/terminalLastCommand read/terminalSelection search/changes search/codebase search/fileSearch search/listDirectory search/textSearch search/usages vscode/VSCodeAPI vscode/extensions vscode/getProjectSetupInfo",
    keeps: "todo todos vscode/askQuestions",
    "hands work on": "agent agent/runSubagent runSubagent",
  },
);

/** The sets, for roles that don't govern them or hold them all. */
export const BUILT_IN: readonly string[] = ["edit", "execute", "read", "search", "todo", "web"];
