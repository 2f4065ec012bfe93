import path from "node:path";
import type { Command } from "../command.ts";
import { noWords } from "../words.ts";

const help = `rolecall init: a first project, from what lies in the folder.

usage: rolecall init [--yes]

Looks at the folder: files of agent hosts, and of other systems wherever they
lie; package.json, tsconfig.json, formatters. Then it shows what it would write,
asks once, and writes a few short files, all or none. Nothing that is there is
overwritten: your package.json gains two scripts and rolecall itself, and
formatters are told to pass by what builds write. What your code needs besides
is told as commands.

In an empty folder it makes a small server of your own and a role that reads
from it, and captures it: \`rolecall build\` is next, and no network is needed.

A file that says more than rolecall can hold is left alone, with the reason.

  rolecall init
  rolecall init --yes        without a question, as in a script

flags:
  --yes           write without asking
  --project DIR   the folder to look at; this one when left out
  --json          what was found and written, as JSON; asks nothing
  --quiet         nothing but errors

Exit codes: 0 written, 1 there is a project already or something is in the way,
2 you said no, 64 nobody can be asked and --yes isn't given.
`;

export const init: Command = {
  help,
  flags: [{ name: "yes" }],
  staysSilent: true,
  run: async (context, args) => {
    const wrong = noWords("init", args, context);
    if (wrong !== undefined) return wrong;
    const { startProject } = await import("./run.ts");
    const { cwd } = context.terminal;
    const here = { ...context, dir: path.resolve(cwd, args.values.get("project") ?? ".") };
    if (args.values.get("project") === undefined && path.resolve(context.dir) !== here.dir)
      context.terminal.err.write(
        `rolecall: a project lies above, in ${path.relative(cwd, context.dir)}; this makes one of its own\n`,
      );
    return startProject(here, args.on.has("yes"));
  },
};
