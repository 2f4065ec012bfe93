import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { runBounded } from "./bounded-process.ts";
import type { Problems } from "./checks.ts";
import type { Needed } from "./install.ts";
import { CLI } from "./cli.ts";

/**
 * The protocol's own conformance suite against `rolecall serve --http`, for both revisions. What it is expected to find is
 * in conformance-<revision>.yaml: what is closed on purpose, and a line there that isn't needed any more fails as well.
 */
export const CONFORMANCE: Needed = {
  id: "conformance",
  // It asks for a newer Node than the one that runs the tests.
  packages: { "@modelcontextprotocol/conformance": "0.2.0-alpha.12", node: "24.9.0" },
};
export const REVISIONS = ["2025-11-25", "2026-07-28"];

const HERE = import.meta.dirname;
const SERVER = "suite";

export interface ConformanceDoor {
  problems(revision: string): Promise<Problems>;
  close(): void;
}

export async function openConformance(root: string, packages: string): Promise<ConformanceDoor> {
  const home = mkdtempSync(path.join(root, "conformance-"));
  const project = path.join(home, "project");
  mkdirSync(project);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, NO_COLOR: "1" };
  const command = [process.execPath, path.join(HERE, "conformance-server.mjs")].join(", ");
  writeFileSync(
    path.join(project, "rolecall.yaml"),
    `version: 1\nproject: conformance\nservers: { ${SERVER}: { connect: [{ stdio: [${command}] }] } }\n` +
      `roles: { tester: { tools: { ${SERVER}: all }, resources: { ${SERVER}: ["test://**"] } } }\n`,
  );
  for (const words of [["capture", "--accept"], ["build"]]) {
    const ran = spawnSync(process.execPath, [CLI, ...words], { cwd: project, env, encoding: "utf8" });
    if (ran.status !== 0) throw new Error(`${ran.stdout}${ran.stderr}`);
  }
  const door = spawn(process.execPath, [CLI, "serve", "--http", "127.0.0.1:0"], { cwd: project, env });
  const said = await firstWords(door.stdout);
  const address = /http:\/\/[^/\s]+/.exec(said)?.[0] ?? "";
  const tokens = /^tokens: (.*)$/m.exec(said)?.[1] ?? "";
  const { tester } = JSON.parse(readFileSync(tokens, "utf8")) as { readonly tester: string };
  const forwarder = await forwarderTo(`${address}/mcp/tester`, tester);
  const { port } = forwarder.address() as AddressInfo;
  return {
    problems: (revision) => problemsOf(revision, { packages, url: `http://127.0.0.1:${port}/mcp`, cwd: home, env }),
    close() {
      forwarder.close();
      forwarder.closeAllConnections();
      door.kill("SIGTERM");
    },
  };
}

interface Suite {
  readonly packages: string;
  readonly url: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

async function problemsOf(revision: string, { packages, url, cwd, env }: Suite): Promise<Problems> {
  const modules = path.join(packages, "node_modules");
  const { exit, out, err } = await runBounded({
    file: path.join(modules, ".bin", "node"),
    args: [
      path.join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
      "server",
      `--url=${url}`,
      `--requirements=${revision}`,
      `--expected-failures=${path.join(HERE, `conformance-${revision}.yaml`)}`,
    ],
    cwd,
    env,
    timeoutMs: 180_000,
  });
  if (exit === 0) return [];
  const lines = `${out}\n${err}`.split("\n").filter((line) => line.trim() !== "");
  return exit === null ? ["it didn't end in time"] : lines.slice(-12);
}

/** The suite knows no token and no server: it is given the one, and calls tools by their own names. */
async function forwarderTo(address: string, token: string): Promise<Server> {
  const server = createServer((from, to) => void forward(from, to, address, token));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function forward(from: IncomingMessage, to: ServerResponse, address: string, token: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of from as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.from(calledHere(Buffer.concat(chunks).toString("utf8")));
  const { "mcp-name": name, "content-length": _, ...headers } = from.headers;
  const named = typeof name === "string" && /^(test|json)_/.test(name) ? `${SERVER}__${name}` : name;
  const sent = request(
    address,
    {
      method: from.method,
      headers: {
        ...headers,
        ...(named !== undefined && { "mcp-name": named }),
        ...(body.length > 0 && { "content-length": body.length }),
        authorization: `Bearer ${token}`,
      },
    },
    (answer) => {
      const { "content-length": _, ...told } = answer.headers;
      to.writeHead(answer.statusCode ?? 502, told);
      answer.on("data", (chunk: Buffer) => to.write(chunk.toString("utf8").replaceAll(`"${SERVER}__`, '"')));
      answer.on("end", () => to.end());
    },
  );
  sent.on("error", () => to.destroy());
  to.on("close", () => sent.destroy());
  sent.end(body);
}

/** The suite's tools, as they are called among a role's; answers are changed back. */
function calledHere(body: string): string {
  return body.replace(/("name":\s*")((?:test|json)_)/g, `$1${SERVER}__$2`);
}

function firstWords(out: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const late = setTimeout(() => reject(new Error(`it didn't open: ${said}`)), 60_000);
    out.on("data", (text) => {
      said += String(text);
      if (!/^tokens: .*\n/m.test(said)) return;
      clearTimeout(late);
      resolve(said);
    });
  });
}
