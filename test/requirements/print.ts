import { waitingRows } from "./rows.ts";
import { LATER, SEEN } from "./seen.ts";

/** `npm run requirements`: each row that waits for formats and presets, with the test that sees it working. */
const by = new Map(Object.entries(SEEN).flatMap(([file, ids]) => ids.split(" ").map((id) => [id, file] as const)));
const rows = waitingRows() ?? [];
for (const { id, says } of rows)
  console.log(`${id.padEnd(8)}${(by.get(id) ?? LATER[id] ?? "-").padEnd(56)}${says.slice(0, 90)}`);
console.log(`${rows.filter(({ id }) => by.has(id)).length} of ${rows.length} rows are seen by a test`);
