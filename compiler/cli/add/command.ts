import { readTime } from "../arguments.ts";
import { wrongUsage, type Args, type Command } from "../command.ts";

const help = `rolecall add: a server into the project, pinned and in use.
(\`rolecall bootstrap\` is the same command.)

usage: rolecall add PRESET... [--role ROLE] [--force]
       rolecall add PACKAGE|URL [--as NAME] [--role ROLE]
       rolecall add --force --all

Copies the preset into mcp/presets, declares the server in mcp/servers.yaml,
grants it to the role, says which variables it needs, captures it, builds, and
shows what the role holds. Comments and layout of your files stay. Without
--role nobody holds anything of it yet; with it the role holds what only reads.

What no preset knows is a package or a URL: an npm package is written with the
version that npm has today. From the names, hints and texts of its tools come
labels and hints for you to look at; nothing is granted by them.

  rolecall add github --role tester
  rolecall add notion supabase github obsidian
  rolecall add npx:some-server --as notes      or uvx:some-server==1.2.3
  rolecall add https://mcp.acme.example/mcp --as acme
  rolecall add --force --all        after an update of rolecall

flags:
  --role ROLE     the role that is to hold it, read-only; write more by hand
  --as NAME       what the server is called here
  --force         bring the preset up to date and keep what you changed in it;
                  where both changed the same, it says so and writes nothing
  --all           with --force: every preset in mcp/presets
  --timeout 30s   for the capture, where a first download takes long
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          what was done, as JSON
  --quiet         nothing but errors

Exit codes: 0 done, 1 it isn't in use yet and the page says what to do, 64 wrong
usage.
`;

export const add: Command = {
  help,
  flags: [
    { name: "role", value: "ROLE", names: "role" },
    { name: "as", value: "NAME" },
    { name: "force" },
    { name: "all" },
    { name: "timeout", value: "30s" },
  ],
  takes: [["preset"]],
  takesMore: true,
  run: async (context, args) => {
    const wrong = wrongWith(args);
    if (wrong !== undefined) return wrongUsage(context.terminal, ...wrong);
    const timeoutMs = readTime(args, "timeout");
    if (typeof timeoutMs === "object")
      return wrongUsage(context.terminal, timeoutMs.problem, "rolecall add github --timeout 2m");
    const { on, values, words } = args;
    const [isForced, isAll] = [on.has("force"), on.has("all")];
    const options = { words, role: values.get("role"), as: values.get("as"), isForced, isAll, timeoutMs };
    const { addServers } = await import("./run.ts");
    return addServers(context, options);
  },
};

type Wrong = [what: string, next: string];

function wrongWith(args: Args): Wrong | undefined {
  const { words, on, values } = args;
  if (on.has("force") || on.has("all")) return wrongForce(args);
  if (words.length === 0)
    return ["add takes a preset, a package or a URL", "rolecall presets lists the presets; rolecall add github"];
  if (values.has("as") && words.length > 1)
    return ["--as names one server, and several are to be added", "add them one after the other"];
  return undefined;
}

function wrongForce({ words, on, values }: Args): Wrong | undefined {
  const isAll = on.has("all");
  if (!on.has("force")) return ["--all goes with --force", "rolecall add --force --all"];
  if (values.has("role") || values.has("as"))
    return ["--force brings presets up to date and does nothing else", "leave --role and --as out"];
  if (isAll === words.length > 0)
    return [
      "--force takes the names of presets, or --all",
      "rolecall add --force github, or rolecall add --force --all",
    ];
  return undefined;
}
