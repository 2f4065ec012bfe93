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
import { findServer, findToolOf } from "../find-tool.ts";
import { oneToolJson, oneToolPage, serverPage, serverPageJson } from "./page.ts";
import { wholeProject } from "../whole-project.ts";
import type { Server } from "../../3-plan/types.ts";

const help = `rolecall inspect: one server and all its tools.

usage: rolecall inspect SERVER [--tool NAME]

Shows how the server is reached, its limits, the names of its variables, and
for each tool of its manifest the hints (read-only, destructive ...), the labels
and the roles that hold it. What it shows is the pinned manifest: no server is
contacted.

  rolecall inspect github
  rolecall inspect github --tool create_issue
  rolecall inspect github --json | jq '.tools[] | select(.heldBy == []) | .name'

flags:
  --tool NAME     one tool: its description and schemas as pinned, keys sorted
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the answer as JSON

Why a role holds a tool: rolecall explain ROLE SERVER.TOOL
`;

export const inspect: Command = {
  help,
  flags: [{ name: "tool", value: "NAME" }],
  takes: [["server"]],
  run: async (context, args) => {
    const [name, extra] = args.words;
    if (name === undefined || extra !== undefined) {
      return wrongUsage(context.terminal, "inspect takes the name of one server", "rolecall ls lists the servers");
    }
    const compiled = await wholeProject(context);
    if (compiled === undefined) return EXIT.errors;
    const server = findServer(compiled.plan, name);
    if ("problem" in server) return wrongUsage(context.terminal, server.problem, server.next);
    return showServer(server, compiled, context, args);
  },
};

function showServer(server: Server, { plan, locate }: Compiled, context: Context, args: Args): number {
  const { out } = context.terminal;
  const wanted = args.values.get("tool");
  if (wanted === undefined) {
    if (context.json) printJson(context, serverPageJson(plan, server, locate));
    else out.write(serverPage(plan, server, locate, styleOf(context, out)));
    return EXIT.fine;
  }
  const found = findToolOf(server, wanted);
  if ("problem" in found) return wrongUsage(context.terminal, found.problem, found.next);
  if (context.json) printJson(context, { format: 1, server: server.name, tool: oneToolJson(plan, found.tool) });
  else out.write(oneToolPage(plan, server, found.tool, styleOf(context, out)));
  return EXIT.fine;
}
