import { visible } from "../../base/visible.ts";
import { code, typeScriptFile } from "../writer.ts";
import type { FittedPlan, FittedRole, FittedServer } from "./types.ts";

/**
 * `<out>/hosts/<host>.data.ts`: what each role is given there. JSON text, put together from texts: names are keys in it.
 * `ownTools`: the host's own tools for a role that doesn't govern them, or holds them all.
 */
export function givenModule({ roles }: FittedPlan, ownTools: readonly string[] | undefined): string {
  const text = map(roles.map((role) => [role.name, roleText(role, ownTools)]));
  return typeScriptFile(code`export const given: string = ${text};\n`);
}

function roleText({ role, builtins, servers }: FittedRole, ownTools: readonly string[] | undefined): string {
  const own = builtins === undefined || builtins.includes("*") ? ownTools : builtins;
  return map([
    ["about", JSON.stringify(visible(role.description ?? `Works as ${role.name}.`))],
    ...(role.prompt === undefined ? [] : [["prompt", JSON.stringify(role.prompt.text)] as const]),
    ...(own === undefined ? [] : [["own", JSON.stringify(own)] as const]),
    ["servers", map(servers.map((server) => [server.server.name, namesText(server)]))],
  ]);
}

function namesText({ tools }: FittedServer): string {
  return map(tools.map(({ tool, joined }) => [tool.name, JSON.stringify(joined)]));
}

function map(entries: readonly (readonly [key: string, text: string])[]): string {
  return `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}
