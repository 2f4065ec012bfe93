import { EXIT, printJson, styleOf, type Command } from "../command.ts";
import { serverList, serverListJson } from "./page.ts";
import { wholeProject } from "../whole-project.ts";
import { noWords } from "../words.ts";

const help = `rolecall ls: the servers of the project at a glance.

usage: rolecall ls [--json] [--project DIR]

One line for each server: how it is reached (in order of preference), scopes,
limits, how many tools its manifest has, which roles hold any of them, and
which variables it needs. Variables are looked up in your environment and shown
as set or not set; their values are never shown. No server is contacted.

  rolecall ls
  rolecall ls --json | jq '.servers[] | select(.roles == []) | .name'

flags:
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the list as JSON

One server in detail: rolecall inspect SERVER
`;

export const ls: Command = {
  help,
  flags: [],
  run: async (context, args) => {
    const wrong = noWords("ls", args, context);
    if (wrong !== undefined) return wrong;
    const project = await wholeProject(context);
    if (project === undefined) return EXIT.errors;
    const { out, env } = context.terminal;
    if (context.json) printJson(context, serverListJson(project.plan, env));
    else out.write(serverList(project.plan, env, styleOf(context, out)));
    return EXIT.fine;
  },
};
