import { analyze } from "./analyze.js";
import { team } from "./mcp/index.js";

const harbor = team();
const { found, refused } = await analyze(harbor.as("analyzer"));
for (const { file, lines, words } of found) console.log(`${file}: ${lines} lines, ${words} words`);
console.log(`not read: ${refused.join(", ")}`);
await harbor.close();
