/**
 * A server that fails on demand: raw JSON-RPC over stdio, HTTP or SSE, without any library. Its one argument is JSON:
 * `over` (stdio, http, sse), `port`, `initialize` (hang, die, wrong, or an HTTP status), `stream` (HTTP answers as
 * events), `pageSize`, `describe` (a tool, differently from the start), `ignoreEnd` (standard input's end and SIGTERM),
 * `chatter` (text for standard error), `child` (starts a process that would outlive it), `pidFile` and `pids` (where the
 * number of its process is written, or added), `log` (a line for everything that was sent to it), `dieIf` (a file: while
 * it is there the server doesn't start), `token` (without it, a 401), `ownCut` (HTTP: ends the stream of its own at once,
 * each time), `primedWith` (HTTP: what stands in a
 * stream that may be resumed), `at` (the `nth` message of a `method` is answered as answers.mjs says under `do`), `idle` (done so a
 * moment after the first call was answered), `holdDelete` (HTTP: the end of a session is never answered). Loopback only;
 * it ends by itself after a minute.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, closeSync, existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { statusDue } from "./answers.mjs";
import { answer, createFaults } from "./tools.mjs";

const config = JSON.parse(process.argv[2] ?? "{}");
const faults = createFaults(config);
setTimeout(() => process.exit(9), 60_000);
if (config.chatter !== undefined) process.stderr.write(config.chatter);
if (config.pidFile !== undefined) writeFileSync(config.pidFile, String(process.pid));
if (config.pids !== undefined) appendFileSync(config.pids, `${process.pid}\n`);
if (config.die || existsSync(config.dieIf ?? "")) process.exit(4);
if (config.ignoreEnd) process.on("SIGTERM", () => {});

if (config.child) {
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: "ignore" });
  faults.childPid = child.pid;
}

function log(text) {
  if (config.log !== undefined) appendFileSync(config.log, `${text}\n`);
}

/** Requests of ours wait here for the client's answer. */
const waiting = new Map();

function asking(send) {
  return (method) =>
    new Promise((resolve) => {
      const id = `ask-${waiting.size}`;
      waiting.set(id, resolve);
      send({ jsonrpc: "2.0", id, method, params: {} });
    });
}

function settle(message) {
  if (message.method !== undefined || !waiting.has(message.id)) return false;
  waiting.get(message.id)({ result: message.result ?? null, error: message.error ?? null });
  return true;
}

function serveStdio() {
  const raw = (line) => process.stdout.write(`${line}\n`);
  const send = (message) => raw(JSON.stringify(message));
  const peer = {
    send,
    raw,
    request: asking(send),
    seen: { childPid: faults.childPid },
    cut: () => closeSync(1),
    deaf: ({ ms, words }) => {
      lines.removeAllListeners("close");
      process.stdin.destroy();
      setTimeout(() => process.stderr.write(`${words}\n`, () => process.exit(3)), ms);
    },
    line: raw,
    half: (text) => process.stdout.write(text, () => process.exit(5)),
    status: () => {},
    pour: (head, more) => {
      process.stdout.write(head);
      const again = () => process.stdout.write(more, again);
      again();
    },
    noise: () => raw('starting up...\n{"level":"info"}\n[1,2]\n\u001b[31mred\u001b[0m'),
  };
  faults.notify = send;
  faults.own = { ...peer, line: raw };
  if (config.noise) peer.noise();
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    log(line);
    const message = JSON.parse(line);
    if (!settle(message)) void answer(message, peer, faults);
  });
  if (!config.ignoreEnd) lines.on("close", () => process.exit(0));
}

function serveHttp() {
  const streams = () => [...faults.sessions.values()].flatMap(({ stream }) => stream ?? []);
  const write = (text) => streams().forEach((stream) => stream.write(text));
  faults.notify = (message) => write(event(message));
  faults.own = {
    send: faults.notify,
    raw: (text) => write(`data: ${text}\n\n`),
    line: (text) => write(`: ${text}\n\n`),
    cut: () => streams().forEach((stream) => stream.destroy()),
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(config.port ?? 0, "127.0.0.1", () => console.log(JSON.stringify({ port: server.address().port })));
}

function packed(response, text) {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipSync(text));
}

