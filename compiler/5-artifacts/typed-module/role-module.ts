import { roleInterface, roleValue, serverInterface } from "../../base/identifiers.ts";
import { held } from "../../3-plan/held.ts";
import type { Grant, PlannedRole, ProjectSettings } from "../../3-plan/types.ts";
import { runtimeFrom } from "../runtime-file.ts";
import { createNames } from "../typescript/type-of-schema/names.ts";
import {
  code,
  doc,
  importSuffix,
  indentation,
  join,
  key,
  name,
  nothing,
  typeScriptFile,
  type Code,
} from "../typescript/writer.ts";
import { roleData } from "../../runtime-data/role.ts";

/** `<out>/roles/<role>.ts`, the light door: one role's types, and its own data as JSON text. `grants` hold something. */
export function roleModule(role: PlannedRole, grants: readonly Grant[], project: ProjectSettings): string {
  const extension = importSuffix(project.importExtension);
  const names = createNames(["Role", roleInterface(role.name)]);
  const imports: Code[] = [];
  const members: Code[] = [];
  for (const grant of grants) {
    const exported = name(serverInterface(grant.server.name));
    const local = names.take(exported.text);
    const binding = local.text === exported.text ? local : code`${exported} as ${local}`;
    imports.push(code`import type { ${binding} } from ${`../servers/${grant.server.name}${extension}`};\n`);
    members.push(code`  readonly ${key(grant.server.name)}: Pick<${local}, ${toolNames(grant)}>;\n`);
  }
  const servers = name(roleInterface(role.name));
  const body = members.length === 0 ? nothing : code`\n${members}`;
  return typeScriptFile(code`import type { Role } from ${runtimeFrom(project, "..", "types")};
${imports}
export interface ${servers} {${body}}

${doc(role.description, indentation(0))}export const ${name(roleValue(role.name))}: Role<${role.name}, ${servers}> = {
  name: ${role.name},
  data: ${roleData(role, grants)},${loaders(grants, extension)}
};
`);
}

/**
 * What is needed to reach a server is imported when the first call needs it. `as string` keeps a project's type checker
 * from reading megabytes of data for each role; bundlers still see the path.
 */
function loaders(grants: readonly Grant[], extension: string): Code {
  if (grants.length === 0) return nothing;
  const lines = grants.map(
    ({ server }) =>
      code`    ${key(server.name)}: () => import(${`../servers/${server.name}.data${extension}`} as string),\n`,
  );
  return code`\n  load: {\n${lines}  },`;
}

function toolNames(grant: Grant): Code {
  const names = held(grant).map(([tool]) => code`${tool.name}`);
  if (names.length === 0) return code`never`;
  const length = names.reduce((sum, literal) => sum + literal.text.length + 3, 0);
  return join(names, length > 80 ? code`\n    | ` : code` | `);
}
