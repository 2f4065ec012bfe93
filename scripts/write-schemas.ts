import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { genericSchemas } from "./generic-schemas.ts";

/** Makes schemas/json from the zod schemas: node scripts/run.mjs scripts/write-schemas.ts */
const folder = path.join(import.meta.dirname, "..", "schemas", "json");
mkdirSync(folder, { recursive: true });
for (const [file, schema] of Object.entries(genericSchemas()))
  writeFileSync(path.join(folder, file), `${JSON.stringify(schema, null, 2)}\n`);
