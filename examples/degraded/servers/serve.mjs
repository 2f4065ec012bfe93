// A server in a few lines: JSON-RPC over standard input and output. It ends when its input ends.
import { createInterface } from "node:readline";

/** `tools`: by name, `{ description, annotations, inputSchema, run(args) }`; `run` gives text. */
export function serve(name, tools) {
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name, version: "1.0.0" },
    }),
    "tools/list": () => ({
      tools: Object.entries(tools).map(([tool, about]) => ({ ...about, name: tool, run: undefined })),
    }),
    "tools/call": ({ name: tool, arguments: args }) => ({ content: [{ type: "text", text: tools[tool].run(args) }] }),
    ping: () => ({}),
  };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const reply = answers[method]
      ? { result: answers[method](params ?? {}) }
      : { error: { code: -32601, message: "no such method" } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\n`);
  });
}
