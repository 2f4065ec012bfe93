import type { Tool } from "../../3-plan/types.ts";
import type { CatalogueEntry } from "../../diagnostics/types.ts";
import { EXIT, printJson, styleOf, wrongUsage, type Command, type Compiled, type Context } from "../command.ts";
import { accessJson, accessPage } from "../views/explain-access.ts";
import { codeJson, codePage } from "../views/explain-code.ts";
import { toolJson, toolPage } from "../views/explain-tool.ts";
import { wholeProject } from "../whole-project.ts";
import { findTool, type Found } from "../find-tool.ts";
import { nameThem, notFound } from "../words.ts";

const help = `rolecall explain: why a role may or may not call a tool.

usage: rolecall explain ROLE SERVER.TOOL
       rolecall explain SERVER.TOOL
       rolecall explain CODE

With a role and a tool it gives the verdict, the conditions, and the lines that
decided it: what granted the tool first, then what restricts it. With a tool
alone it goes through all roles. With the code of an error it says what the
error means and what to do about it.

  rolecall explain tester github.create_issue
  rolecall explain github.create_issue
  rolecall explain source/duplicate-key

flags:
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the answer as JSON

Exit code 0 whatever the verdict is; 1 when the project has errors, since a
project with errors has no verdict; 64 when the role, tool or code is unknown.
`;

export const explain: Command = {
  help,
  flags: [],
  run: async (context, args) => {
    const [first, second, third] = args.words;
    if (first === undefined) return usage(context, "explain needs a tool, a role and a tool, or a code");
    if (third !== undefined) return usage(context, "explain takes a role and a tool, not more");
    if (second === undefined && isCode(first)) return explainCode(first, context);
    const compiled = await wholeProject(context);
    if (compiled === undefined) return EXIT.errors;
    return second === undefined
      ? explainTool(first, compiled, context)
      : explainAccess(first, second, compiled, context);
  },
};

/** A server's name holds no slash: with a slash before the first dot it is a code. */
function isCode(word: string): boolean {
  return (word.split(".", 1)[0] ?? "").includes("/");
}

async function explainCode(code: string, context: Context): Promise<number> {
  const { catalogue } = await import("../../diagnostics/catalogue.ts");
  const entries: Readonly<Record<string, CatalogueEntry>> = catalogue;
  if (!Object.hasOwn(entries, code)) {
    return wrongUsage(
      context.terminal,
      notFound("code", code, Object.keys(entries)),
      "codes stand in brackets behind `error`, `warning` or `note`",
    );
  }
  if (context.json) printJson(context, codeJson(code, entries[code]!));
  else context.terminal.out.write(codePage(code, entries[code]!, styleOf(context, context.terminal.out)));
  return EXIT.fine;
}

function explainTool(word: string, { plan, locate }: Compiled, context: Context): number {
  const role = plan.roles.find((r) => r.name === word);
  if (role !== undefined)
    return usage(context, `\`${role.name}\` is a role; name a tool too: rolecall explain ${role.name} SERVER.TOOL`);
  const found = findTool(plan, word);
  if (!("tool" in found)) return unknown(found, context);
  if (context.json) printJson(context, toolJson(plan, found.tool, locate));
  else context.terminal.out.write(toolPage(plan, found.tool, locate, styleOf(context, context.terminal.out)));
  return EXIT.fine;
}

function explainAccess(roleName: string, word: string, { plan, locate }: Compiled, context: Context): number {
  const role = plan.roles.find((r) => r.name === roleName);
  const names = plan.roles.map((r) => r.name);
  if (role === undefined)
    return wrongUsage(context.terminal, notFound("role", roleName, names), nameThem("role", names));
  const found = findTool(plan, word);
  if (!("tool" in found)) return unknown(found, context);
  if (context.json) printJson(context, accessJson(plan, role, found.tool, locate));
  else context.terminal.out.write(accessPage(plan, role, found.tool, locate, styleOf(context, context.terminal.out)));
  return EXIT.fine;
}

function unknown(found: Exclude<Found, { tool: Tool }>, context: Context): number {
  return wrongUsage(context.terminal, found.problem, found.next);
}

function usage(context: Context, sentence: string): number {
  return wrongUsage(context.terminal, sentence, "rolecall explain --help shows the three forms");
}
