import { wrongUsage, type Command } from "../command.ts";

const help = `rolecall presets: servers and roles that rolecall knows.

usage: rolecall presets [words] [--json]
       rolecall presets NAME... [--copy] [--json] [--project DIR]

A preset of a server says how it is reached, which variables it needs and where
to get them, its tools by scope, labels, limits, and what it was verified
against. A preset of a role is a role to begin with. Without --copy they are
shown: all of them, those that fit your words, or the ones that you name. No
server is contacted, and no project is needed.

--copy puts them into the project and does nothing else: servers into
mcp/presets, roles into mcp/roles. From then on they are yours, and an upgrade
of rolecall doesn't change them. In a role, entries for servers that the project
doesn't declare are comments. A file that is there already is never
overwritten: what differs is told, and the exit code is 1. What a copy came from
is kept in mcp/presets/.upstream, for \`rolecall add --force\`.

  rolecall presets
  rolecall presets read-only database
  rolecall presets github
  rolecall presets github filesystem lead --copy
  rolecall presets --json | jq '.presets[] | {name, variables}'

flags:
  --copy          put those that are named into the project
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the answer as JSON, enough to build a form from

A copied server is used by a line under \`servers:\`  github: { preset: github }
rolecall add github does all of it at once.
`;

export const presets: Command = {
  help,
  flags: [{ name: "copy" }],
  takes: [["preset"]],
  takesMore: true,
  run: async (context, args) => {
    const { copyPresets, showPresets } = await import("./run.ts");
    if (!args.on.has("copy")) return showPresets(context, args.words);
    if (args.words.length === 0) {
      return wrongUsage(context.terminal, "--copy takes the names of presets", "rolecall presets lists them");
    }
    return copyPresets(context, args.words);
  },
};
