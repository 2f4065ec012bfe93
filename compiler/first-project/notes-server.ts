/** A small server without any package, so that a first project works where there is no network. */
export const NOTES_SERVER = `// A server of your own: two tools over stdio, in plain Node. Change it, then run: npx rolecall capture notes
import { createInterface } from "node:readline";

const notes = new Map([["welcome", "This note is kept in memory. Write another one."]]);
const text = { type: "string" };
const tools = [
  {
    name: "read_note",
    description: "Reads a note by its name.",
    inputSchema: { type: "object", properties: { name: text }, required: ["name"], additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: "write_note",
    description: "Writes a note.",
    inputSchema: { type: "object", properties: { name: text, note: text }, required: ["name", "note"], additionalProperties: false },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
];

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: { name: note, note: written } }) => {
    if (name === "write_note") notes.set(note, written);
    const said = notes.get(note);
    return { content: [{ type: "text", text: said ?? \`There is no note called \${note}.\` }], isError: said === undefined };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const reply = answer ? { result: answer(params) } : { error: { code: -32601, message: \`no method \${method}\` } };
  process.stdout.write(\`\${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\\n\`);
}
`;
