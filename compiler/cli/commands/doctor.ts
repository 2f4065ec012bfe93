import { wrongUsage, type Command } from "../command.ts";
import { readTime } from "../time-flag.ts";

const help = `rolecall doctor: can the servers be reached, and if not, what to do?

usage: rolecall doctor [server...] [--timeout 30s] [--record FILE]

Connects to each server over every transport that is written for it, as a team
would, reads its tools and closes again. Nothing is written and no tool is
called. Without a name: every server of the project, and whether TypeScript is
set up for the generated code.

  reachable     it answered, and listed its tools
  needs-auth    it asks for a login (401)
  auth-failed   it knows the credentials and refuses them (403, 451)
  unreachable   nobody answers, or a variable isn't set

A server's word is that of the first transport at which a team would stop: the
next one is tried only where nobody answers. Each comes with one next step.
Values of variables are never shown.

  rolecall doctor                    all servers
  rolecall doctor github             this one
  rolecall doctor --json | jq '.servers[] | select(.state != "reachable")'

flags:
  --timeout 30s   for each transport, instead of the server's own limit
  --record FILE   also append a line for each transport to a record of calls
  --project DIR   the folder with rolecall.yaml, when it isn't this one
  --json          what was found as JSON
  --no-color      no colours (NO_COLOR does the same)

Exit codes: 0 all are reachable, 1 one isn't, 3 it couldn't be found out.
`;

export const doctor: Command = {
  help,
  flags: [
    { name: "timeout", value: "30s" },
    { name: "record", value: "FILE" },
  ],
  run: async (context, args) => {
    const timeout = readTime(args, "timeout");
    if (typeof timeout === "object")
      return wrongUsage(context.terminal, timeout.problem, "rolecall doctor --timeout 30s");
    const { examineServers } = await import("../examining.ts");
    return examineServers(context, { names: args.words, timeoutMs: timeout, record: args.values.get("record") });
  },
};
