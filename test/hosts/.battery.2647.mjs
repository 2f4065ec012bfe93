// test/hosts/battery.ts
import { spawnSync as spawnSync3 } from "node:child_process";
import {
  cpSync as cpSync2,
  mkdtempSync as mkdtempSync3,
  readFileSync as readFileSync9,
  rmSync as rmSync3,
  writeFileSync as writeFileSync11,
} from "node:fs";
import { tmpdir as tmpdir2 } from "node:os";
import path15 from "node:path";
import { parseArgs } from "node:util";

// test/hosts/observe.ts
import { readdirSync } from "node:fs";

// test/hosts/host.ts
import path from "node:path";
function sessionFolders(home) {
  return { XDG_RUNTIME_DIR: path.join(home, "runtime"), XDG_STATE_HOME: path.join(home, "state") };
}
function surroundings(place, more) {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: place.home,
    ...sessionFolders(place.home),
    TMPDIR: process.env["TMPDIR"] ?? "/tmp",
    LANG: "C.UTF-8",
    CI: "1",
    NO_COLOR: "1",
    TRACKER_TOKEN: "test-tracker",
    VAULT_TOKEN: "test-vault",
    ...more,
  };
}

// test/hosts/mock-model.ts
import { createServer } from "node:http";

// test/hosts/dialects.ts
var OURS = "mock_";
var chat = {
  path: /\/chat\/completions$/,
  read(body) {
    const messages2 = list(body["messages"]);
    return {
      tools: list(body["tools"]).map((tool) => text(record(tool["function"])["name"])),
      opening: firstOf(messages2.filter((message) => message["role"] === "user").map((message) => message["content"])),
      calls: messages2.flatMap((message) => list(message["tool_calls"])).filter((call) => isOurs(call["id"])).length,
    };
  },
  answer(said, id) {
    const chunk = (delta2, finish) => ({
      data: {
        id,
        object: "chat.completion.chunk",
        created: 0,
        model: "mock-model",
        choices: [{ index: 0, delta: delta2, finish_reason: finish }],
      },
    });
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const last = { data: { ...chunk({}, null).data, choices: [], usage } };
    const delta =
      "call" in said
        ? { tool_calls: [{ index: 0, id, type: "function", function: named(said.call) }] }
        : { content: said.text };
    return [
      chunk({ role: "assistant", ...delta }, null),
      chunk({}, "call" in said ? "tool_calls" : "stop"),
      last,
      { data: "[DONE]" },
    ];
  },
};
var responses = {
  path: /\/responses$/,
  read(body) {
    const input = list(body["input"]);
    const users = input.filter((item) => item["role"] === "user").map((item) => item["content"]);
    return {
      tools: list(body["tools"]).flatMap((tool) =>
        tool["type"] === "namespace"
          ? list(tool["tools"]).map((inner) => `${text(tool["name"])}::${text(inner["name"])}`)
          : [text(tool["name"] ?? tool["type"])],
      ),
      // Codex opens with notes on the surroundings; the prompt is the last thing a user says.
      opening: users.map(plain).join("\n"),
      calls: input.filter((item) => item["type"] === "function_call" && isOurs(item["call_id"])).length,
    };
  },
  answer(said, id) {
    let number = 0;
    const event = (type, more) => ({ event: type, data: { type, sequence_number: number++, ...more } });
    const item =
      "call" in said
        ? { type: "function_call", id: `fc_${id}`, call_id: id, status: "completed", ...spaced(said.call) }
        : {
            type: "message",
            id: `msg_${id}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: said.text, annotations: [] }],
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const whole = (status, output) => ({
      response: { id: `resp_${id}`, object: "response", created_at: 0, model: "mock-model", status, output, usage },
    });
    return [
      event("response.created", whole("in_progress", [])),
      event("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } }),
      event("response.output_item.done", { output_index: 0, item }),
      event("response.completed", whole("completed", [item])),
    ];
  },
};
var messages = {
  path: /\/messages$/,
  read(body) {
    const turns = list(body["messages"]);
    return {
      tools: list(body["tools"]).map((tool) => text(tool["name"] ?? tool["type"])),
      opening: firstOf(turns.filter((turn) => turn["role"] === "user").map((turn) => turn["content"])),
      calls: turns
        .filter((turn) => turn["role"] === "assistant")
        .flatMap((turn) => list(turn["content"]))
        .filter((block) => isOurs(block["id"])).length,
    };
  },
  answer(said, id) {
    const event = (type, more) => ({ event: type, data: { type, ...more } });
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "mock-model",
      content: [],
      stop_reason: null,
      usage,
    };
    const [block, delta] =
      "call" in said
        ? [
            { type: "tool_use", id, name: said.call.name, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(said.call.args) },
          ]
        : [
            { type: "text", text: "" },
            { type: "text_delta", text: said.text },
          ];
    return [
      event("message_start", { message }),
      event("content_block_start", { index: 0, content_block: block }),
      event("content_block_delta", { index: 0, delta }),
      event("content_block_stop", { index: 0 }),
      event("message_delta", { delta: { stop_reason: "call" in said ? "tool_use" : "end_turn" }, usage }),
      event("message_stop", {}),
    ];
  },
};
var gemini = {
  path: /generatecontent$/i,
  read(body) {
    const contents = list(body["contents"]);
    const parts = (role) =>
      contents.filter((content) => content["role"] === role).flatMap((content) => list(content["parts"]));
    return {
      tools: list(body["tools"])
        .flatMap((tool) => list(tool["functionDeclarations"]))
        .map((tool) => text(tool["name"])),
      opening: parts("user")
        .map((part) => part["text"] ?? "")
        .map(plain)
        .join("\n"),
      // This dialect's calls carry no name of ours; all of them are.
      calls: parts("model").filter((part) => part["functionCall"] !== void 0).length,
    };
  },
  answer(said) {
    const part = "call" in said ? { functionCall: said.call } : { text: said.text };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const candidates = [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }];
    return [{ data: { candidates, usageMetadata, modelVersion: "mock-model" } }];
  },
};
var DIALECTS = [chat, responses, messages, gemini];
var callId = (number) => `${OURS}${number}`;
var isOurs = (id) => typeof id === "string" && id.startsWith(OURS);
var named = (call) => ({ name: call.name, arguments: JSON.stringify(call.args) });
function spaced(call) {
  const [namespace, name] = call.name.split("::");
  return name === void 0 ? named(call) : { ...named({ ...call, name }), namespace };
}
var firstOf = (contents) => plain(contents[0] ?? "");
function plain(content) {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(part["text"]))
    .join("\n");
}
var text = (value) => (typeof value === "string" ? value : "");
var record = (value) => (typeof value === "object" && value !== null ? value : {});
var list = (value) => (Array.isArray(value) ? value.map(record) : []);

// test/hosts/mock-model.ts
var MOST_REQUESTS = 80;
async function mockModel(script, beforeAnswer) {
  const asked = [];
  const reply = async (request2, response) => {
    const body = await bodyOf(request2);
    const path16 = (request2.url ?? "").split("?")[0] ?? "";
    const dialect = DIALECTS.find((one) => one.path.test(path16));
    if (request2.method !== "POST" || dialect === void 0) return answerAside(path16, response);
    const question = dialect.read(body);
    asked.push({ ...question, told: JSON.stringify(body) });
    if (question.calls > 0) await beforeAnswer();
    const said = asked.length > MOST_REQUESTS ? { text: "enough" } : nextOf(script, question);
    stream(response, dialect.answer(said, callId(asked.length)));
  };
  const server = createServer((request2, response) => void reply(request2, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
function nextOf(script, asked) {
  const call = script.find((part) => asked.opening.includes(part.about))?.calls[asked.calls];
  return call === void 0 ? { text: "done" } : { call };
}
function answerAside(path16, response) {
  const known = /count_?tokens$/i.test(path16)
    ? { input_tokens: 1, totalTokens: 1 }
    : { object: "list", data: [], models: [] };
  response.writeHead(/tokens$|models$|^\/$/i.test(path16) ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(known));
}
function stream(response, events) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of events) {
    if (event !== void 0)
      response.write(`event: ${event}
`);
    response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}

`);
  }
  response.end();
}
async function bodyOf(request2) {
  const chunks = [];
  for await (const chunk of request2) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return {};
  }
}

// test/hosts/inbox.ts
import { spawn as spawn2 } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as setTimeout2 } from "node:timers/promises";

// test/hosts/bounded-process.ts
import { spawn } from "node:child_process";
function runBounded(command) {
  return new Promise((resolve) => {
    const { file, args, cwd, env } = command;
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err, late] = ["", "", false];
    child.stdout.on("data", (data) => (out += String(data)));
    child.stderr.on("data", (data) => (err += String(data)));
    const timer = setTimeout(() => {
      late = true;
      endGroup(child.pid);
    }, command.timeoutMs);
    child.on("error", (error) => (err += error.message));
    child.on("close", (exit) => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve({ exit: late ? null : exit, out, err });
    });
  });
}
function endGroup(pid) {
  if (pid === void 0) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {}
}

