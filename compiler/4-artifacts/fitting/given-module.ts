import { byName } from "../../base/order.ts";
import type { FittedPlan } from "../fitting/types.ts";
import { code, typeScriptFile } from "../writer.ts";

/** `<out>/hosts/<host>.data.ts`: by role, server and tool, the name that the model sees. JSON text: names are keys in it. */
export function givenModule({ roles }: FittedPlan): string {
  const entries = roles.map(({ name, servers }) => {
    const inner = servers.map(({ server, tools }) => {
      const names = [...tools].sort((a, b) => byName(a.tool.name, b.tool.name));
      return entry(
        server.name,
        names.map(({ tool, joined }) => `${JSON.stringify(tool.name)}:${JSON.stringify(joined)}`),
      );
    });
    return entry(name, inner);
  });
  const text = `{${entries.join(",")}}`;
  return typeScriptFile(code`export const given: string = ${text};\n`);
}

function entry(key: string, values: readonly string[]): string {
  return `${JSON.stringify(key)}:{${values.join(",")}}`;
}
