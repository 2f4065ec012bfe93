import { wrongUsage, type Command } from "../command.ts";
import { readSince } from "../since.ts";

const help = `rolecall calls: what the record of calls says.

usage: rolecall calls [file...] [--audit] [--server S] [--role R] [--tool T]
                      [--since TIME]

Reads the record that an app writes with team({ record }): how many calls and
errors, how available each server was, how long calls took (average, and what
50 % and 95 % of them didn't exceed), by server, role and tool, the slowest
first. What was moved away (calls.jsonl.1 ...) is read with it. Without a file:
the newest one below .runs/ that ends in calls.jsonl. "-" is standard input.

  rolecall calls
  rolecall calls .runs/r1/calls.jsonl --server github --since 24h
  rolecall calls --audit             who asked, who said yes, what was refused
  rolecall calls --json | jq .mcp_stats

flags:
  --audit         asks and their answers, refusals, arguments that climb out of
                  a folder (..), tools that change something: by the project's
                  pinned hints, else by words of their names
  --server S      only calls of this server
  --role R        only calls of this role
  --tool T        only calls of this tool: list_issues or github.list_issues
  --since TIME    only calls since then: 30m, 24h, 7d, 2026-03-01,
                  2026-03-01T09:30 (UTC)
  --project DIR   the folder with .runs/, when it isn't here or above
  --json          all figures as JSON; mcp_stats among them
  --no-color      no colours (NO_COLOR does the same)

Every call counts in durations, a refused one too. A server was available for
the calls that it answered, if only with an error; below 95 % it is marked low.
Lines that can't be read are told and left out. Exit codes: 0 fine, 3 there is
no record that can be read.
`;

export const calls: Command = {
  help,
  flags: [
    { name: "audit" },
    { name: "server", value: "S", names: "server" },
    { name: "role", value: "R", names: "role" },
    { name: "tool", value: "T", names: "tool" },
    { name: "since", value: "TIME" },
  ],
  takes: [["file"]],
  takesMore: true,
  run: async (context, args) => {
    const since = readSince(args, Date.now());
    if (typeof since === "object") return wrongUsage(context.terminal, since.problem, "rolecall calls --since 24h");
    const { showCalls } = await import("./run.ts");
    return showCalls(context, {
      files: args.words,
      audit: args.on.has("audit"),
      filter: {
        server: args.values.get("server"),
        role: args.values.get("role"),
        tool: args.values.get("tool"),
        since,
      },
    });
  },
};
