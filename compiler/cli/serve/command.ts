import { noWords } from "../words.ts";
import { wrongUsage, type Command } from "../command.ts";

const help = `rolecall serve: one MCP server for a role, which holds every rule of the plan.

usage: rolecall serve --role R [--server S]

What an agent host's file names in place of the servers. It lists what the
role holds, from the pins, and judges each call before a server sees it.

  rolecall serve --role tester

flags:
  --role R        serve this role on standard input and output
  --server S      its tools of this server alone, under their own names
  --project DIR   the folder with rolecall.yaml, when it isn't here or above

Exit codes: 0 its input has ended, 1 errors in the project, 2 the sources
aren't those of the last build, 64 wrong usage.
`;

export const serve: Command = {
  help,
  flags: [
    { name: "role", value: "R", names: "role" },
    { name: "server", value: "S", names: "server" },
  ],
  staysSilent: true,
  run: async (context, args) => {
    const wrong = noWords("serve", args, context);
    if (wrong !== undefined) return wrong;
    const role = args.values.get("role");
    if (role === undefined) return wrongUsage(context.terminal, "serve needs a role", "rolecall serve --role R");
    const { serveHere } = await import("./run.ts");
    return serveHere(context, { role, server: args.values.get("server") });
  },
};
