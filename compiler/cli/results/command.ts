import { wrongUsage, type Command } from "../command.ts";

const help = `rolecall results: Zod schemas of results, as \`results:\` of a server.

usage: rolecall results MODULE [--server NAME] [--write]

Loads a JavaScript module (its code runs) and prints what its Zod schemas, of
Zod 3 or 4, are as JSON Schema under \`results:\`: results of tools whose servers
promise none are then checked and typed. An export that is a schema is the
result of the tool of that name; an export that is an object of schemas is a
server with its tools.

  export const list_issues = z.array(z.object({ id: z.number() }));
  export const tracker = { get_issue: z.object({ id: z.number() }) };

A schema says what the server sends: the side before a transform or a default.
What JSON Schema can't say is an error or, where the rest still holds, a note;
nothing becomes a schema that accepts everything. TypeScript isn't loaded: build
it to JavaScript first.

  rolecall results dist/results.js --server tracker
  rolecall results dist/results.js --write

flags:
  --server NAME    whose tools the exports are that name no server; where the
                   project has one server it is that
  --write          put them into the source that declares the server
  --project DIR    the folder with rolecall.yaml, when it isn't here or above
  --json           the schemas, notes and problems as JSON
  --quiet          nothing but errors, and the schemas

Exit codes: 0 fine, 1 a schema can't be said or the module can't be loaded.
`;

export const results: Command = {
  help,
  flags: [{ name: "server", value: "NAME", names: "server" }, { name: "write" }],
  takes: [["file"]],
  run: async (context, { words, values, on }) => {
    const [module, another] = words;
    if (module === undefined || another !== undefined)
      return wrongUsage(context.terminal, "results takes one module", "rolecall results src/results.js");
    const { readModule } = await import("./run.ts");
    return readModule(context, { module, server: values.get("server"), write: on.has("write") });
  },
};
