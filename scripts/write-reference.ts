import { writeFileSync } from "node:fs";
import path from "node:path";
import { referencePage } from "./reference-page.ts";

/** Makes docs/reference.md from the schemas and the catalogue: node scripts/run.mjs scripts/write-reference.ts */
writeFileSync(path.join(import.meta.dirname, "..", "docs", "reference.md"), referencePage());
