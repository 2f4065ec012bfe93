import { visible } from "../../base/visible.ts";
import { wrongUsage, type Command } from "../command.ts";
import { readTime } from "../arguments.ts";

const help = `rolecall doctor: can the servers be reached, and if not, what to do?

usage: rolecall doctor [server...] [--timeout 30s] [--record FILE]
       rolecall doctor --host H --role R

Connects to each server over every transport that is written for it, as a team
would, reads its tools and closes again. Nothing is written and no tool is
called. Without a name: every server of the project, whether TypeScript is set
up for the generated code, and files that an earlier \`out\` left behind.

  reachable     it answered, and listed its tools
  needs-auth    it asks for a login (401)
  auth-failed   it knows the credentials and refuses them (403, 451)
  unreachable   nobody answers, or a variable isn't set

A server's word is that of the first transport at which a team would stop: the
next one is tried only where nobody answers. Each comes with one next step.
Values of variables are never shown.

With a host and a role it checks what the role would find if it were started
there: first the variables that its servers need, since a host makes something
empty of an unset one or sends its name as it stands, and while one is missing
nothing is started. Then the host's files (there, up to date, not edited),
servers of your own in its other files that stay open beside every role,
whether its command is on the PATH, its servers over the one transport that
the host is told, and whether they still have the role's tools. A login of
yours isn't used: hosts have their own. The start commands of
\`rolecall hosts\` run this first.

  rolecall doctor                    all servers
  rolecall doctor github             this one
  rolecall doctor --host opencode --role tester
  rolecall doctor --json | jq '.servers[] | select(.state != "reachable")'

flags:
  --host H        what would be found on this host, one of \`hosts\`
  --role R        by this role
  --timeout 30s   for each transport, instead of the server's own limit
  --record FILE   also append a line for each transport to a record of calls
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          what was found as JSON
  --no-color      no colours (NO_COLOR does the same)

Exit codes: 0 all are reachable, or ready to start, 1 one isn't, 3 it couldn't
be found out.
`;

export const doctor: Command = {
  help,
  flags: [
    { name: "host", value: "H", names: "host" },
    { name: "role", value: "R", names: "role" },
    { name: "timeout", value: "30s" },
    { name: "record", value: "FILE", names: "file" },
  ],
  takes: [["server"]],
  takesMore: true,
  run: async (context, args) => {
    const timeout = readTime(args, "timeout");
    if (typeof timeout === "object")
      return wrongUsage(context.terminal, timeout.problem, "rolecall doctor --timeout 30s");
    const how = { timeoutMs: timeout, record: args.values.get("record") };
    const host = args.values.get("host");
    const role = args.values.get("role");
    if (host === undefined && role === undefined) {
      const { examineServers } = await import("./run.ts");
      return examineServers(context, { names: args.words, ...how });
    }
    if (host === undefined || role === undefined)
      return wrongUsage(context.terminal, "--host and --role belong together", "rolecall doctor --host H --role R");
    if (args.words.length > 0)
      return wrongUsage(
        context.terminal,
        "--host takes no server names: the role's servers are asked",
        `rolecall doctor --host ${visible(host)} --role ${visible(role)}`,
      );
    const { examineHost } = await import("./run.ts");
    return examineHost(context, { host, role, ...how });
  },
};