// test/hosts/cli.ts
import path2 from "node:path";
var CLI = path2.join(import.meta.dirname, "..", "..", "dist", "cli.js");

// test/hosts/inbox.ts
async function answering({ folder, home, reached }, answer, role) {
  const asked = [];
  const args = [CLI, "asks", "--json", "--watch", "--project", folder];
  const child = spawn2(process.execPath, args, { env: ofUser(home), stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout });
  const there = new Promise((resolve) => lines.once("line", () => resolve()));
  lines.on("line", (line) => {
    const { kind, id, hash: hash2, server, tool } = JSON.parse(line);
    if (kind !== "call") return;
    asked.push({ tool: `${server}.${tool}`, before: reached().filter((one) => one.did === "call").length });
    if (answer !== "never")
      child.stdin.write(`${JSON.stringify({ id, hash: hash2, yes: answer, by: "battery" })}
`);
  });
  if (role !== void 0) await foundDaemon({ folder, home }, role, there);
  return { asked, leave: () => child.kill() };
}
async function foundDaemon({ folder, home }, role, there) {
  const args = [CLI, "serve", "--role", role, "--project", folder];
  const client = spawn2(process.execPath, args, { env: ofUser(home), stdio: ["pipe", "ignore", "ignore"] });
  const tooLong = new AbortController();
  await Promise.race([there, setTimeout2(1e4, void 0, { signal: tooLong.signal }).catch(() => void 0)]);
  tooLong.abort();
  client.kill();
}
async function endDaemon({ folder, home }) {
  const args = [CLI, "serve", "--stop", "--project", folder];
  await runBounded({ file: process.execPath, args, cwd: folder, env: ofUser(home), timeoutMs: 1e4 });
}
function ofUser(home) {
  return { PATH: process.env["PATH"] ?? "", HOME: home, ...sessionFolders(home) };
}

