import { commands } from "./commands.ts";

/** What `rolecall` and `rolecall --help` show. */
export function firstPage(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const list = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `${OPENING}\n${list.join("\n")}\n${CLOSING}`;
}

const OPENING = `rolecall says which role may call which tool of which MCP server, and compiles
that into typed modules, JSON and a page for reviewers.

usage: rolecall COMMAND [flags]
`;

const CLOSING = `
A first look at a project:
  rolecall build
  rolecall report
  rolecall explain reader github.create_issue

Every command takes
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the answer as JSON
  --quiet         nothing but errors, and what the command is to show
  --no-color      no colours (NO_COLOR does the same)
  --help          its page, with examples

Exit codes: 0 fine, 1 errors in the project, 2 the difference that you asked
for was found, 3 could not check, 64 wrong usage.
`;
