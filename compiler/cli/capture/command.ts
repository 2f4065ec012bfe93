import { wrongUsage, type Command } from "../command.ts";
import { readTime } from "../arguments.ts";

const help = `rolecall capture: ask the real servers, and pin what they answer.

usage: rolecall capture [server...] [--check | --accept] [--timeout 30s]

Connects to each server over its own transports, with the variables of your
environment, and reads its tools exactly as it sends them. Shows what changed
since the last capture, which roles would hold other tools, and texts that look
aimed at the model. Then it asks, server by server, and writes the manifests
that you say yes to. Without a name: every server of the project. Servers are
asked twice; a tool that isn't the same both times is named.

  rolecall capture                   all servers; asks before it writes
  rolecall capture github notion     these two
  rolecall capture --accept          where nobody can be asked
  rolecall capture --check           in CI: are the manifests still true?

flags:
  --check         write nothing; say whether something changed
  --accept        write without asking
  --timeout 30s   for each transport, instead of the server's own limit
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          what was found and written as JSON; never asks
  --no-color      no colours (NO_COLOR does the same)

Exit codes: 0 captured or the same, 1 a server couldn't be captured, 2 something
changed and wasn't written, 3 a server couldn't be checked (with --check).
`;

export const capture: Command = {
  help,
  flags: [{ name: "check" }, { name: "accept" }, { name: "timeout", value: "30s" }],
  takes: [["server"]],
  takesMore: true,
  run: async (context, args) => {
    if (args.on.has("check") && args.on.has("accept"))
      return wrongUsage(
        context.terminal,
        "--check and --accept can't be given together",
        "--check writes nothing; --accept writes without asking",
      );
    const timeout = readTime(args, "timeout");
    if (typeof timeout === "object")
      return wrongUsage(context.terminal, timeout.problem, "rolecall capture --timeout 30s");
    const { captureServers } = await import("./run.ts");
    return captureServers(context, {
      names: args.words,
      check: args.on.has("check"),
      accept: args.on.has("accept"),
      timeoutMs: timeout,
    });
  },
};
