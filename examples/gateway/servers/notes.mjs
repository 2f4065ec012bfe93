// A server in a few lines: texts below a folder. It ends when its input ends.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const folder = path.resolve(process.argv[2] ?? "notes");
const at = (name) => path.join(folder, path.join("/", name));
const text = { type: "string" };
const tool = (description, keys, annotations, run) => ({
  about: {
    description,
    annotations,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(keys.map((key) => [key, text])),
      required: keys,
      additionalProperties: false,
    },
  },
  run,
});
const tools = {
  read_note: tool("Reads a note.", ["path"], { readOnlyHint: true }, ({ path: name }) =>
    readFileSync(at(name), "utf8"),
  ),
  write_note: tool("Writes a note.", ["path", "text"], { destructiveHint: false }, ({ path: name, text: said }) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), said);
    return `written: ${name}`;
  }),
  delete_note: tool("Throws a note away.", ["path"], { destructiveHint: true }, ({ path: name }) => {
    rmSync(at(name));
    return `gone: ${name}`;
  }),
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: Object.entries(tools).map(([name, { about }]) => ({ name, ...about })) }),
  "tools/call": ({ name, arguments: args }) => ({ content: [{ type: "text", text: tools[name].run(args) }] }),
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
