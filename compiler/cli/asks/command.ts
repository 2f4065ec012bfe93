import { noWords } from "../words.ts";
import { wrongUsage, type Args, type Command, type Context } from "../command.ts";

const help = `rolecall asks: what waits for your yes, and your answers.

usage: rolecall asks [--page | --yes ID | --no ID]
       rolecall asks --json --watch

Calls that a role may make only when a person says so, and builds that open
something while the project is served, wait here. Leave it open in a terminal
of your own: each is shown as it comes, with all that it would do. While it
isn't open anywhere, calls that are asked are refused.

  rolecall asks

flags:
  --page          on a page in your browser, whose address it prints; while no
                  window shows it, nobody is there
  --yes ID        yes to this one, and end
  --no ID         no to this one, and end
  --watch         stay, which a terminal does anyway
  --json          with --watch, for a program that asks people in its own way:
                  each ask is a line, each answer {"id","hash","yes","by"}.
                  Needs serve: { approvers: [terminal, page, program] }
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --no-color      no colours (NO_COLOR does the same)

It wants a terminal, and not the shell of an agent host: an agent isn't asked
about its own calls.

Exit codes: 0 fine, 1 it may not be answered from here, or the answer came too
late, 3 nothing is served (\`--yes\`, \`--no\`), 64 wrong usage.
`;

export const asks: Command = {
  help,
  flags: [{ name: "page" }, { name: "yes", value: "ID" }, { name: "no", value: "ID" }, { name: "watch" }],
  run: async (context, args) => wrongIn(context, args) ?? chosen(context, args),
};

async function chosen(context: Context, { on, values }: Args): Promise<number> {
  if (on.has("page")) return (await import("./in-browser.ts")).askInBrowser(context);
  const run = await import("./run.ts");
  if (context.json) return run.passOn(context);
  const yes = values.get("yes");
  const id = yes ?? values.get("no");
  if (id !== undefined) return run.answerOne(context, id, yes !== undefined);
  return (await import("./at-terminal.ts")).askHere(context);
}

/** Each of these is a way of its own to answer. */
function wrongIn(context: Context, args: Args): number | undefined {
  const { on, values } = args;
  const watches = on.has("watch");
  const ways = ["page", "yes", "no"].filter((name) => on.has(name) || values.has(name)).map((name) => `--${name}`);
  if (context.json) ways.push("--json");
  if (ways.length > 1)
    return wrongUsage(context.terminal, `${ways.join(" and ")} can't be given together`, `rolecall asks ${ways[0]}`);
  if (context.json && !watches)
    return wrongUsage(context.terminal, "--json goes with --watch", "rolecall asks --json --watch");
  if (!context.json && watches && ways.length > 0)
    return wrongUsage(context.terminal, `${ways[0]} stands alone`, `rolecall asks ${ways[0]}`);
  return noWords("asks", args, context);
}
