import { readSince } from "../since.ts";
import { wrongUsage, type Command } from "../command.ts";

const help = `rolecall unused: grants that nothing uses, and the edit that removes them.

usage: rolecall unused [role...] [--calls FILE...] [--since TIME] [--write]

Reads your app's TypeScript and JavaScript with its types, and finds which tools
each role's code names: tester.github.list_issues(), $call("github", "..."),
names taken apart or passed on. What can't be followed (a name made at run time,
a session that goes where types end) counts as possibly used, never as unused.
A role that a model is given (host files, aiTools, $tools() ...) is used as far
as code can tell: there only a record of calls says more.

  rolecall unused
  rolecall unused --calls .runs/r1/calls.jsonl --since 30d
  rolecall unused tester --write     take them out of tester's own source
  rolecall unused --check            in CI: exit 2 when something is unused

A role with \`keep: <reason>\` is left alone. Tools that code or calls ask for
and the role doesn't hold are told too.

flags:
  --calls FILE    a record of calls, as team({ record }) writes one; more may
                  follow. With --since alone: the newest one below .runs/
  --since TIME    only calls since then: 30m, 24h, 7d, 2026-03-01
  --code DIR      where the code lies; else the workspace, or the project
  --write         edit the roles' sources; comments stay
  --check         write nothing; exit 2 when something is unused
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          every grant with what is known of it, as JSON
  --quiet         nothing but errors: the exit code tells
  --no-color      no colours (NO_COLOR does the same)

Exit codes: 0 fine, 1 errors in the project, 2 something is unused (with
--check), 3 the code or the record can't be read, or there is neither: nothing
is known then, and nothing written.
`;

/** Stands in paths, and in no name of a role. */
const NO_ROLE = /[./\\]/;

export const unused: Command = {
  help,
  flags: [
    { name: "calls", value: "FILE", names: "file", isRepeated: true },
    { name: "since", value: "TIME" },
    { name: "code", value: "DIR", names: "file" },
    { name: "write" },
    { name: "check" },
  ],
  takes: [["role"]],
  takesMore: true,
  run: async (context, args) => {
    const { terminal } = context;
    if (args.on.has("check") && args.on.has("write"))
      return wrongUsage(terminal, "--check and --write can't be given together", "--check writes nothing");
    const since = readSince(args, Date.now());
    if (typeof since === "object") return wrongUsage(terminal, since.problem, "rolecall unused --since 30d");
    const calls = (args.all.get("calls") ?? []).flat();
    // A shell makes several words of `--calls .runs/*/calls.jsonl`.
    const records = calls.length === 0 ? [] : args.words.filter((word) => NO_ROLE.test(word));
    const { showUnused } = await import("./run.ts");
    return showUnused(context, {
      roles: args.words.filter((word) => !records.includes(word)),
      calls: [...calls, ...records],
      since,
      code: args.values.get("code"),
      write: args.on.has("write"),
      check: args.on.has("check"),
    });
  },
};
