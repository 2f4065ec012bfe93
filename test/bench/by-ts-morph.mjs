// The same manifests through ts-morph's structures: one module per server, every tool's arguments and results.
// usage: node by-ts-morph.mjs <project> <folder to write to>
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const { Project } = createRequire(import.meta.url)("ts-morph");
const [folder, out] = process.argv.slice(2);
const manifests = path.join(folder, "mcp", "manifests");
const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
mkdirSync(out, { recursive: true });
for (const file of readdirSync(manifests)) {
  const { server, tools } = JSON.parse(readFileSync(path.join(manifests, file), "utf8"));
  const module = project.createSourceFile(`${server}.ts`);
  module.addInterfaces(
    tools.flatMap((tool) => {
      const args = interfaceOf(`${tool.name}_args`, tool.inputSchema);
      return tool.outputSchema ? [args, interfaceOf(`${tool.name}_result`, tool.outputSchema)] : [args];
    }),
  );
  module.formatText();
  writeFileSync(path.join(out, `${server}.ts`), module.getFullText());
}

function interfaceOf(name, schema) {
  return { name, isExported: true, properties: propertiesOf(schema, schema) };
}

function propertiesOf(schema, root) {
  return Object.entries(schema.properties ?? {}).map(([name, value]) => ({
    name: JSON.stringify(name),
    hasQuestionToken: !schema.required?.includes(name),
    type: typeOf(value, root),
    docs: value.description ? [value.description] : [],
  }));
}

function typeOf(schema, root) {
  if (schema.$ref)
    return typeOf(
      schema.$ref
        .split("/")
        .slice(1)
        .reduce((at, key) => at[key], root),
      root,
    );
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, root)).join(" | ");
  if (schema.type === "array") return `(${typeOf(schema.items, root)})[]`;
  if (schema.type === "integer") return "number";
  if (schema.type !== "object") return schema.type;
  const properties = propertiesOf(schema, root);
  if (properties.length === 0) return "Record<string, unknown>";
  return `{ ${properties.map((p) => `${p.name}${p.hasQuestionToken ? "?" : ""}: ${p.type}`).join("; ")} }`;
}
