import { wrongUsage, type Command } from "../command.ts";
import { noWords } from "../words.ts";

const help = `rolecall state: the team's state as an MCP server.

usage: rolecall state [--name NAME]

Roster, decisions, backlog, metrics, and what each agent is doing: to look at,
as resources and two tools, on standard input and output. It reads files that
your team writes and changes none. Who is at work is known while the project
is served (\`rolecall serve\`); until then it is null, and nothing is started.

  rolecall state

is what the entry of a host that takes MCP servers names. With \`state:\` in
rolecall.yaml it is a server of the project, and roles hold it like any other;
started by \`rolecall serve\` it tells what a person accepted of a build.

flags:
  --name NAME     the server's name and the scheme of its addresses, in place
                  of the one in rolecall.yaml
  --project DIR   the folder with rolecall.yaml, when it isn't here or above

Exit codes: 0 its input has ended, 1 errors in the project, 64 wrong usage.
`;

export const state: Command = {
  help,
  flags: [{ name: "name", value: "NAME" }],
  staysSilent: true,
  forPrograms: true,
  run: async (context, args) => {
    const name = args.values.get("name");
    if (name !== undefined && !/^[a-z][a-z0-9-]{0,30}$/.test(name))
      return wrongUsage(
        context.terminal,
        "--name is a name of at most 31 lower-case letters, digits and `-`, a letter first",
        "rolecall state --name squad",
      );
    return noWords("state", args, context) ?? (await import("./run.ts")).serveTeam(context, name);
  },
};
