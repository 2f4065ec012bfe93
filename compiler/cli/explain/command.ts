import type { Plan, PlannedRole, Tool } from "../../3-plan/types.ts";
import type { Locate } from "../../base/place.ts";
import type { CatalogueEntry } from "../../diagnostics/types.ts";
import { EXIT, printJson, styleOf, wrongUsage, type Command, type Compiled, type Context } from "../command.ts";
import { accessJson, accessPage } from "./access-page.ts";
import { codeJson, codePage } from "./code-page.ts";
import { toolJson, toolPage } from "./tool-page.ts";
import { wholeProject } from "../whole-project.ts";
import { findTool, type NotFound } from "../find-tool.ts";
import type { TriedArguments } from "./arguments-page.ts";
import { nameThem, notFound } from "../words.ts";

const help = `rolecall explain: why a role may or may not call a tool.

usage: rolecall explain ROLE SERVER.TOOL [--args JSON]
       rolecall explain ROLE ADDRESS
       rolecall explain SERVER.TOOL
       rolecall explain CODE

With a role and a tool it gives the verdict, the conditions, and the lines that
decided it: what granted the tool first, then what restricts it. With a tool
alone it goes through all roles. With the address of a resource (with ://) it
says whether the role may read it, and of which server. With the code of an
error it says what the error means and what to do about it.

With --args it also says whether a call with these arguments passes, and if
not, which conditions refuse and the lines that wrote them. The runtime's own
code judges; nothing is called.

  rolecall explain tester github.create_issue
  rolecall explain tester files.write_file --args '{ "path": "src/a.ts" }'
  rolecall explain tester docs://guide/start
  rolecall explain github.create_issue
  rolecall explain source/duplicate-key

flags:
  --args JSON     the arguments of a call, or @FILE for a file that holds them
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          the answer as JSON

Exit code 0 whatever the verdict is, and with --args 2 when the call is refused;
1 when the project has errors, since a project with errors has no verdict; 64
when the role, tool or code is unknown, or the arguments aren't JSON.
`;

export const explain: Command = {
  help,
  flags: [{ name: "args", value: "JSON" }],
  takes: [["role", "tool", "code"], ["tool"]],
  run: async (context, args) => {
    const [first, second, third] = args.words;
    if (first === undefined) return usage(context, "explain needs a tool, a role and a tool, or a code");
    if (third !== undefined) return usage(context, "explain takes a role and a tool, not more");
    const written = args.values.get("args");
    if (second === undefined && written !== undefined)
      return usage(context, "--args are those of a call: it needs a role and a tool");
    if (second === undefined && isCode(first)) return explainCode(first, context);
    const compiled = await wholeProject(context);
    if (compiled === undefined) return EXIT.errors;
    return second === undefined
      ? explainTool(first, compiled, context)
      : explainAccess({ role: first, tool: second, args: written }, compiled, context);
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

interface Asked {
  readonly role: string;
  readonly tool: string;
  readonly args: string | undefined;
}

async function explainAccess(asked: Asked, { plan, locate }: Compiled, context: Context): Promise<number> {
  const role = plan.roles.find((r) => r.name === asked.role);
  const names = plan.roles.map((r) => r.name);
  if (role === undefined)
    return wrongUsage(context.terminal, notFound("role", asked.role, names), nameThem("role", names));
  if (asked.args === undefined && asked.tool.includes("://")) return explainAddress(role, asked.tool, locate, context);
  const found = findTool(plan, asked.tool);
  if (!("tool" in found)) return unknown(found, context);
  const tried = await tryWritten(asked.args, plan, role, found.tool, context);
  if (tried !== undefined && "problem" in tried) return unknown(tried, context);
  const { out } = context.terminal;
  if (context.json) printJson(context, accessJson(plan, role, found.tool, tried, locate));
  else out.write(accessPage(plan, role, found.tool, tried, locate, styleOf(context, out)));
  return tried === undefined || tried.pass ? EXIT.fine : EXIT.difference;
}

async function explainAddress(role: PlannedRole, uri: string, locate: Locate, context: Context): Promise<number> {
  const [{ judgeAddress }, { addressJson, addressPage }] = await Promise.all([
    import("../../3-plan/judge-address.ts"),
    import("./address-page.ts"),
  ]);
  const judged = judgeAddress(role, uri);
  const { out } = context.terminal;
  if (context.json) printJson(context, addressJson(judged, locate));
  else out.write(addressPage(judged, locate, styleOf(context, out)));
  return EXIT.fine;
}

async function tryWritten(
  written: string | undefined,
  plan: Plan,
  role: PlannedRole,
  tool: Tool,
  context: Context,
): Promise<TriedArguments | NotFound | undefined> {
  if (written === undefined) return undefined;
  const { readCallArguments, tryOnRole } = await import("./try-arguments.ts");
  const read = readCallArguments(written, context);
  return "problem" in read ? read : tryOnRole(context, plan, role, tool, read.args);
}

function unknown(found: NotFound, context: Context): number {
  return wrongUsage(context.terminal, found.problem, found.next);
}

function usage(context: Context, sentence: string): number {
  return wrongUsage(context.terminal, sentence, "rolecall explain --help shows the three forms");
}
