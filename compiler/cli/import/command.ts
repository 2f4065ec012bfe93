import { wrongUsage, type Command } from "../command.ts";

const help = `rolecall import: turn a file of another system into a source of yours.

usage: rolecall import FILE [--as FORMAT] [--role NAME] [--to FILE]
                       [--rename OLD=NEW,...]

Reads the file as its own system does, and writes what it says as servers, roles
and policies in rolecall's language, once: from then on the new file is yours to
edit. A table says what each key became; what our language can't say is said
too. Secrets in environment or headers become references to variables. A server
that a source declares already is left out, and named. A preset that says which
tools its scopes cover is copied into mcp/presets, and named.

To go on reading the file as it is, list it under \`imports:\` instead.

  rolecall import .squad/mcp-config.json
  rolecall import team.json --as squad --to mcp/team.yaml
  rolecall import .mcp.json --rename read_page=API-retrieve-a-page

flags:
  --as FORMAT      where the file's own keys leave its format open: mcp-json,
                   cursor, claude-desktop, vscode, opencode, codex, gemini,
                   copilot, copilot-agent, junie, squad, magsag-server,
                   magsag-preset, magsag-governance, proliferate, product,
                   product-rows or preset
  --role NAME      what its role is called, where its format has no roles
  --to FILE        where to write; mcp/<its name>.yaml when left out
  --rename LIST    other names for tools, as OLD=NEW or SERVER.OLD=NEW, with
                   commas between them
  --project DIR    the folder with rolecall.yaml, when it isn't here or above
  --json           the table as JSON
  --quiet          nothing but errors

Exit codes: 0 written, 1 it can't be read, the project has errors that it
doesn't mend, or something is in the way.
`;

export const importFile: Command = {
  help,
  flags: [
    { name: "as", value: "FORMAT" },
    { name: "role", value: "NAME" },
    { name: "to", value: "FILE", names: "file" },
    { name: "rename", value: "LIST" },
  ],
  takes: [["file"]],
  run: async (context, { words, values }) => {
    const [file, another] = words;
    if (file === undefined || another !== undefined)
      return wrongUsage(context.terminal, "import takes one file", "rolecall import .squad/mcp-config.json");
    const renamed = renamings(values.get("rename"));
    if (renamed === undefined)
      return wrongUsage(
        context.terminal,
        "--rename takes OLD=NEW or SERVER.OLD=NEW, with commas between several",
        "rolecall import --help",
      );
    const { takeIn } = await import("./run.ts");
    return takeIn(context, { file, as: values.get("as"), role: values.get("role"), to: values.get("to"), renamed });
  },
};

function renamings(list: string | undefined): ReadonlyMap<string, string> | undefined {
  const pairs = (list?.split(",") ?? []).map((pair) => pair.split("="));
  if (pairs.some((pair) => pair.length !== 2 || pair.includes(""))) return undefined;
  return new Map(pairs as [string, string][]);
}