// test/hosts/stage.ts
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path3 from "node:path";
var HERE = import.meta.dirname;
function stage(project, state) {
  const root2 = realpathSync(mkdtempSync(path3.join(tmpdir(), "rolecall-host-")));
  const [folder, home] = [path3.join(root2, "harbor"), path3.join(root2, "home")];
  cpSync(project, folder, { recursive: true });
  mkdirSync(home);
  for (const folder2 of Object.values(sessionFolders(home))) mkdirSync(folder2, { mode: 448 });
  writeFileSync(path3.join(home, "outside.txt"), "what lies outside of the project\n");
  mkdirSync(path3.join(folder, ".git"), { recursive: true });
  writeFileSync(path3.join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  const servers = path3.join(folder, "servers");
  mkdirSync(servers, { recursive: true });
  copyFileSync(path3.join(HERE, "fixture-server.mjs"), path3.join(servers, "fixture-server.mjs"));
  rmSync(path3.join(servers, "log.jsonl"), { force: true });
  writeFileSync(path3.join(servers, "state.json"), JSON.stringify(state));
  const log = path3.join(servers, "log.jsonl");
  const reached = () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
      : [];
  return {
    folder,
    home,
    reached,
    clear() {
      for (const pid of new Set(reached().map((one) => one.pid))) endIfOurs(pid);
      rmSync(root2, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
function endIfOurs(pid) {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("fixture-server.mjs")) process.kill(pid, "SIGKILL");
  } catch {}
}

// test/hosts/observe.ts
var PROMPT = "Begin the battery.";
var HANDED_OVER = "Take over from here.";
var MOST_MS = 6e4;
var REFRESH_MS = 700;
async function observe(host, setting) {
  const place = stage(setting.project, setting.state ?? {});
  const script = [
    { about: HANDED_OVER, calls: setting.callsOfOthers ?? [] },
    { about: PROMPT, calls: setting.calls ?? [] },
  ];
  const model3 = await mockModel(script, oncePerGrowth(place.reached));
  const begins = setting.byRolecall === true ? void 0 : setting.role;
  const person = setting.answers === void 0 ? void 0 : await answering(place, setting.answers, begins);
  try {
    const { packages, role } = setting;
    const { folder, home } = place;
    const begin = { role, prompt: PROMPT, filesOf: setting.filesOf ?? role, byRolecall: setting.byRolecall === true };
    const at = { folder, home, packages, modelUrl: model3.url, timeoutMs: MOST_MS };
    if (setting.overruled === true) host.overrule?.(at, role);
    const ended = await host.start(at, begin);
    const others = model3.asked.filter((one) => one.opening.includes(HANDED_OVER));
    const own = model3.asked.filter((one) => one.opening.includes(PROMPT) && !others.includes(one));
    const offered = (all) => all.map((one) => one.tools);
    return {
      offered: offered(own),
      offeredToOthers: offered(others),
      told: model3.asked.map((one) => one.told).join("\n"),
      reached: place.reached(),
      asked: person?.asked ?? [],
      astray: Object.values(sessionFolders(home)).flatMap((one) =>
        readdirSync(one).filter((name) => name === "rolecall"),
      ),
      exit: ended.exit,
      stderr: `${ended.err}
${ended.out}`.trim(),
    };
  } finally {
    await model3.close();
    person?.leave();
    if (host.served !== void 0) await endDaemon(place);
    place.clear();
  }
}
function oncePerGrowth(reached) {
  const waited = /* @__PURE__ */ new Set();
  return async () => {
    const called = new Set(reached().flatMap((one) => (one.did === "call" ? [one.server] : [])));
    for (const server of called) {
      if (waited.has(server)) continue;
      waited.add(server);
      const until = Date.now() + REFRESH_MS;
      while (Date.now() < until && !askedAgain(reached(), server))
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
}
function askedAgain(reached, server) {
  const ofServer = reached.filter((one) => one.server === server);
  return ofServer.slice(ofServer.findIndex((one) => one.did === "call")).some((one) => one.did === "list");
}

// test/hosts/plan.ts
import { readdirSync as readdirSync2, readFileSync as readFileSync2 } from "node:fs";
import path4 from "node:path";
function readPlan(project) {
  const access = JSON.parse(readFileSync2(path4.join(project, "src", "mcp", "access.json"), "utf8"));
  const folder = path4.join(project, "mcp", "manifests");
  const manifests = readdirSync2(folder).map((name) => JSON.parse(readFileSync2(path4.join(folder, name), "utf8")));
  return {
    roles: new Map(Object.entries(access.roles).map(([name, role]) => [name, roleOf(name, role)])),
    tools: manifests.flatMap(({ server, tools }) => tools.map(({ name }) => ({ server, tool: name }))),
    connections: new Map(
      Object.entries(access.servers).map(([name, { connect }]) => {
        const [{ stdio, variables } = { stdio: [], variables: [] }] = connect;
        return [name, { command: stdio, variables }];
      }),
    ),
    prompt: readFileSync2(path4.join(project, "mcp", "prompts", "tester.md"), "utf8").trim(),
    withResources: new Set(manifests.filter((one) => one.capabilities.resources).map((one) => one.server)),
  };
}
function enforceable(host, plan, role) {
  return (plan.roles.get(role)?.held ?? []).filter(
    (one) =>
      (host.asks !== "left-out" || one.effect === "allow") &&
      (host.conditions !== "left-out" || !one.conditioned) &&
      (host.resources !== "left-out" || !plan.withResources.has(one.server)) &&
      host.keeps?.includes(one.server) !== true,
  );
}
function reachable(host, plan, role, seen = /* @__PURE__ */ new Set()) {
  if (seen.has(role)) return [];
  const further = /* @__PURE__ */ new Set([...seen, role]);
  const others = host.delegation === "closed" ? [] : (plan.roles.get(role)?.delegates ?? []);
  return [...enforceable(host, plan, role), ...others.flatMap((other) => reachable(host, plan, other, further))];
}
function roleOf(name, role) {
  const held = Object.entries(role.servers).flatMap(([server, { tools, where }]) =>
    Object.entries(tools).map(([tool, effect]) => ({
      server,
      tool,
      role: name,
      effect,
      conditioned: where?.[tool] !== void 0,
    })),
  );
  return { held, delegates: role.delegates ?? [], builtins: role.builtins ?? {} };
}

// test/hosts/checks.ts
var GROWN = ["grown_at_start", "grown_later"];
var SERVERS = ["tracker", "files", "vault", "wiki"];
var KEPT = ["external", "workspace", "codex_apps", "github-mcp-server"];
var OUTSIDE = { file: "../home/outside.txt", text: "what lies outside of the project" };
var ARGUMENT = {
  list_issues: "state",
  get_issue: "id",
  create_issue: "title",
  merge_change: "id",
  read_file: "path",
  write_file: "path",
  delete_file: "path",
  list_secrets: "prefix",
  get_secret: "name",
  "rotate-key": "name",
  "search-pages": "text",
  "page.read": "id",
  "page.write": "id",
  directory: "id",
  look: "id",
  tidy: "id",
  open_app: "id",
  get_me: "id",
};
var callOf = (host, tool, value) => {
  const argument = ARGUMENT[tool.tool];
  return { name: host.shown(tool), args: argument === void 0 ? {} : { [argument]: value } };
};
var every = (plan, roles) => {
  const tools = [...plan.tools, ...[...SERVERS, ...KEPT].flatMap((server) => GROWN.map((tool) => ({ server, tool })))];
  return roles.flatMap((role) => tools.map((one) => ({ ...one, role })));
};
var callsOf = (host, tools, value) => {
  const calls = tools.map((one) => callOf(host, one, value));
  return [...new Map(calls.map((one) => [one.name, one])).values()];
};
var key = ({ server, tool }) => `${server}.${tool}`;
var isServers = (host) => (name) =>
  host.isOurs?.(name) === true ||
  [...SERVERS, ...KEPT].some((server) => name.startsWith(host.shown({ server, tool: "" })));
function everything({ host, plan }, role) {
  const held = enforceable(host, plan, role);
  const keys = new Set(held.map(key));
  const free = held.filter((one) => one.effect === "allow");
  return {
    role,
    state: { grow: true },
    calls: [
      ...free.map((one) => callOf(host, one, "tests/one")),
      ...free.filter((one) => one.conditioned).map((one) => callOf(host, one, "src/one")),
      ...every(plan, [role])
        .filter((one) => !keys.has(key(one)))
        .map((one) => callOf(host, one, "tests/one")),
      ...SERVERS.flatMap((server) => host.readResource(server)),
      ...held.filter((one) => one.effect === "ask").map((one) => callOf(host, one, "tests/one")),
      ...(host.outside ? [host.outside(OUTSIDE.file)] : []),
    ],
  };
}
var offeredAsPlanned = {
  title: "the tools offered are the plan's",
  roles: "each",
  async problems(bench, role) {
    const { host, plan } = bench;
    const seen = await bench.watch(everything(bench, role));
    const [first] = seen.offered;
    if (first === void 0) return [spoke(seen)];
    const expected = enforceable(host, plan, role).filter((one) => host.askedShows || one.effect === "allow");
    const builtins = plan.roles.get(role)?.builtins[host.installedAs ?? host.id];
    const readers = host.readResource("").map((one) => one.name);
    const own = first.filter((name) => !isServers(host)(name) && !readers.includes(name));
    return [
      ...differences(new Set(expected.map((one) => host.shown(one))), new Set(first.filter(isServers(host)))),
      ...(builtins === void 0 ? (host.ownTools ?? []).filter((name) => !own.includes(name)) : []).map(lost),
      ...(builtins === void 0 ? [] : own.filter((name) => !builtins.includes(name)).map((name) => `offers ${name}`)),
    ];
  },
};
var deniedExecutesNothing = {
  title: "a denied tool called anyway executes nothing",
  roles: "each",
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    const free = enforceable(bench.host, bench.plan, role).filter((one) => one.effect === "allow");
    const leaked = seen.told.includes(OUTSIDE.text)
      ? ["a file outside of the project was read without a question"]
      : [];
    return [...notWithin(seen, free), ...free.flatMap((one) => onceAsAllowed(seen, one)), ...leaked];
  },
};
var delegationWithin = {
  title: "delegation stays within the role's own set",
  roles: "each",
  async problems(bench, role) {
    const { host, plan } = bench;
    const agents = [
      .../* @__PURE__ */ new Set([...(plan.roles.get(role)?.delegates ?? []), ...host.ownAgents, ...plan.roles.keys()]),
    ];
    const seen = await bench.watch({
      role,
      calls: agents.map((agent) => host.handOver(agent, HANDED_OVER)),
      callsOfOthers: callsOf(host, every(plan, [role, ...plan.roles.keys()]), "src/one"),
    });
    if (seen.offered.length === 0) return [spoke(seen)];
    const all = reachable(host, plan, role);
    const names2 = new Set(all.map((one) => host.shown(one)));
    const wider = seen.offeredToOthers.flat().filter((name) => isServers(host)(name) && !names2.has(name));
    const expected = host.delegation === "opened" && (plan.roles.get(role)?.delegates ?? []).length > 0;
    return [
      ...[...new Set(wider)].map((name) => `another agent is offered ${name}`),
      ...notWithin(
        seen,
        all.filter((one) => one.effect === "allow" && !one.conditioned),
      ),
      ...(expected && seen.offeredToOthers.length === 0 ? ["the delegate wasn't reached"] : []),
    ];
  },
};
var grownNowhere = {
  title: "a tool that the server adds later appears nowhere",
  roles: "each",
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    if (seen.offered.length === 0) return [spoke(seen)];
    const shown = new Set(seen.offered.flat().filter((name) => GROWN.some((tool) => name.endsWith(tool))));
    const reached = seen.reached.filter((one) => one.did === "call" && GROWN.includes(one.tool ?? ""));
    return [
      ...[...shown].map((name) => `offers ${name}`),
      ...reached.map((one) => `${one.server}.${one.tool} was called`),
    ];
  },
};
var resourcesClosed = {
  title: "resources are closed",
  roles: "each",
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    if (seen.offered.length === 0) return [spoke(seen)];
    return [
      ...seen.reached.filter((one) => one.did === "read").map((one) => `a resource of ${one.server} was read`),
      ...SERVERS.filter((server) => seen.told.includes(`a-note-of-${server}`)).map(
        (one) => `resources of ${one} are listed`,
      ),
    ];
  },
};
var unknownGetsNothing = {
  title: "an unknown role gets nothing",
  roles: ["nobody"],
  async problems(bench, role) {
    const { host, plan } = bench;
    const calls = callsOf(host, every(plan, ["tester", ...plan.roles.keys()]), "tests/one");
    const none = await bench.watch({ role, calls });
    const others = host.rolesByName ? [await bench.watch({ role, calls, filesOf: "tester" })] : [];
    const known = await bench.watch(everything(bench, "tester"));
    if (known.offered.length === 0) return [spoke(known)];
    return [none, ...others].flatMap((seen) => [
      ...new Set(
        seen.offered
          .flat()
          .filter(isServers(host))
          .map((name) => `offers ${name}`),
      ),
      ...notWithin(seen, []),
    ]);
  },
};
var faultsStayAlone = {
  title: "a dead or hung server doesn't widen or stop the others",
  roles: ["tester"],
  async problems(bench, role) {
    const { host, plan } = bench;
    const held = enforceable(host, plan, role).filter((one) => one.effect === "allow" && !one.conditioned);
    const calls = [...held.filter((one) => one.server === "files"), ...held.filter((one) => one.server !== "files")];
    const names2 = new Set(enforceable(host, plan, role).map((one) => host.shown(one)));
    const withFault = async (fault) => {
      const seen = await bench.watch({
        role,
        state: { faults: { files: fault } },
        calls: calls.map((one) => callOf(host, one, "tests/one")),
      });
      if (seen.offered.length === 0) return [`files ${fault}: ${spoke(seen)}`];
      const wider = new Set(seen.offered.flat().filter((name) => isServers(host)(name) && !names2.has(name)));
      const stopped = held.filter((one) => one.server !== "files").flatMap((one) => onceAsAllowed(seen, one));
      const late = seen.exit === null ? ["it had to be ended"] : [];
      return [...[...wider].map((name) => `offers ${name}`), ...stopped, ...late].map(
        (one) => `files ${fault}: ${one}`,
      );
    };
    return (await Promise.all([withFault("dead"), withFault("hung"), withFault("dies")])).flat();
  },
};
var promptTold = {
  title: "the role's prompt is told as it is written",
  roles: ["tester"],
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    if (seen.offered.length === 0) return [spoke(seen)];
    const prompt = JSON.stringify(bench.plan.prompt).slice(1, -1);
    return seen.told.includes(prompt) ? [] : ["the model wasn't told it"];
  },
};
var overruledOpensNothing = {
  title: "somebody else's agent of the role's name opens no tool that is pinned, and `rolecall start` doesn't go on",
  roles: ["tester"],
  isFor: ({ overrule }) => overrule !== void 0,
  async problems(bench, role) {
    const { host, plan } = bench;
    const [seen, started2] = await Promise.all([
      bench.watch({ ...everything(bench, role), state: {}, overruled: true }),
      bench.watch({ role, overruled: true, byRolecall: true }),
    ]);
    if (seen.offered.length === 0) return [spoke(seen)];
    const held = new Set(enforceable(host, plan, role).map((one) => host.shown(one)));
    const wider = new Set(seen.offered.flat().filter((name) => isServers(host)(name) && !held.has(name)));
    const own = ["Bash", "Write", "Agent", "Workflow"].filter((name) => seen.offered.flat().includes(name));
    return [
      ...[...wider, ...own].map((name) => `offers ${name}`),
      ...notWithin(
        seen,
        enforceable(host, plan, role).filter((one) => one.effect === "allow"),
      ),
      ...(started2.offered.length > 0 || started2.exit !== 1 ? ["rolecall start went on"] : []),
      ...(started2.stderr.includes("aaa.md") ? [] : ["it doesn't say why"]),
    ];
  },
};
var CHECKS = [
  offeredAsPlanned,
  deniedExecutesNothing,
  delegationWithin,
  grownNowhere,
  resourcesClosed,
  unknownGetsNothing,
  faultsStayAlone,
  promptTold,
];
function differences(expected, offered) {
  return [
    ...[...offered].filter((name) => !expected.has(name)).map((name) => `offers ${name}`),
    ...[...expected].filter((name) => !offered.has(name)).map((name) => `doesn't offer ${name}`),
  ];
}
function notWithin(seen, free) {
  const allowed = new Map(free.map((one) => [key(one), one]));
  return seen.reached
    .filter((one) => one.did === "call")
    .filter((one) => {
      const held = allowed.get(`${one.server}.${one.tool}`);
      return held === void 0 || (held.conditioned && JSON.stringify(one.args).includes("src/"));
    })
    .map((one) => `${one.server}.${one.tool} ${JSON.stringify(one.args)} was executed`);
}
function onceAsAllowed(seen, { server, tool }) {
  const reached = seen.reached.some((one) => one.did === "call" && one.server === server && one.tool === tool);
  return reached ? [] : [`${server}.${tool} wasn't executed though it is allowed`];
}
var lost = (name) => `doesn't offer its own ${name}`;
var spoke = (seen) => `never spoke to the model (exit ${seen.exit}): ${seen.stderr.slice(0, 400)}`;

// test/hosts/served-checks.ts
var CONDITION = { tool: "files.write_file", within: "tests/one" };
var ADVICE = "doesn't match the glob `tests/**`. Call it with other arguments.";
var refusedExecutesNothing = {
  title: "a refused argument executes nothing, and the model is told what may be",
  roles: ["tester"],
  isFor: ({ served: served2 }) => served2 !== void 0,
  async problems(bench, role) {
    const seen = await bench.watch(everything(bench, role));
    const written = seen.reached.filter(
      (one) => one.did === "call" && key({ ...one, tool: one.tool ?? "" }) === CONDITION.tool,
    );
    const ways = written.map(({ args }) => String(args?.["path"]));
    return [
      ...(ways.join() === CONDITION.within ? [] : [`written: ${ways.join(", ")}`]),
      ...(seen.told.includes(ADVICE) ? [] : ["the model wasn't told what may be"]),
    ];
  },
};
var askedWaits = {
  title: "an asked tool runs after the inbox's yes, once, and not before; after a no it doesn't",
  roles: ["tester"],
  isFor: ({ served: served2 }) => served2 === "all",
  async problems(bench, role) {
    const { host, plan } = bench;
    const asked = enforceable(host, plan, role).filter((one) => one.effect === "ask");
    const calls = asked.map((one) => callOf(host, one, "tests/one"));
    const ran = ({ reached }) => reached.filter((one) => one.did === "call").length;
    const [yes, no, nobody] = await Promise.all([
      bench.watch({ role, calls, answers: true }),
      bench.watch({ role, calls, answers: false }),
      bench.watch({ role, calls }),
    ]);
    return [
      ...(yes.asked.length === asked.length ? [] : [`${yes.asked.length} were asked about: ${spoke(yes)}`]),
      ...(yes.asked.some(({ before }) => before > 0) ? ["it ran before the yes"] : []),
      ...(ran(yes) === asked.length ? [] : [`after the yes it ran ${ran(yes)} times`]),
      ...(no.asked.length === asked.length && ran(no) === 0 ? [] : [`after the no it ran ${ran(no)} times`]),
      ...(yes.astray.length === 0 ? [] : ["what is kept lies where a variable says that not all have"]),
      ...(ran(nobody) === 0 && nobody.told.includes("rolecall asks") ? [] : ["nobody was there, and it isn't said"]),
    ];
  },
};
var GOES_ON = "Make the same call again, unchanged, to go on waiting.";
var nobodyAnswers = {
  title: "of an asked tool that nobody answers the model is told that nothing was done, before the host's time-out",
  roles: ["tester"],
  isFor: ({ served: served2 }) => served2 === "all",
  async problems(bench, role) {
    const { host, plan } = bench;
    const asked = enforceable(host, plan, role).find((one) => one.effect === "ask");
    const calls = [callOf(host, asked, "tests/one")];
    const seen = await bench.watch({ role, calls, answers: "never" });
    return [
      ...(seen.asked.length === 1 ? [] : [`${seen.asked.length} were asked about: ${spoke(seen)}`]),
      ...(seen.reached.some(({ did }) => did === "call") ? ["it ran without an answer"] : []),
      ...(seen.told.includes(GOES_ON) ? [] : ["the model wasn't told that the same call goes on waiting"]),
    ];
  },
};
var startedByRolecall = {
  title: "started by `rolecall start`: it writes where it may, is told why elsewhere, and waits for a yes",
  roles: ["tester"],
  isFor: ({ served: served2, startsByRolecall }) => served2 === "all" && startsByRolecall === true,
  async problems({ host, plan, watch }, role) {
    const of = (tool) => enforceable(host, plan, role).filter((one) => one.tool === tool);
    const [write, asked] = [of("write_file"), of("create_issue")];
    const calls = [
      ...write.map((one) => callOf(host, one, "tests/one")),
      ...write.map((one) => callOf(host, one, "src/one")),
      ...asked.map((one) => callOf(host, one, "tests/one")),
    ];
    const seen = await watch({ role, calls, answers: true, byRolecall: true });
    const did = seen.reached
      .filter((one) => one.did === "call")
      .map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`);
    const expected = ['write_file {"path":"tests/one"}', 'create_issue {"title":"tests/one"}'];
    return [
      ...(did.join() === expected.join() ? [] : [`done: ${did.join(", ")}: ${spoke(seen)}`]),
      ...(seen.asked.map(({ before }) => before).join() === "1" ? [] : ["nobody was asked, or too late"]),
      ...(seen.told.includes(ADVICE) ? [] : ["the model wasn't told where it may write"]),
    ];
  },
};
var SERVED_CHECKS = [refusedExecutesNothing, askedWaits, startedByRolecall, nobodyAnswers];

// test/hosts/claude-agent-sdk.ts
import { mkdirSync as mkdirSync2, writeFileSync as writeFileSync3 } from "node:fs";
import path7 from "node:path";

// test/hosts/app.ts
import { symlinkSync } from "node:fs";
import path5 from "node:path";
import { build } from "esbuild";
var HERE2 = import.meta.dirname;
async function runApp(place, host, env) {
  symlinkSync(path5.join(place.packages, "node_modules"), path5.join(place.folder, "node_modules"), "dir");
  const out = path5.join(place.folder, "src", "mcp");
  const file = path5.join(place.folder, "app.mjs");
  await build({
    entryPoints: [path5.join(HERE2, "apps", `${host}.mjs`)],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "silent",
    alias: { harbor: path5.join(out, "index.ts"), "harbor/host": path5.join(out, "hosts", `${host}.ts`) },
    // The runtime's own dependencies are this repository's; an app has them installed.
    nodePaths: [path5.join(HERE2, "..", "..", "node_modules")],
    external: ["@github/*", "@anthropic-ai/*", "@modelcontextprotocol/sdk/*"],
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
  return runBounded({ file: process.execPath, args: [file], cwd: place.folder, env, timeoutMs: place.timeoutMs });
}

// test/hosts/claude-code.ts
import { writeFileSync as writeFileSync2 } from "node:fs";
import path6 from "node:path";
var claudeName = ({ server, tool }) => `mcp__${server}__${tool.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}`;
var claudeSurroundings = (place) =>
  surroundings(place, {
    ANTHROPIC_BASE_URL: place.modelUrl,
    ANTHROPIC_API_KEY: "mock",
    ANTHROPIC_MODEL: "claude-sonnet-4-5",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ENABLE_TOOL_SEARCH: "false",
    // It would wait half a minute for a silent server before it ends.
    MCP_TIMEOUT: "5000",
  });
var claudeCode = {
  id: "claude-code",
  packages: { "@anthropic-ai/claude-code": "2.1.326" },
  asks: "asked",
  askedShows: true,
  conditions: "left-out",
  keeps: ["workspace"],
  resources: "closed",
  // As a run without any restriction offers them, less what hands work on.
  ownTools:
    "Bash CronCreate CronDelete CronList Edit EnterWorktree ExitWorktree Monitor NotebookEdit Read ReportFindings ScheduleWakeup Skill TaskCreate TaskGet TaskList TaskStop TaskUpdate WebFetch WebSearch Write".split(
      " ",
    ),
  shown: claudeName,
  readResource: (server) => [
    { name: "ListMcpResourcesTool", args: { server } },
    { name: "ReadMcpResourceTool", args: { server, uri: `note://${server}/one` } },
    { name: "ReadMcpResourceDirTool", args: { server, uri: `note://${server}/` } },
  ],
  handOver: (agent, prompt) => ({ name: "Agent", args: { description: "probe", prompt, subagent_type: agent } }),
  ownAgents: ["general-purpose", "Explore"],
  delegation: "opened",
  rolesByName: true,
  startsByRolecall: true,
  overrule: ({ folder }, role) =>
    writeFileSync2(
      path6.join(folder, ".claude", "agents", "aaa.md"),
      `---
name: ${role}
description: x
---
Hi.
`,
    ),
  start: (place, begin) => startClaude(place, begin, path6.join("mcp", "hosts", "claude-code")),
};
function startClaude(place, begin, folder) {
  const { role, filesOf, prompt, byRolecall } = begin;
  const files = path6.join(folder, filesOf);
  const chosen2 = ["--mcp-config", `${files}.mcp.json`, "--strict-mcp-config", "--settings", `${files}.settings.json`];
  const bin = path6.join(place.packages, "node_modules", ".bin");
  const env = claudeSurroundings(place);
  const ours = [CLI, "start", role, "--host", "claude-code", "--", "-p", prompt];
  return runBounded({
    ...(byRolecall === true
      ? { file: process.execPath, args: ours, env: { ...env, PATH: `${bin}:${env["PATH"]}` } }
      : { file: path6.join(bin, "claude"), args: ["-p", prompt, ...chosen2, "--agent", role], env }),
    cwd: place.folder,
    timeoutMs: place.timeoutMs,
  });
}

// test/hosts/claude-agent-sdk.ts
var { overrule: _, startsByRolecall: _alone, ...asClaudeCode } = claudeCode;
var claudeAgentSdk = {
  ...asClaudeCode,
  id: "claude-agent-sdk",
  packages: {
    "@anthropic-ai/claude-agent-sdk": "0.3.326",
    "@anthropic-ai/sdk": "1.10.0",
    "@modelcontextprotocol/sdk": "1.32.2",
    zod: "4.6.7",
  },
  conditions: "held",
  keeps: ["workspace"],
  delegation: "closed",
  rolesByName: false,
  start(place, { role, prompt }) {
    const agents = path7.join(place.folder, ".claude", "agents");
    mkdirSync2(agents, { recursive: true });
    writeFileSync3(
      path7.join(agents, `${role}.md`),
      `---
name: ${role}
description: another
---
Another prompt.
`,
    );
    return runApp(place, "claude-agent-sdk", { ...claudeSurroundings(place), ROLE: role, PROMPT: prompt });
  },
};

// test/hosts/codex.ts
import {
  copyFileSync as copyFileSync2,
  existsSync as existsSync2,
  mkdirSync as mkdirSync3,
  readFileSync as readFileSync3,
  writeFileSync as writeFileSync4,
} from "node:fs";
import path8 from "node:path";
var codex = {
  id: "codex",
  packages: { "@openai/codex": "0.169.0" },
  asks: "asked",
  askedShows: true,
  conditions: "left-out",
  keeps: ["codex_apps"],
  resources: "left-out",
  shown: ({ server, tool }) => `mcp__${server.replaceAll("-", "_")}::${tool.replaceAll(/[^a-zA-Z0-9_]/g, "_")}`,
  readResource: (server) => [
    { name: "list_mcp_resources", args: { server } },
    { name: "read_mcp_resource", args: { server, uri: `note://${server}/one` } },
  ],
  handOver: (agent, message) => ({ name: "multi_agent_v1::spawn_agent", args: { message, agent_type: agent } }),
  ownAgents: ["default", "worker", "explorer"],
  delegation: "closed",
  rolesByName: false,
  start(place, { role, filesOf, prompt }) {
    const codexHome = path8.join(place.home, ".codex");
    mkdirSync3(codexHome, { recursive: true });
    const profile = path8.join(place.folder, "mcp", "hosts", "codex", `${filesOf}.config.toml`);
    const ours = existsSync2(profile) ? readFileSync3(profile, "utf8") : "";
    writeFileSync4(path8.join(codexHome, "config.toml"), model(place) + elsewhere(place, ours));
    if (existsSync2(profile)) copyFileSync2(profile, path8.join(codexHome, `harbor-${filesOf}.config.toml`));
    return runBounded({
      file: path8.join(place.packages, "node_modules", ".bin", "codex"),
      // A key that it doesn't know ends it, so each file is checked against the host's own schema.
      args: ["exec", "--strict-config", "--skip-git-repo-check", "--profile", `harbor-${role}`, prompt],
      cwd: place.folder,
      env: surroundings(place, { CODEX_HOME: codexHome, MOCK_KEY: "mock" }),
      timeoutMs: place.timeoutMs,
    });
  },
};
var elsewhere = (place, profile) =>
  [...profile.matchAll(/^\[(mcp_servers\."[^"]+")\]$/gm)]
    .map(
      ([, table]) => `[${table}]
command = "nobody"
cwd = ${JSON.stringify(place.home)}
`,
    )
    .join("");
var model = (place) => `model = "mock-model"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = ${JSON.stringify(`${place.modelUrl}/v1`)}
wire_api = "responses"
env_key = "MOCK_KEY"
[projects.${JSON.stringify(place.folder)}]
trust_level = "trusted"
`;

// test/hosts/copilot-sdk.ts
var copilotSdk = {
  id: "copilot-sdk",
  packages: { "@github/copilot-sdk": "1.0.14" },
  asks: "asked",
  askedShows: true,
  conditions: "held",
  keeps: ["github-mcp-server"],
  resources: "none",
  shown: ({ server, tool }) => `${server}-${tool.replaceAll(/[^a-zA-Z0-9_-]/g, "-")}`,
  // None were ever offered; these are the names that other hosts use.
  readResource: (server) => [
    { name: "read_mcp_resource", args: { server, uri: `note://${server}/one` } },
    { name: `${server}-read_resource`, args: { uri: `note://${server}/one` } },
  ],
  handOver: (agent, prompt) => ({
    name: "task",
    args: { agent_type: agent, name: "probe", description: "probe", prompt, mode: "sync" },
  }),
  ownAgents: ["general-purpose", "explore"],
  delegation: "closed",
  rolesByName: false,
  start: (place, { role, prompt }) =>
    runApp(place, "copilot-sdk", surroundings(place, { MODEL_URL: place.modelUrl, ROLE: role, PROMPT: prompt })),
};

// test/hosts/gemini-cli.ts
import {
  existsSync as existsSync3,
  mkdirSync as mkdirSync4,
  readFileSync as readFileSync4,
  writeFileSync as writeFileSync5,
} from "node:fs";
import path9 from "node:path";
var geminiCli = {
  id: "gemini-cli",
  packages: { "@google/gemini-cli": "0.61.0" },
  asks: "asked",
  askedShows: true,
  conditions: "left-out",
  resources: "closed",
  shown: ({ server, tool }) => `mcp_${server}_${tool}`,
  readResource: (server) => [
    { name: "list_mcp_resources", args: { serverName: server } },
    { name: "read_mcp_resource", args: { uri: `note://${server}/one` } },
  ],
  handOver: (agent, prompt) => ({ name: "invoke_agent", args: { agent_name: agent, prompt } }),
  ownAgents: ["generalist", "codebase_investigator", "cli_help"],
  delegation: "closed",
  rolesByName: true,
  start(place, { role, filesOf, prompt }) {
    const ofRole = (name, file) => path9.join("mcp", "hosts", "gemini-cli", name, file);
    const servers = path9.join(place.folder, ofRole(filesOf, "servers.txt"));
    const names2 = existsSync3(servers) ? readFileSync4(servers, "utf8").trim() : "";
    const chosen2 = ["--policy", ofRole(role, "policy.toml"), "--allowed-mcp-server-names", names2];
    mkdirSync4(path9.join(place.home, ".gemini"));
    writeFileSync5(path9.join(place.home, ".gemini", "settings.json"), JSON.stringify(USER));
    return runBounded({
      file: path9.join(place.packages, "node_modules", ".bin", "gemini"),
      // The mode that allows most: what the files say has to hold there too.
      args: [...chosen2, "-p", prompt, "-m", "gemini-2.5-flash", "--approval-mode", "yolo"],
      cwd: place.folder,
      env: surroundings(place, {
        GEMINI_API_KEY: "mock",
        ROLECALL_ROLE: role,
        GOOGLE_GEMINI_BASE_URL: place.modelUrl,
        GEMINI_CLI_HOME: place.home,
        GEMINI_CLI_NO_RELAUNCH: "true",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      }),
      timeoutMs: place.timeoutMs,
    });
  },
};
var USER = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
};

// test/hosts/opencode.ts
import {
  existsSync as existsSync4,
  mkdirSync as mkdirSync5,
  readFileSync as readFileSync5,
  writeFileSync as writeFileSync6,
} from "node:fs";
import path10 from "node:path";
var opencode = {
  id: "opencode",
  packages: { "opencode-ai": "1.18.33" },
  asks: "asked",
  askedShows: true,
  conditions: "left-out",
  resources: "closed",
  keeps: ["external"],
  outside: (file) => ({ name: "read", args: { filePath: file } }),
  shown: ({ server, tool }) => `${server}_${tool.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}`,
  readResource: (server) => [
    { name: "list_mcp_resources", args: {} },
    { name: "list_mcp_resource_templates", args: {} },
    { name: "read_mcp_resource", args: { server, uri: `note://${server}/one` } },
  ],
  handOver: (agent, prompt) => ({ name: "task", args: { description: "probe", prompt, subagent_type: agent } }),
  ownAgents: ["general", "explore"],
  delegation: "opened",
  rolesByName: true,
  start(place, { role, filesOf, prompt }) {
    const file = path10.join(place.folder, "mcp", "hosts", "opencode", `${filesOf}.json`);
    const ofUser2 = path10.join(place.home, ".config", "opencode");
    mkdirSync5(ofUser2, { recursive: true });
    writeFileSync6(path10.join(ofUser2, "opencode.json"), JSON.stringify(model2(place)));
    const content = existsSync4(file) ? readFileSync5(file, "utf8").trimEnd() : "";
    writeFileSync6(path10.join(place.folder, "opencode.json"), JSON.stringify(ofProject(place, content)));
    return runBounded({
      file: path10.join(place.packages, "node_modules", ".bin", "opencode"),
      args: ["run", "--agent", role, prompt],
      cwd: place.folder,
      env: surroundings(place, {
        OPENCODE_CONFIG_CONTENT: content,
        XDG_CONFIG_HOME: path10.join(place.home, ".config"),
        XDG_DATA_HOME: path10.join(place.home, ".local", "share"),
        XDG_CACHE_HOME: path10.join(place.home, ".cache"),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      }),
      timeoutMs: place.timeoutMs,
    });
  },
};
function ofProject(place, content) {
  const ours = content === "" ? {} : JSON.parse(content);
  const names2 = ["tracker", "files", "vault", "wiki"];
  const every2 = (pattern, effect) => names2.map((name) => [`${name}_${pattern}`, effect]);
  const opened = { ...Object.fromEntries(every2("*", "deny")), "*": "allow" };
  const asked = { external_directory: "ask" };
  const resources = { "mcp:*": "deny", "*": "allow" };
  const agent = {
    permission: {
      task: { "*": "deny" },
      ...opened,
      ...asked,
      ...Object.fromEntries(every2("?*", "allow")),
      "ba*": "allow",
    },
    tools: { "*": true, bash: true },
  };
  const named2 = (map = {}, value) => Object.fromEntries(Object.keys(map).map((name) => [name, value]));
  return {
    permission: { ...opened, ...asked, read: resources },
    agent: named2(ours.agent, agent),
    mcp: named2(ours.mcp, { type: "local", command: ["nobody"], cwd: place.home }),
  };
}
var model2 = (place) => ({
  model: "mock/mock-model",
  small_model: "mock/mock-model",
  share: "disabled",
  snapshot: false,
  provider: {
    mock: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${place.modelUrl}/v1`, apiKey: "mock" },
      models: { "mock-model": { tool_call: true, limit: { context: 1e5, output: 4096 } } },
    },
  },
});

// compiler/base/digest.ts
import { hash } from "node:crypto";
function digestOf(text2) {
  return `sha256:${hash("sha256", text2)}`;
}

// compiler/base/joined-name.ts
var LONGEST = 49;
var DIGITS = 8;
function joinedName(server, tool) {
  const name = `${server}__${tool}`;
  if (name.length <= LONGEST && /^[A-Za-z0-9_-]+$/.test(name)) return name;
  const digits = digestOf(JSON.stringify([server, tool])).slice("sha256:".length, "sha256:".length + DIGITS);
  return `${name.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, LONGEST - DIGITS - 1)}_${digits}`;
}

// test/hosts/served.ts
var ENTRY = "rolecall";
var HANDED_WORK = "reader";
function served(host) {
  return {
    ...behindGateway(host),
    id: `${host.id}-served`,
    served: "all",
    entry: (id) => `{ id: ${id}, via: serve }`,
    shown: (tool) => through(host, tool),
  };
}
function partlyServed(host) {
  const isDirect = ({ server, conditioned }) =>
    (host.conditions === "held" || conditioned !== true) &&
    host.keeps?.includes(server) !== true &&
    (host.resources !== "left-out" || !HAS_RESOURCES.includes(server));
  return {
    ...behindGateway(host),
    id: `${host.id}-gateway`,
    served: "some",
    entry: (id) => `{ id: ${id}, whenUnenforceable: gateway }`,
    shown: (tool) => (isDirect(tool) ? host.shown(tool) : through(host, tool)),
  };
}
var HAS_RESOURCES = ["vault", "wiki"];
function behindGateway(host) {
  return {
    ...host,
    installedAs: host.installedAs ?? host.id,
    conditions: "held",
    keeps: [],
    resources: host.resources === "left-out" ? "closed" : host.resources,
    isOurs: (name) => name.startsWith(beginning(host)),
    readResource: (server) => [...host.readResource(server), ...host.readResource(server).map(asOfEntry(server))],
  };
}
function through(host, { server, tool, role }) {
  const entry = role === HANDED_WORK && host.delegation === "opened" ? `${ENTRY}-${role}` : ENTRY;
  return host.shown({ server: entry, tool: tool === "" ? "" : joinedName(server, tool) });
}
function beginning(host) {
  const shown = host.shown({ server: ENTRY, tool: "" });
  return shown.slice(0, shown.indexOf(ENTRY) + ENTRY.length);
}
function asOfEntry(server) {
  return ({ name, args }) => ({
    name: name.replace(server, ENTRY),
    args: Object.fromEntries(Object.entries(args).map(([key2, value]) => [key2, value === server ? ENTRY : value])),
  });
}

// test/hosts/hosts.ts
var HOSTS = [
  copilotSdk,
  served(copilotSdk),
  claudeCode,
  served(claudeCode),
  partlyServed(claudeCode),
  claudeAgentSdk,
  served(claudeAgentSdk),
  opencode,
  served(opencode),
  codex,
  served(codex),
  partlyServed(codex),
  geminiCli,
  served(geminiCli),
];

// test/hosts/install.ts
import {
  existsSync as existsSync5,
  mkdirSync as mkdirSync6,
  readFileSync as readFileSync6,
  renameSync,
  rmSync as rmSync2,
  writeFileSync as writeFileSync7,
} from "node:fs";
import { homedir } from "node:os";
import path11 from "node:path";
function cacheFolder(env) {
  const caches = env["XDG_CACHE_HOME"] ?? path11.join(homedir(), ".cache");
  return env["ROLECALL_HOSTS_CACHE"] ?? path11.join(caches, "rolecall-hosts");
}
async function install(host, cache) {
  const [[main, version] = ["", ""]] = Object.entries(host.packages);
  const folder = path11.join(cache, `${host.installedAs ?? host.id}-${version}`);
  if (existsSync5(folder)) return { folder };
  const begun = `${folder}.${process.pid}`;
  mkdirSync6(begun, { recursive: true });
  writeFileSync7(path11.join(begun, "package.json"), JSON.stringify({ private: true, dependencies: host.packages }));
  const npm = await runBounded({
    file: "npm",
    // Node 20 is older than some hosts ask for; they run all the same, and npm only warns where a version is exact.
    args: ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"],
    cwd: begun,
    env: Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ""])),
    timeoutMs: 3e5,
  });
  const problem = npm.exit === 0 ? notPinned(begun, main, version) : npm.err.trim().split("\n").slice(0, 2).join(", ");
  if (problem === void 0) renameSync(begun, folder);
  rmSync2(begun, { recursive: true, force: true });
  return problem === void 0 ? { folder } : { why: `${main}@${version}: ${problem}` };
}
function notPinned(folder, main, version) {
  const file = path11.join(folder, "node_modules", main, "package.json");
  const found = JSON.parse(readFileSync6(file, "utf8")).version;
  return found === version ? void 0 : `got ${found}`;
}

// test/hosts/at-once.ts
var MOST = 2;
var waiting = [];
var running = 0;
async function atOnce(run) {
  if (running >= MOST) await new Promise((resolve) => waiting.push(resolve));
  running++;
  try {
    return await run();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

// test/hosts/conformance.ts
import { spawn as spawn3, spawnSync } from "node:child_process";
import {
  mkdirSync as mkdirSync7,
  mkdtempSync as mkdtempSync2,
  readFileSync as readFileSync7,
  writeFileSync as writeFileSync8,
} from "node:fs";
import { createServer as createServer2, request } from "node:http";
import path12 from "node:path";
var CONFORMANCE = {
  id: "conformance",
  // It asks for a newer Node than the one that runs the tests.
  packages: { "@modelcontextprotocol/conformance": "0.2.0-alpha.12", node: "24.9.0" },
};
var REVISIONS = ["2025-11-25", "2026-07-28"];
var HERE3 = import.meta.dirname;
var SERVER = "suite";
async function openConformance(root2, packages) {
  const home = mkdtempSync2(path12.join(root2, "conformance-"));
  const project = path12.join(home, "project");
  mkdirSync7(project);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, NO_COLOR: "1" };
  const command = [process.execPath, path12.join(HERE3, "conformance-server.mjs")].join(", ");
  writeFileSync8(
    path12.join(project, "rolecall.yaml"),
    `version: 1
project: conformance
servers: { ${SERVER}: { connect: [{ stdio: [${command}] }] } }
roles: { tester: { tools: { ${SERVER}: all }, resources: { ${SERVER}: ["test://**"] } } }
`,
  );
  for (const words of [["capture", "--accept"], ["build"]]) {
    const ran = spawnSync(process.execPath, [CLI, ...words], { cwd: project, env, encoding: "utf8" });
    if (ran.status !== 0) throw new Error(`${ran.stdout}${ran.stderr}`);
  }
  const door = spawn3(process.execPath, [CLI, "serve", "--http", "127.0.0.1:0"], { cwd: project, env });
  const said = await firstWords(door.stdout);
  const address = /http:\/\/[^/\s]+/.exec(said)?.[0] ?? "";
  const tokens = /^tokens: (.*)$/m.exec(said)?.[1] ?? "";
  const { tester } = JSON.parse(readFileSync7(tokens, "utf8"));
  const forwarder = await forwarderTo(`${address}/mcp/tester`, tester);
  const { port } = forwarder.address();
  return {
    problems: (revision) => problemsOf(revision, { packages, url: `http://127.0.0.1:${port}/mcp`, cwd: home, env }),
    close() {
      forwarder.close();
      forwarder.closeAllConnections();
      door.kill("SIGTERM");
    },
  };
}
async function problemsOf(revision, { packages, url, cwd, env }) {
  const modules = path12.join(packages, "node_modules");
  const { exit, out, err } = await runBounded({
    file: path12.join(modules, ".bin", "node"),
    args: [
      path12.join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
      "server",
      `--url=${url}`,
      `--requirements=${revision}`,
      `--expected-failures=${path12.join(HERE3, `conformance-${revision}.yaml`)}`,
    ],
    cwd,
    env,
    timeoutMs: 18e4,
  });
  if (exit === 0) return [];
  const lines = `${out}
${err}`
    .split("\n")
    .filter((line) => line.trim() !== "");
  return exit === null ? ["it didn't end in time"] : lines.slice(-12);
}
async function forwarderTo(address, token) {
  const server = createServer2((from, to) => void forward(from, to, address, token));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
async function forward(from, to, address, token) {
  const chunks = [];
  for await (const chunk of from) chunks.push(chunk);
  const body = Buffer.from(calledHere(Buffer.concat(chunks).toString("utf8")));
  const { "mcp-name": name, "content-length": _2, ...headers } = from.headers;
  const named2 = typeof name === "string" && /^(test|json)_/.test(name) ? `${SERVER}__${name}` : name;
  const sent = request(
    address,
    {
      method: from.method,
      headers: {
        ...headers,
        ...(named2 !== void 0 && { "mcp-name": named2 }),
        ...(body.length > 0 && { "content-length": body.length }),
        authorization: `Bearer ${token}`,
      },
    },
    (answer) => {
      const { "content-length": _3, ...told } = answer.headers;
      to.writeHead(answer.statusCode ?? 502, told);
      answer.on("data", (chunk) => to.write(chunk.toString("utf8").replaceAll(`"${SERVER}__`, '"')));
      answer.on("end", () => to.end());
    },
  );
  sent.on("error", () => to.destroy());
  to.on("close", () => sent.destroy());
  sent.end(body);
}
function calledHere(body) {
  return body.replace(/("name":\s*")((?:test|json)_)/g, `$1${SERVER}__$2`);
}
function firstWords(out) {
  return new Promise((resolve, reject) => {
    let said = "";
    const late = setTimeout(() => reject(new Error(`it didn't open: ${said}`)), 6e4);
    out.on("data", (text2) => {
      said += String(text2);
      if (!/^tokens: .*\n/m.test(said)) return;
      clearTimeout(late);
      resolve(said);
    });
  });
}

// test/hosts/types.ts
import { spawnSync as spawnSync2 } from "node:child_process";
import {
  mkdirSync as mkdirSync8,
  readFileSync as readFileSync8,
  readdirSync as readdirSync3,
  symlinkSync as symlinkSync2,
  writeFileSync as writeFileSync9,
} from "node:fs";
import path13 from "node:path";
var TYPES_ALONE = { id: "types", packages: { "@google/adk": "2.0.0", "@opencode-ai/sdk": "1.18.33" } };
var TYPED_HOSTS = "adk, ai-sdk, claude-agent-sdk, claude-code, copilot-sdk, openai-agents, opencode";
var TYPED_PACKAGES = [TYPES_ALONE, claudeAgentSdk, copilotSdk];
var OURS2 = ["@modelcontextprotocol/client", "@openai/agents", "@types/node", "ai", "ajv", "zod"];
var REPOSITORY = path13.join(import.meta.dirname, "..", "..");
function typeProblems(project, folders) {
  for (const name of OURS2) link(project, REPOSITORY, name);
  for (const [index, { packages }] of TYPED_PACKAGES.entries())
    for (const name of Object.keys(packages)) link(project, folders[index] ?? "", name);
  writeFileSync9(path13.join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync9(path13.join(project, "data.ts"), dataModule(project));
  writeFileSync9(path13.join(project, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const tsc = path13.join(REPOSITORY, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync2(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
  return status === 0 ? [] : stdout.trim().split("\n");
}
function link(project, folder, name) {
  const to = path13.join(project, "node_modules", name);
  mkdirSync8(path13.dirname(to), { recursive: true });
  try {
    symlinkSync2(path13.join(folder, "node_modules", name), to, "dir");
  } catch {}
}
function dataModule(project) {
  const hosts = path13.join(project, "mcp", "hosts");
  const values2 = (folder, ending, type) =>
    readdirSync3(path13.join(hosts, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => `${readFileSync8(path13.join(hosts, folder, name), "utf8").trim()} satisfies ${type},`);
  return [
    'import type { McpServerConfigForProcessTransport, Settings } from "@anthropic-ai/claude-agent-sdk";',
    'import type { Config } from "@opencode-ai/sdk/v2";',
    "export const data = [",
    ...values2("claude-code", ".settings.json", "Settings"),
    ...values2("claude-code", ".mcp.json", "{ mcpServers: Record<string, McpServerConfigForProcessTransport> }"),
    ...values2("opencode", ".json", "Config"),
    "];\n",
  ].join("\n");
}
var TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2023", "esnext.disposable", "dom"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: true,
    noEmit: true,
  },
  files: ["data.ts"],
  include: ["src"],
};

// test/hosts/wide.ts
import { mkdirSync as mkdirSync9, writeFileSync as writeFileSync10 } from "node:fs";
import path14 from "node:path";
import { stringify } from "smol-toml";
function writeFiles(files, project) {
  for (const [name, text2] of Object.entries(files)) {
    const file = path14.join(project, name);
    mkdirSync9(path14.dirname(file), { recursive: true });
    writeFileSync10(file, text2);
  }
}
var json = (value) => `${JSON.stringify(value, null, 2)}
`;
function stdioServer(plan, server, reference = (name) => `\${${name}}`) {
  const { command, variables } = plan.connections.get(server) ?? { command: [], variables: [] };
  const env = Object.fromEntries(variables.map((name) => [name, reference(name)]));
  return { command: command[0], args: command.slice(1), ...(variables.length > 0 ? { env } : {}) };
}
function wideFiles(host, plan, role) {
  const servers = (more, reference) =>
    Object.fromEntries(
      [...plan.connections.keys()].map((name) => [name, { ...stdioServer(plan, name, reference), ...more }]),
    );
  const files = {
    "claude-code": () => ({
      [`.claude/agents/${role}.md`]: `---
name: ${role}
description: Wide.
---
`,
      [`mcp/hosts/claude-code/${role}.mcp.json`]: json({ mcpServers: servers({ type: "stdio" }) }),
      [`mcp/hosts/claude-code/${role}.settings.json`]: json({ permissions: { allow: claudeAllows(plan) } }),
    }),
    "claude-agent-sdk": () => ({
      "src/mcp/hosts/claude-agent-sdk.ts": `export const claudeOptions = () => (${json({
        mcpServers: servers({ type: "stdio" }),
        allowedTools: claudeAllows(plan),
      })});
`,
      ...ANYONE,
    }),
    opencode: () => ({
      [`mcp/hosts/opencode/${role}.json`]: json({
        mcp: Object.fromEntries(
          Object.entries(servers({}, (name) => `{env:${name}}`)).map(([name, { command, args, env }]) => [
            name,
            { type: "local", command: [command, ...args], ...(env === void 0 ? {} : { environment: env }) },
          ]),
        ),
        agent: { [role]: { mode: "primary", description: "Wide." } },
      }),
    }),
    codex: () => ({
      [`mcp/hosts/codex/${role}.config.toml`]: stringify({
        mcp_servers: Object.fromEntries(
          Object.entries(servers({})).map(([name, { command, args, env }]) => [
            name,
            { command, args, env_vars: Object.keys(env ?? {}), default_tools_approval_mode: "approve" },
          ]),
        ),
      }),
    }),
    "gemini-cli": () => ({
      ".gemini/settings.json": json({ mcpServers: servers({ trust: true }) }),
      [`mcp/hosts/gemini-cli/${role}/policy.toml`]: "",
      [`mcp/hosts/gemini-cli/${role}/servers.txt`]: [...plan.connections.keys()].join(","),
    }),
    "copilot-sdk": () => ({
      "src/mcp/hosts/copilot-sdk.ts": `export const copilotSession = () => ({
        mcpServers: ${json(servers({ type: "stdio", tools: ["*"] }))},
        onPermissionRequest: () => ({ kind: "approve-once" }),
      });
`,
      ...ANYONE,
    }),
  };
  return files[host]?.() ?? {};
}
var ANYONE = {
  "src/mcp/index.ts": "export const team = () => ({ as: () => ({}), close: async () => {} });\n",
};
var claudeAllows = (plan) =>
  ["Agent", "ListMcpResourcesTool", "ReadMcpResourceTool", "ReadMcpResourceDirTool"].concat(
    [...plan.connections.keys()].map((server) => `mcp__${server}`),
  );

// test/hosts/battery.ts
var HERE4 = import.meta.dirname;
var CHECKS2 = [...CHECKS, ...SERVED_CHECKS, overruledOpensNothing];
var MOST_SHOWN = 8;
var WIDE_ROLES = ["lead", "tester", "nobody"];
var RESOURCES = 4;
var TEAM_STATE_MS = 4e5;
var SERVING = `serve: { command: [${process.execPath}, ${CLI}], env: serve.env, idle: 20s, askHold: 3s, approvers: [program] }
`;
var { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { prove: { type: "boolean" }, verbose: { type: "boolean" }, within: { type: "string" } },
});
var [TYPES, TEAM_STATE] = ["types", "team-state"];
var names = [...HOSTS.map((host) => host.id), TYPES, TEAM_STATE, CONFORMANCE.id];
var unknown = positionals.filter((name) => !names.includes(name));
var seconds = Number(values.within ?? Infinity);
if (unknown.length > 0 || !(seconds > 0)) {
  if (unknown.length > 0) console.error(`no such host: ${unknown.join(", ")}; there are ${names.join(", ")}`);
  else console.error("--within takes a number of seconds");
  process.exit(64);
}
var isChosen = (name) => positionals.length === 0 || positionals.includes(name);
var chosen = HOSTS.filter((host) => isChosen(host.id));
var root = mkdtempSync3(path15.join(tmpdir2(), "rolecall-battery-"));
var started = Date.now();
var tooLate = () => Date.now() - started > seconds * 1e3;
var installing = /* @__PURE__ */ new Map();
var [passed, failed] = [0, 0];
try {
  if (isChosen(CONFORMANCE.id)) await conformance();
  for (const [index, host] of chosen.entries()) {
    const installed = await installedOnce(host);
    for (const next of chosen.slice(index + 1, index + 2)) void installedOnce(next);
    await battery(host, installed);
  }
  if (isChosen(TYPES)) await types();
  if (isChosen(TEAM_STATE)) await teamState();
} finally {
  rmSync3(root, { recursive: true, force: true });
}
console.log(`
in ${Math.round((Date.now() - started) / 1e3)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : passed === 0 ? 3 : 0;
function installedOnce(needed) {
  const known = installing.get(needed.id);
  if (known !== void 0) return known;
  const late = { why: `no time was left of ${seconds} s` };
  const begun = tooLate() ? Promise.resolve(late) : install(needed, cacheFolder(process.env));
  installing.set(needed.id, begun);
  return begun;
}
async function battery(host, installed) {
  const version = Object.values(host.packages)[0] ?? "";
  const why = "why" in installed ? installed.why : tooLate() ? `no time was left of ${seconds} s` : void 0;
  if (why !== void 0 || "why" in installed)
    return console.log(`
${host.id} ${version}: couldn't be run: ${why}`);
  console.log(`
${host.id} ${version}`);
  const began = Date.now();
  const project = builtFor(host);
  if (typeof project !== "string") return report("rolecall build", [project.said], Date.now() - began);
  const bench = benchOf(host, project, installed.folder);
  for (const [index, check] of CHECKS2.entries()) {
    if (check.isFor?.(host) === false) continue;
    const began2 = Date.now();
    const roles = check.roles === "each" ? [...bench.plan.roles.keys()] : check.roles;
    const found = await Promise.all(
      roles.map(async (role) => (await check.problems(bench, role)).map((one) => `${role}: ${one}`)),
    );
    report(`(${index + 1}) ${check.title}`, found.flat(), Date.now() - began2);
  }
  if (values.prove === true && host.served === void 0) await seenFailing(host, installed.folder);
}
async function types() {
  const folders = [];
  for (const needed of TYPED_PACKAGES) {
    const installed = await installedOnce(needed);
    if ("why" in installed)
      return console.log(`
${TYPES}: couldn't be checked: ${installed.why}`);
    folders.push(installed.folder);
  }
  const began = Date.now();
  console.log(`
${TYPES}`);
  const project = built(TYPES, TYPED_HOSTS);
  const problems = typeof project === "string" ? typeProblems(project, folders) : [project.said];
  report("what is written fits the hosts' own types", problems, Date.now() - began);
}
async function teamState() {
  if (tooLate())
    return console.log(`
${TEAM_STATE}: couldn't be run: no time was left of ${seconds} s`);
  console.log(`
${TEAM_STATE}`);
  const began = Date.now();
  const args = [path15.join("scripts", "run.mjs"), path15.join("test", "hosts", "team-state.ts")];
  const own = { cwd: path15.join(HERE4, "..", ".."), env: process.env };
  const { exit, out, err } = await runBounded({ file: process.execPath, args, ...own, timeoutMs: TEAM_STATE_MS });
  const said = out.split("\n");
  for (const line of said) if (line.includes(" skipped: ")) console.log(`  ${line}`);
  const found = said.filter((line) => line.startsWith("FAIL")).map((line) => line.slice("FAIL ".length));
  const problems = exit === 0 || found.length > 0 ? found : [exit === null ? "it came to no end" : err.trim()];
  report("a role reads its team's state through the entry, and nothing that it may not", problems, Date.now() - began);
}
async function conformance() {
  const installed = await installedOnce(CONFORMANCE);
  const why = "why" in installed ? installed.why : tooLate() ? `no time was left of ${seconds} s` : void 0;
  if (why !== void 0 || "why" in installed)
    return console.log(`
${CONFORMANCE.id}: couldn't be run: ${why}`);
  console.log(`
${CONFORMANCE.id} ${Object.values(CONFORMANCE.packages)[0]}`);
  const door = await openConformance(root, installed.folder);
  for (const revision of REVISIONS) {
    const began = Date.now();
    report(`what isn't closed on purpose is as ${revision} has it`, await door.problems(revision), Date.now() - began);
  }
  door.close();
}
async function seenFailing(host, packages) {
  const began = Date.now();
  const project = built(host.id, host.id);
  if (typeof project !== "string") return;
  for (const role of WIDE_ROLES) writeFiles(wideFiles(host.id, readPlan(project), role), project);
  const bench = benchOf(host, project, packages);
  const blind = await Promise.all(
    CHECKS2.map(async (check, index) => {
      if (check.isFor?.(host) === false || (index === RESOURCES && host.resources === "none")) return [];
      const found = await check.problems(bench, check.roles === "each" ? "lead" : (check.roles[0] ?? ""));
      if (values.verbose === true) console.log(index + 1, found);
      return found.length > 0 ? [] : [`(${index + 1}) found nothing where everything is open`];
    }),
  );
  report("each check fails where everything is open", blind.flat(), Date.now() - began);
}
function report(title, problems, ms) {
  if (problems.length === 0) passed++;
  else failed++;
  console.log(`  ${problems.length === 0 ? "passed" : "FAILED"}  ${title} (${(ms / 1e3).toFixed(1)} s)`);
  for (const problem of problems.slice(0, MOST_SHOWN)) {
    console.log(`            ${problem.split("\n").slice(0, 4).join("\n            ")}`);
  }
  if (problems.length > MOST_SHOWN) console.log(`            and ${problems.length - MOST_SHOWN} more`);
}
function builtFor({ id, installedAs, entry, served: served2 }) {
  const name = installedAs ?? id;
  return built(id, entry?.(name) ?? name, served2 !== void 0 ? SERVING : "");
}
function built(name, hosts, settings = "") {
  const project = mkdtempSync3(path15.join(root, `${name}-`));
  cpSync2(path15.join(HERE4, "project"), project, { recursive: true });
  const main = path15.join(project, "rolecall.yaml");
  writeFileSync11(main, readFileSync9(main, "utf8").replace(/^hosts:.*$/m, `hosts: [${hosts}]`) + settings);
  writeFileSync11(path15.join(project, "serve.env"), "TRACKER_TOKEN=test-tracker\nVAULT_TOKEN=test-vault\n");
  const build2 = spawnSync3(process.execPath, [CLI, "build", "--project", project], { encoding: "utf8" });
  if (build2.status !== 0) return { said: build2.stderr.trim() };
  return project;
}
function benchOf(host, project, packages) {
  const watched = /* @__PURE__ */ new Map();
  return {
    host,
    plan: readPlan(project),
    watch(setting) {
      const key2 = JSON.stringify(setting);
      const seen = watched.get(key2) ?? atOnce(() => observe(host, { ...setting, project, packages }));
      watched.set(key2, seen);
      return seen;
    },
  };
}
