import { roleInterface, roleValue } from "../../base/identifiers.ts";
import type { PlannedRole, ProjectSettings } from "../../3-plan/types.ts";
import { runtimeFrom } from "../runtime-file.ts";
import { code, importSuffix, key, name, nothing, typeScriptFile, type Code } from "../typescript/writer.ts";

/** `<out>/index.ts`, the comfortable door: every role, typed. */
export function indexModule(roles: readonly PlannedRole[], project: ProjectSettings): string {
  const extension = importSuffix(project.importExtension);
  const imports: Code[] = [];
  const exports: Code[] = [];
  const members: Code[] = [];
  const registered: Code[] = [];
  for (const role of roles) {
    const servers = name(roleInterface(role.name));
    const from = `./roles/${role.name}${extension}`;
    const value = name(roleValue(role.name));
    imports.push(code`import { ${value}, type ${servers} } from ${from};\n`);
    exports.push(code`export { ${value}, type ${servers} };\n`);
    registered.push(code`    ${key(role.name)}: ${value},\n`);
    members.push(code`  readonly ${key(role.name)}: ${servers};\n`);
  }
  const body = members.length === 0 ? nothing : code`\n${members}`;
  const blank = members.length === 0 ? nothing : code`\n`;
  const all = members.length === 0 ? nothing : code`\n${registered}  `;
  // Names that begin with `$` are no role's.
  return typeScriptFile(code`import { createTeam as $createTeam, type Team as $Team, type TeamOptions as $TeamOptions } from ${runtimeFrom(project, ".")};
${imports}${blank}${exports}${blank}export interface Roles {${body}}

export type RoleName = keyof Roles;

/** \`server.tool\` for every tool that the role holds. */
export type ToolOf<R extends RoleName> = R extends RoleName
  ? { [Server in keyof Roles[R] & string]: \`\${Server}.\${keyof Roles[R][Server] & string}\` }[keyof Roles[R] & string]
  : never;

/** The roles at work: \`team().as("<role>")\` is a session that holds what the role holds. */
export function team(options?: $TeamOptions): $Team<Roles> {
  const at = { url: (import.meta as { readonly url?: string }).url, project: ${upFrom(project.out)} };
  return $createTeam<Roles>({${all}}, options, at);
}
`);
}

/** From the folder of generated code to the project's. */
function upFrom(out: string): string {
  return out
    .split("/")
    .map(() => "..")
    .join("/");
}
