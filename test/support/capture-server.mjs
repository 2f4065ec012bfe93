// A small MCP server over stdio that does what a file tells it: node capture-server.mjs <settings.json>
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

/**
 * pages: lists of tools, one page each; raw: the text of the whole result, as it is; hang: the method that is never
 * answered; noise: lines before anything else; counter: a file that counts starts, `{start}` in a text is replaced by it;
 * stubborn: it ends neither with its input nor when it is asked to; die: what it says on standard error before it ends at once; error: what `tools/list` is refused with.
 */
const settings = JSON.parse(readFileSync(process.argv[2], "utf8"));
if (settings.die !== undefined) {
  process.stderr.write(`${settings.die}\n`);
  process.exit(3);
}
const start = settings.counter === undefined ? 0 : countStarts(settings.counter);
for (const line of settings.noise ?? []) process.stdout.write(`${line}\n`);
if (settings.stubborn) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined || method === settings.hang) return;
  if (method === "initialize") {
    if (settings.asks) process.stdout.write('{"jsonrpc":"2.0","id":"s1","method":"ping"}\n');
    return send(id, JSON.stringify({ protocolVersion: params.protocolVersion, ...initialize() }));
  }
  if (settings.error) return fail(id, settings.error);
  if (method === "tools/list") return send(id, settings.raw ?? pageOf(params?.cursor));
  fail(id, "no such method");
});

function initialize() {
  return { capabilities: { tools: {} }, serverInfo: { name: "fake", version: "1.0.0" }, ...settings.initialize };
}

function pageOf(cursor) {
  const at = cursor === undefined ? 0 : Number(cursor);
  const next =
    at + 1 < settings.pages.length || settings.endless ? { nextCursor: String(settings.endless ? at : at + 1) } : {};
  return JSON.stringify({ tools: settings.pages[settings.endless ? 0 : at], ...next }).replaceAll(
    "{start}",
    String(start),
  );
}

function send(id, result) {
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${result}}\n`);
}

function fail(id, message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message } })}\n`);
}

function countStarts(file) {
  const count = (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0) + 1;
  writeFileSync(file, String(count));
  return count;
}
