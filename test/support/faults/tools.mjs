/**
 * What the fault server lists and does. `peer` is the connection that a message came over: `send(message)`,
 * `request(method)` to ask the client something, `seen` (what it got from its surroundings), `cut()` to drop it.
 */

import { ATTACKS } from "./attacks.mjs";
import { answerDue, idleAfter } from "./answers.mjs";

export const TOOLS = [
  tool("echo", "Gives back its arguments."),
  tool("seen", "Tells what the server was given."),
  tool("hang", "Never answers."),
  tool("slow", "Answers after `ms`."),
  tool("die", "Ends the process, with an answer never sent; with last `words` where they are given."),
  tool("cut", "Breaks the connection of this call."),
  tool("fail", "A result with isError."),
  tool("error", "A JSON-RPC error."),
  tool("huge", "A text of `size` characters."),
  tool("wrong", "An answer that isn't JSON."),
  tool("noise", "Prints what is no message, then answers."),
  tool("status", "HTTP: answers with `status`, `retryAfter`, `location`, `body`; after so many `times` it is fine."),
  tool("forget", "HTTP: forgets all sessions; they are then answered with `status`."),
  tool("change", "Changes the list: `describe` a tool anew, `add` or `remove` one; then says so."),
  tool("ask-client", "Asks the client for `method`; gives its answer."),
  tool("stop", "Ends the process after the answer."),
  tool("attack", "Does what `kind` of attacks.mjs says, as large as `size`."),
  tool("deaf", "Answers, reads no more, and ends after `ms` with the code 3 and its last `words`."),
  tool("resume", "HTTP: a stream that ends at once, may be resumed, and asks for that after `retry` ms."),
  tool("reload", "HTTP: drops the stream over which the server speaks by itself."),
];

function tool(name, description) {
  return { name, description, inputSchema: { type: "object" }, vendor: { kept: true } };
}

/** State of one process. `seen.methods` counts every message by method. */
export function createFaults(config) {
  const tools = structuredClone(TOOLS).map((tool) => (tool.name === config.describe ? different(tool) : tool));
  for (let i = 0; i < (config.moreTools ?? 0); i++) tools.push(tool(config.sameName ?? `tool_${i}`, "One of many."));
  return { config, tools, methods: {}, sessions: new Map(), forgottenStatus: 404, lists: 0 };
}

function different(tool) {
  return { ...tool, description: `${tool.description} Now different.` };
}

export async function answer(message, peer, faults) {
  const { method, id } = message;
  if (method !== undefined) faults.methods[method] = (faults.methods[method] ?? 0) + 1;
  if (method === undefined || id === undefined) return;
  const due = answerDue(message, faults);
  if (due !== undefined) return await due(message, peer, () => usualAnswer(message, peer, faults));
  await usualAnswer(message, peer, faults);
}

async function usualAnswer({ method, id, params }, peer, faults) {
  const reply = (result) => peer.send({ jsonrpc: "2.0", id, result });
  const refuse = (code, text) => peer.send({ jsonrpc: "2.0", id, error: { code, message: text } });
  if (method === "initialize") return initialize(params, peer, faults, reply);
  if (method === "ping") return reply({});
  if (method === "tools/list") return list(params, faults, reply);
  if (method === "tools/call") {
    idleAfter(faults);
    return await call(params, peer, faults, { reply, refuse, id });
  }
  refuse(-32601, `no ${method} here`);
}

function initialize(params, peer, faults, reply) {
  const how = faults.config.initialize;
  if (how === "hang") return;
  if (how === "die") {
    process.stderr.write(`${faults.config.lastWords ?? "can't start"}\n`);
    process.exit(3);
  }
  if (how === "wrong") return peer.raw("this is no JSON");
  faults.offered = params;
  reply({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "fault", version: "1" },
    ...(faults.config.instructions === undefined ? {} : { instructions: faults.config.instructions }),
  });
}

async function list(params, faults, reply) {
  faults.lists += 1;
  const { pageSize = 100, listDelay = 0, neverEnds } = faults.config;
  if (listDelay > 0) await pause(listDelay);
  const from = Number(params?.cursor ?? 0);
  const tools = faults.tools.slice(from, from + pageSize);
  const next = from + pageSize;
  const more = neverEnds ? "0" : next < faults.tools.length ? String(next) : faults.config.lastCursor;
  reply({ tools, ...(more === undefined ? {} : { nextCursor: more }) });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = (said) => ({ content: [{ type: "text", text: said }] });

async function call(params, peer, faults, { reply, refuse, id }) {
  const args = params.arguments ?? {};
  switch (params.name) {
    case "seen":
      return reply({
        ...text("seen"),
        structuredContent: {
          ...peer.seen,
          pid: process.pid,
          env: process.env,
          argv: process.argv.slice(3),
          cwd: process.cwd(),
          methods: faults.methods,
          lists: faults.lists,
          held: faults.held,
          closed: faults.closed ?? 0,
          gets: faults.gets ?? 0,
          offered: faults.offered,
          meta: params._meta,
        },
      });
    case "hang":
      return;
    case "slow":
      await pause(args.ms);
      return reply(text("slow"));
    case "die":
      if (args.words !== undefined) return process.stderr.write(`${args.words}\n`, () => process.exit(7));
      return process.kill(process.pid, "SIGKILL");
    case "cut":
      return peer.cut();
    case "fail":
      return reply({ ...text("it didn't work"), isError: true });
    case "error":
      return refuse(-32603, "the database is away");
    case "huge":
      return reply(text("x".repeat(args.size)));
    case "wrong":
      return peer.raw("{ this is no JSON");
    case "noise":
      peer.noise();
      return reply(text("noise"));
    case "change":
      return change(args, faults, reply);
    case "ask-client":
      return reply({ ...text("asked"), structuredContent: { answer: await peer.request(args.method) } });
    case "stop":
      reply(text("stopping"));
      return setTimeout(() => process.exit(0), 20);
    case "attack":
      return ATTACKS[args.kind]({ ...peer, id, size: args.size, text: args.text, reply: () => reply(text("done")) });
    case "deaf":
      reply(text("what?"));
      return peer.deaf(args);
    case "reload":
      for (const session of faults.sessions.values()) session.stream?.destroy();
      return reply(text("reloaded"));
    default:
      return reply({ ...text(JSON.stringify(args)), structuredContent: { args, id } });
  }
}

function change({ describe, add, remove, quiet }, faults, reply) {
  faults.tools = faults.tools.map((tool) => (tool.name === describe ? different(tool) : tool));
  if (add !== undefined) faults.tools.push(tool(add, "New."));
  if (remove !== undefined) faults.tools = faults.tools.filter((tool) => tool.name !== remove);
  if (!quiet) faults.notify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  reply(text("changed"));
}
