import type { RecordLine } from "../../../runtime/api.ts";
import { appendLines } from "../../../runtime/session/record-file.ts";

/** One of several processes that write one record: so many lines, a few at a time, rotated when it gets larger. */
const [file = "", count = "", largest = ""] = process.argv.slice(2);
for (let n = 0; n < Number(count); n += 5) {
  const lines = [0, 1, 2, 3, 4].map((i) => {
    const line: Partial<RecordLine> = {
      run_id: String(process.pid),
      args: { n: n + i },
      tool: "x".repeat((n * 7 + i) % 300),
    };
    return JSON.stringify(line);
  });
  appendLines(file, `${lines.join("\n")}\n`, Number(largest));
}
