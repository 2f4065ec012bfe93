import { serverInterface } from "../../base/identifiers.ts";
import type { ToolName } from "../../base/names.ts";
import type { ProjectSettings, Server, ToolDefinition } from "../../3-plan/types.ts";
import { runtimeFrom } from "../runtime-file.ts";
import { declareArguments, declareResult, type DeclaredType } from "../typescript/type-of-schema.ts";
import { createNames, pascalCase, type Names } from "../typescript/type-of-schema/names.ts";
import { code, doc, indentation, key, name, typeScriptFile, type Code } from "../typescript/writer.ts";

/** `<out>/servers/<server>.ts`: argument and result types of the tools that some role holds, once for all roles. */
export function serverModule(server: Server, held: readonly boolean[], project: ProjectSettings): string {
  const interfaceName = serverInterface(server.name);
  const names = createNames(["CallOptions", "ToolResult", interfaceName]);
  const members: Code[] = [];
  const declarations: Code[] = [];
  for (const tool of server.tools) {
    if (!held[tool.index]) continue;
    const wish = pascalCase(tool.name);
    const definition = tool.definition();
    const args = declareArguments(definition.inputSchema, `${wish}Arguments`, names);
    const result = declareStructured(definition, wish, names);
    for (const declaration of [...args.declarations, ...(result?.declarations ?? [])])
      declarations.push(code`\n${declaration}`);
    members.push(member(tool.name, definition, args, result));
  }
  return typeScriptFile(code`import type { CallOptions, ToolResult } from ${runtimeFrom(project, "..", "types")};

export interface ${name(interfaceName)} {
${members}}
${declarations}`);
}

function declareStructured({ outputSchema }: ToolDefinition, wish: string, names: Names): DeclaredType | undefined {
  if (outputSchema === undefined) return undefined;
  return declareResult(outputSchema, `${wish}Result`, names);
}

/**
 * A property and not a method, so that arguments are compared strictly and `Pick` keeps the type as it is. A tool
 * that promises nothing gives `unknown`: whoever reads it must look first.
 */
function member(
  toolName: ToolName,
  definition: ToolDefinition,
  args: DeclaredType,
  result: DeclaredType | undefined,
): Code {
  const indent = indentation(1);
  const optional = args.takesEmpty ? code`?` : code``;
  const structured = result === undefined ? code`unknown` : result.name;
  return code`${doc(describe(definition), indent)}${indent}readonly ${key(toolName)}: (args${optional}: ${args.name}, options?: CallOptions) => Promise<ToolResult<${structured}>>;\n`;
}

function describe({ title, description }: ToolDefinition): string | undefined {
  if (title === undefined || title.trim() === "") return description;
  return description === undefined ? title : `${title}\n\n${description}`;
}
