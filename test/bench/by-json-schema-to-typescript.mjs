// The same manifests through json-schema-to-typescript: one module per server, every tool's arguments and results.
// usage: node by-json-schema-to-typescript.mjs <project> <folder to write to>
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compile } from "json-schema-to-typescript";

const [project, out] = process.argv.slice(2);
const manifests = path.join(project, "mcp", "manifests");
mkdirSync(out, { recursive: true });
for (const file of readdirSync(manifests)) {
  const { server, tools } = JSON.parse(readFileSync(path.join(manifests, file), "utf8"));
  const parts = [];
  for (const tool of tools) {
    const options = { bannerComment: "", additionalProperties: true };
    parts.push(await compile(tool.inputSchema, `${tool.name}_args`, options));
    if (tool.outputSchema) parts.push(await compile(tool.outputSchema, `${tool.name}_result`, options));
  }
  writeFileSync(path.join(out, `${server}.ts`), parts.join("\n"));
}
