import { serve } from "./serve.mjs";

const lines = [];
const line = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
};

serve("logbook", {
  write_line: {
    description: "Writes a line.",
    annotations: { readOnlyHint: false, destructiveHint: false },
    inputSchema: line,
    run: ({ text }) => `line ${lines.push(text)}`,
  },
  read_lines: {
    description: "Reads all lines.",
    annotations: { readOnlyHint: true },
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    run: () => lines.join("\n"),
  },
});
