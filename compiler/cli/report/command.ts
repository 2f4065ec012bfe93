import {
  EXIT,
  printJson,
  styleOf,
  wrongUsage,
  type Args,
  type Command,
  type Compiled,
  type Context,
} from "../command.ts";
import { findServer } from "../find-tool.ts";
import { toolMatrixJson, toolMatrixMarkdown, toolMatrixText } from "./tool-matrix.ts";
import { wholeProject } from "../whole-project.ts";
import { noWords } from "../words.ts";
import type { Server } from "../../3-plan/types.ts";

const help = `rolecall report: who may use what, as one table.

usage: rolecall report [--server NAME | --tokens] [--terminal | --markdown]

Rows are roles, columns are servers: "12 of 26" is how many of the server's
tools the role holds, "3 ask" how many of those need a yes for each call, and
"2 where" how many are bound by conditions on their arguments. "tokens" is
what the definitions of its tools cost a model in each request, about, of what
all tools of its servers would cost; with --tokens server by server.
With --server it goes through one server tool by tool.

Below stand tools that are dangerous together: private data, untrusted content
and a way out in one role, or what it writes and what it runs; which tools are
which, and the fewest without which it is gone. Labels and hints say what a tool
is. It is information: an invariant with \`together\` makes it an error.

  rolecall report
  rolecall report --server github
  rolecall report --markdown >> "$GITHUB_STEP_SUMMARY"

flags:
  --server NAME   one server: rows are its tools, columns the roles
  --tokens        what each server's tools cost each role
  --terminal      a table that fits your terminal (this is the default)
  --markdown      a Markdown table
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the counts as JSON
  --no-color      no colours (NO_COLOR does the same)

Why one of them is so: rolecall explain ROLE SERVER.TOOL
`;

export const report: Command = {
  help,
  flags: [{ name: "server", value: "NAME" }, { name: "tokens" }, { name: "terminal" }, { name: "markdown" }],
  run: async (context, args) => {
    const wrong = noWords("report", args, context) ?? oneShape(context, args);
    if (wrong !== undefined) return wrong;
    const compiled = await wholeProject(context);
    if (compiled === undefined) return EXIT.errors;
    const name = args.values.get("server");
    if (name === undefined) return (await import("./run.ts")).showAll(compiled, context, args);
    const server = findServer(compiled.plan, name);
    return "problem" in server
      ? wrongUsage(context.terminal, server.problem, server.next)
      : showServer(server, compiled, context, args);
  },
};

function oneShape(context: Context, args: Args): number | undefined {
  if (args.on.has("tokens") && (args.on.has("markdown") || args.values.has("server")))
    return wrongUsage(context.terminal, "--tokens is a table of its own", "rolecall report --tokens; --json has both");
  const shapes = ["terminal", "markdown", "json"].filter((flag) => args.on.has(flag));
  if (shapes.length < 2) return undefined;
  return wrongUsage(
    context.terminal,
    `--${shapes[0]} and --${shapes[1]} can't be given together`,
    "give the one that you want to see",
  );
}

function showServer(server: Server, { plan }: Compiled, context: Context, args: Args): number {
  const { out } = context.terminal;
  if (context.json) printJson(context, toolMatrixJson(plan, server));
  else
    out.write(
      args.on.has("markdown") ? toolMatrixMarkdown(plan, server) : toolMatrixText(plan, server, styleOf(context, out)),
    );
  return EXIT.fine;
}
