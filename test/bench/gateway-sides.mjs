import { spawn, spawnSync } from "node:child_process";
import { setMaxListeners } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ECHO } from "./echo-tool.mjs";

const HERE = import.meta.dirname;
const ECHO_SERVER = [process.execPath, path.join(HERE, "echo-server.mjs")];

/** What a client may talk to: the server itself, the protocol's own server, and what stands between. */
export async function gatewaySides({ cli, dir, env, scratch }) {
  const other = await otherGateway(scratch);
  return [
    stdioSide("the server itself", ECHO_SERVER, { dir, env }),
    stdioSide("bare SDK server", [process.execPath, path.join(HERE, "bare-server.mjs"), path.join(dir, "tools.json")], {
      dir,
      env,
    }),
    stdioSide("bare proxy", [process.execPath, path.join(HERE, "bare-proxy.mjs"), ...ECHO_SERVER], { dir, env }),
    {
      ...stdioSide("rolecall serve", [process.execPath, cli, "serve", "--role", "caller"], { dir, env }),
      tool: `echo__${ECHO.name}`,
      shared: () => {
        const told = spawnSync(process.execPath, [cli, "serve", "--status", "--json"], { cwd: dir, env });
        return [JSON.parse(told.stdout).pid];
      },
    },
    ...other,
  ];
}

function stdioSide(name, [command, ...args], { dir, env }) {
  return {
    name,
    tool: ECHO.name,
    shared: () => [],
    async connect() {
      const transport = new StdioClientTransport({ command, args, cwd: dir, env, stderr: "ignore" });
      const client = await connected(transport);
      return { client, pids: [transport.pid], close: () => client.close() };
    },
    end: () => {},
  };
}

async function connected(transport) {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  return client;
}

/** Another gateway of the registry, installed in a scratch folder; where it can't be, why not is said. */
async function otherGateway(scratch) {
  const folder = path.join(scratch, "other");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{"name":"other","private":true}');
  const failed = [];
  for (const name of ["@1mcp/agent", "mcp-proxy"]) {
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const ended = spawnSync("npm", ["install", ...flags, name], { cwd: folder, encoding: "utf8", timeout: 120_000 });
    if (ended.status === 0 && name === "mcp-proxy") {
      for (const why of failed) console.log(why);
      return [await mcpProxy(folder)];
    }
    const why =
      ended.status === 0
        ? "no entry of this bench starts it"
        : (/code (\w+)/.exec(ended.stderr)?.[1] ?? "no answer in time");
    failed.push(`${name} isn't measured: ${why}`);
  }
  for (const why of failed) console.log(why);
  return [];
}

// The client library listens once more to one signal with each request over HTTP.
setMaxListeners(0);

/** It has no door over stdio: its figures are those of loopback HTTP. */
async function mcpProxy(folder) {
  const port = await freePort();
  const { version, bin } = JSON.parse(readFileSync(path.join(folder, "node_modules/mcp-proxy/package.json"), "utf8"));
  const entry = path.join(folder, "node_modules/mcp-proxy", bin["mcp-proxy"]);
  const args = [entry, "--host", "127.0.0.1", "--port", String(port), "--server", "stream", "--", ...ECHO_SERVER];
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    name: `mcp-proxy ${version}, over HTTP`,
    tool: ECHO.name,
    shared: () => [child.pid],
    async connect() {
      const client = await connected(new StreamableHTTPClientTransport(url));
      return { client, pids: [], close: () => client.close() };
    },
    end: () => void child.kill(),
  };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** These processes and all below them, with the megabytes that are theirs alone or their part of what is shared. */
export function processesOf(roots) {
  const listed = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).stdout.trim().split("\n");
  const pairs = listed.map((line) => line.trim().split(/\s+/).map(Number));
  const all = new Set(roots);
  for (let size = 0; size < all.size;) {
    size = all.size;
    for (const [pid, parent] of pairs) if (all.has(parent)) all.add(pid);
  }
  return { processes: all.size, mb: [...all].reduce((sum, pid) => sum + memoryOf(pid), 0) };
}

function memoryOf(pid) {
  for (const [file, pattern] of [
    ["smaps_rollup", /^Pss:\s+(\d+)/m],
    ["status", /^VmRSS:\s+(\d+)/m],
  ]) {
    try {
      return Number(pattern.exec(readFileSync(`/proc/${pid}/${file}`, "utf8"))[1]) / 1024;
    } catch {
      // The next one says less well.
    }
  }
  return 0;
}
