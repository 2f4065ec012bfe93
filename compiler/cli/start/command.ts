import { visible } from "../../base/visible.ts";
import { wrongUsage, type Command } from "../command.ts";
import { readTime } from "../arguments.ts";

const help = `rolecall start: starts an agent host as one of the project's roles.

usage: rolecall start ROLE --host H [-- args]

First what \`rolecall doctor --host\` looks at: the variables of the role's
servers, the host's files, its command, its servers and their tools. What stops
the start comes with its next step. Then the command that \`rolecall hosts\`
shows is run in the project's folder, without a shell, on this terminal. What
stands behind \`--\` is handed to it as it is. Signals reach it, and its exit
code is the answer.

  rolecall start tester --host claude-code
  rolecall start tester --host claude-code -- --continue
  rolecall start tester --host codex --print

flags:
  --host H        one of \`hosts\` in rolecall.yaml
  --print         show the command for a shell; check and start nothing
  --timeout 30s   for each transport, instead of the server's own limit
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          why it can't start, or with --print the command, as JSON
  --no-color      no colours (NO_COLOR does the same)

Exit codes: the host's own; before it runs 1 something isn't ready, 3 the
system refuses, 64 wrong usage, also for a host in your own program.
`;

export const start: Command = {
  help,
  flags: [{ name: "host", value: "H", names: "host" }, { name: "print" }, { name: "timeout", value: "30s" }],
  takes: [["role"]],
  handsOn: true,
  run: async (context, args) => {
    const { terminal } = context;
    const [role, extra] = args.words;
    const host = args.values.get("host");
    if (role === undefined || host === undefined)
      return wrongUsage(
        terminal,
        role === undefined ? "start needs a role and a host" : "start needs a host",
        `rolecall start ${role === undefined ? "ROLE" : visible(role)} --host ${host === undefined ? "HOST" : visible(host)}; \`rolecall hosts\` shows the hosts`,
      );
    if (extra !== undefined)
      return wrongUsage(
        terminal,
        `start takes one role, and \`${visible(extra)}\` is a second word`,
        "what the host is handed stands behind `--`",
      );
    const timeout = readTime(args, "timeout");
    if (typeof timeout === "object") return wrongUsage(terminal, timeout.problem, "--timeout 30s");
    const { startRole } = await import("./run.ts");
    return startRole(context, {
      role,
      host,
      more: args.behind,
      print: args.on.has("print"),
      timeoutMs: timeout,
    });
  },
};
