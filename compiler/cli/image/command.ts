import { EXIT, type Command } from "../command.ts";
import { wholeProject } from "../whole-project.ts";
import { noWords } from "../words.ts";

const help = `rolecall image: the packages that a base image should hold.

usage: rolecall image [--json] [--project DIR]

For every server that some role holds and that is started as a process: the
package that npx, bunx or uvx would download, with its version, and the programs
that commands begin with. An image that has them starts the servers without
asking a registry. A package without an exact version is named apart: no image
can hold what is newest on another day. No server is contacted.

  rolecall image
  rolecall image --json | jq -r '.packages[] | .manager + " " + .spec'

flags:
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the answer as JSON

How one server is started: rolecall inspect SERVER
`;

export const image: Command = {
  help,
  flags: [],
  run: async (context, args) => {
    const wrong = noWords("image", args, context);
    if (wrong !== undefined) return wrong;
    const project = await wholeProject(context);
    if (project === undefined) return EXIT.errors;
    const { showNeeded } = await import("./run.ts");
    return showNeeded(context, project.plan);
  },
};
