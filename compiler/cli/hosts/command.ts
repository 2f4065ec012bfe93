import { EXIT, type Command } from "../command.ts";
import { projectForHosts } from "../whole-project.ts";

const help = `rolecall hosts: what each agent host holds of this project's rules.

usage: rolecall hosts [host...] [--json] [--project DIR]

A host is the program that runs an agent. rolecall writes its files from the
same plan for all of them, but not every host can hold every rule. What a host
can't hold is left out of its files and shown here: the tool stays away from
that host, and nothing is given without its restriction.

The table has a row for each host and a column for each kind of rule:

  hide         a tool that a role doesn't hold can't be seen or called
  ask          a call that needs a yes gets the host's own question
  conditions   a \`where\` is judged before the call
  resources    a server's resources are closed along with its tools
  delegation   work can't be handed to an agent that holds more
  references   variables can be spelt the host's way

A host that knows no agents of other roles keeps \`delegates\` closed.

Hosts that this project writes for come first, with the command that starts a
role there, what it reads of servers' resources, files that are only read, all
that stays away from it, and the host's own tools: those that run commands,
write files or reach out, and the roles whose \`builtins\` say nothing of them.
The others show what they would do. While an entry under \`hosts\` is wrong, the
other hosts are shown, with the error and exit code 1.

  rolecall hosts
  rolecall hosts claude-code opencode
  rolecall hosts --json | jq '.hosts[] | select(.chosen) | .start'

flags:
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the table as JSON

Choose hosts in rolecall.yaml: hosts: [claude-code, opencode]
`;

export const hosts: Command = {
  help,
  flags: [],
  run: async (context, args) => {
    const project = await projectForHosts(context);
    if (project === undefined) return EXIT.errors;
    const { showHosts } = await import("./run.ts");
    return showHosts(context, project, args.words);
  },
};
