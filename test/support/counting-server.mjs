// A server over stdio that writes down what it was told to do before it answers: node counting-server.mjs <file>
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const file = process.argv[2];
const inputSchema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "counting", version: "1" },
  }),
  "tools/list": () => ({
    tools: ["write", "remove"].map((name) => ({ name, description: "Writes it down.", inputSchema })),
  }),
  "tools/call": ({ arguments: { id } }) => {
    appendFileSync(file, `${id}\n`);
    return { content: [{ type: "text", text: id }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params) ?? {};
  // Long enough that some are under way whenever it ends.
  setTimeout(
    () => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`),
    method === "tools/call" ? 150 : 0,
  );
}
