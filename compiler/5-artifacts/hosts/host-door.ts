import { pascalCase } from "../typescript/type-of-schema/names.ts";
import { visible } from "../../base/visible.ts";
import { runtimeFrom } from "../runtime-file.ts";
import { code, doc, indentation, join, name, nothing, typeScriptFile } from "../typescript/writer.ts";
import { isGateway } from "../../4-fit/given.ts";
import type { FittedPlan, FittedRole, FittedServer } from "../../4-fit/types.ts";

/** What a program imports of a host in the same process. */
export interface HostDoor {
  /** The host's function in the runtime: it takes what roles are given, as text, and makes the functions below. */
  readonly make: string;
  /** Each with what is said of it. */
  readonly functions: Readonly<Record<string, string>>;
  /** Of the runtime's host, passed on. */
  readonly types: readonly string[];
}

/**
 * `<out>/hosts/<host>.ts`: the host's functions, bound to what each role is given there. That is JSON text, put together
 * from texts: names are keys in it. `ownTools`: the host's own tools for a role that doesn't govern them, or holds them all.
 */
export function hostDoor(
  { plan, host, roles }: FittedPlan,
  ownTools: readonly string[] | undefined,
  { make, functions, types }: HostDoor,
): string {
  const from = runtimeFrom(plan.project, "..", host.id);
  const type = name(pascalCase(make));
  const passed =
    types.length === 0 ? nothing : code`export type { ${join(types.map(name), code`, `)} } from ${from};\n`;
  const members = Object.entries(functions).map(([one, says]) => {
    const member = name(one);
    return code`\n${doc(says, indentation(0))}export const ${member}: ${type}[${one}] = host.${member};\n`;
  });
  const given = map(roles.map((role) => [role.name, roleText(role, ownTools)]));
  return typeScriptFile(code`import { ${name(make)}, type ${type} } from ${from};
${passed}
/** By role, server and tool, the name that the model sees. */
const given: string = ${given};
const host: ${type} = ${name(make)}(given);
${members}`);
}

function roleText({ role, builtins, servers }: FittedRole, ownTools: readonly string[] | undefined): string {
  const own = builtins === undefined || builtins.includes("*") ? ownTools : builtins;
  return map([
    ["about", JSON.stringify(visible(role.description ?? `Works as ${role.name}.`))],
    ...(role.prompt === undefined ? [] : [["prompt", JSON.stringify(role.prompt.text)] as const]),
    ...(own === undefined ? [] : [["own", JSON.stringify(own)] as const]),
    ["servers", map(servers.filter((one) => !isGateway(one)).map((server) => [server.server.name, namesText(server)]))],
    ...servers.filter(isGateway).map((server) => ["serve", serveText(server)] as const),
  ]);
}

/** `rolecall serve`: what the host starts, and the names of the tools there. */
function serveText(served: FittedServer): string {
  const { server, transport } = served;
  const words = transport.kind === "stdio" ? transport.command.map(({ written }) => written) : [];
  return map([
    ["name", JSON.stringify(server.name)],
    ["command", JSON.stringify(words)],
    ["timeoutMs", JSON.stringify(server.limits.timeoutMs)],
    ["tools", namesText(served)],
  ]);
}

function namesText({ tools }: FittedServer): string {
  return map(tools.map(({ tool, joined }) => [tool.name, JSON.stringify(joined)]));
}

function map(entries: readonly (readonly [key: string, text: string])[]): string {
  return `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}