const event = (message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

async function handle(request, response) {
  log(`${request.method} ${request.url}`);
  response.on("close", () => {
    if (!response.writableFinished) faults.closed = (faults.closed ?? 0) + 1;
  });
  if (config.redirect) return response.writeHead(config.redirectStatus ?? 307, { location: config.redirect }).end();
  if (config.token !== undefined && request.headers.authorization !== `Bearer ${config.token}`)
    return refuse(response, 401, "");
  if (typeof config.initialize === "number") return refuse(response, config.initialize, config.body ?? "");
  if (request.method === "DELETE") return endSession(request, response);
  return config.over === "sse" ? await handleSse(request, response) : await handleStreamable(request, response);
}

function refuse(response, status, body, headers = {}) {
  response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
}

function endSession(request, response) {
  if (config.holdDelete) return;
  if (config.dieAtEnd) process.exit(6);
  faults.sessions.delete(request.headers["mcp-session-id"]);
  response.writeHead(200).end();
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  log(text);
  return JSON.parse(text);
}

async function handleStreamable(request, response) {
  const session = faults.sessions.get(request.headers["mcp-session-id"]);
  if (request.method === "GET") {
    if (session === undefined || config.noStream) return refuse(response, 405, "");
    faults.gets = (faults.gets ?? 0) + 1;
    if (request.headers["last-event-id"] !== undefined) return primed(response);
    if (config.ownCut) return ended(response, config.ownCut);
    await new Promise((resolve) => setTimeout(resolve, config.streamDelay ?? 0));
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    session.stream = response;
    return;
  }
  const message = await bodyOf(request);
  if (message.method === "initialize") return initialize(message, request, response);
  if (session === undefined)
    return refuse(response, faults.forgottenStatus, "Bad Request: No valid session ID provided");
  if (message.method === undefined && config.holdAnswers) return void (faults.held = (faults.held ?? 0) + 1);
  if (settle(message)) return response.writeHead(202).end();
  if (message.id === undefined) {
    await answer(message, {}, faults);
    return response.writeHead(202).end();
  }
  const { name, arguments: args } = message.params ?? {};
  if (name === "status" && !answersNow(args)) return refuse(response, args.status, args.body ?? "", headersOf(args));
  if (name === "forget") forget(args);
  if (name === "resume") {
    faults.retry = args.retry;
    return primed(response);
  }
  await answer(message, httpPeer(request, response, session), faults);
}

/** A stream that may be resumed, and brings nothing. */
function primed(response) {
  const retry = faults.retry === undefined ? "" : `retry: ${faults.retry}\n`;
  ended(response, `id: ${randomUUID()}\n${retry}data:\n\n${config.primedWith ?? ""}`);
}

function ended(response, text) {
  const headers = { "content-type": "text/event-stream", "content-length": Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
}

/** After so many `times` it does what it was asked for. */
function answersNow({ times = Infinity }) {
  faults.refused = (faults.refused ?? 0) + 1;
  return faults.refused > times;
}

const headersOf = ({ retryAfter, location }) => ({
  ...(retryAfter !== undefined && { "retry-after": retryAfter }),
  ...(location !== undefined && { location }),
});

function forget({ status }) {
  faults.forgottenStatus = status;
  faults.sessions.clear();
}

async function initialize(message, request, response) {
  const id = randomUUID();
  if (!config.stateless) response.setHeader("mcp-session-id", id);
  faults.sessions.set(config.stateless ? undefined : id, {});
  await answer(message, httpPeer(request, response, faults.sessions.get(id)), faults);
}

function httpPeer(request, response, session) {
  const open = () => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  };
  if (config.stream) {
    open();
    response.flushHeaders();
  }
  return {
    send: (message) => {
      if (message.id === undefined) return session.stream?.write(event(message));
      if (!config.stream)
        return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
      response.end(event(message));
    },
    raw: (text) => {
      if (config.gzip) return packed(response, text);
      if (!config.stream) return response.writeHead(200, { "content-type": "application/json" }).end(text);
      response.end(`event: message\ndata: ${text}\n\n`);
    },
    line: (text) => session.stream?.write(`: ${text}\n\n`),
    half: (text) => {
      response.writeHead(200, { "content-type": config.stream ? "text/event-stream" : "application/json" });
      response.write(config.stream ? `data: ${text}` : text, () => response.destroy());
    },
    status: (status) => refuse(response, status, "no", { "retry-after": "0" }),
    pour: (head, more) => {
      if (!config.stream) response.writeHead(200, { "content-type": "application/json" });
      response.write(config.stream ? `event: message\ndata: ${head}` : head);
      const again = () => response.writableEnded || response.destroyed || response.write(more, again);
      again();
    },
    request: asking((message) => session.stream.write(event(message))),
    seen: { headers: request.headers, url: request.url },
    cut: () => response.destroy(),
    noise: () => {},
  };
}

async function handleSse(request, response) {
  const url = new URL(request.url, "http://127.0.0.1");
  if (request.method === "GET") {
    const id = randomUUID();
    faults.sessions.set(id, { stream: response, headers: request.headers });
    response.writeHead(200, { "content-type": "text/event-stream" });
    return response.write(`event: endpoint\ndata: ${config.endpoint ?? "/message"}?session=${id}\n\n`);
  }
  const session = faults.sessions.get(url.searchParams.get("session"));
  if (session === undefined) return refuse(response, 404, "");
  const message = await bodyOf(request);
  const { name, arguments: args } = message.params ?? {};
  if (name === "status" && !answersNow(args)) return refuse(response, args.status, "", headersOf(args));
  if (name === "hang" && args.post) return;
  const status = statusDue(message, faults);
  if (status !== undefined) return refuse(response, status, "no", { "retry-after": "0" });
  response.writeHead(202).end();
  if (settle(message)) return;
  const send = (said) => session.stream.write(event(said));
  await answer(
    message,
    {
      send,
      raw: (text) => session.stream.write(`event: message\ndata: ${text}\n\n`),
      line: (text) => session.stream.write(`: ${text}\n\n`),
      half: (text) => session.stream.write(`event: message\ndata: ${text}`, () => session.stream.destroy()),
      pour: (head, more) => {
        session.stream.write(`event: message\ndata: ${head}`);
        const again = () => session.stream.destroyed || session.stream.write(more, again);
        again();
      },
      request: asking(send),
      seen: { headers: request.headers, url: request.url },
      cut: () => session.stream.destroy(),
      noise: () => {},
    },
    faults,
  );
}

if (config.over === "http" || config.over === "sse") serveHttp();
else serveStdio();
