import { wrap } from "../base/wrap.ts";
import type { CommandEntry } from "./command.ts";
import { commands } from "./commands.ts";

/** What `rolecall` and `rolecall --help` show: the commands of the first hour, and where the others are. */
export function firstPage(): string {
  const others = commands.filter(({ isFirst }) => !isFirst).map(({ name }) => name);
  const more = wrap(`  ${others.join(", ")}`, 80, "  ");
  return [OPENING, ...linesOf(commands.filter(({ isFirst }) => isFirst)), "", MORE, ...more, CLOSING].join("\n");
}

/** `rolecall help all`. */
export function allPage(): string {
  return [OPENING, ...linesOf(commands), CLOSING].join("\n");
}

function linesOf(shown: readonly CommandEntry[]): string[] {
  const width = Math.max(...shown.map(({ name }) => name.length));
  return shown.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

const OPENING = `rolecall says which role may call which tool of which MCP server, and compiles
that into typed modules, JSON and a page for reviewers.

usage: rolecall COMMAND [flags]
`;

const MORE = "and, with a line each in `rolecall help all`:";

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
