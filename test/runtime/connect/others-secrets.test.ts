import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkFailure } from "../../../runtime/connect/failure.ts";
import { openLink } from "../../../runtime/connect/open-link.ts";
import type { RolecallError } from "../../../runtime/errors.ts";
import { createSecrets } from "../../../runtime/secrets.ts";
import { fault, http, serverData } from "../../support/linked.ts";

/** One server tells another's secret where its text is cut. The link knows all that the team knows, before it cuts. */

const OTHERS = "bk_Zq83LmXw29TnV5rYc7HdJe4PuAs6GfQ0";
/** Less of a secret tells nothing, and words begin like it. */
const MOST_LEFT = 11;
let server: Server;
let url: string;
let answer: { status: number; text: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => void parts.push(part));
    request.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(parts).toString() || "{}") as { id?: number; method?: string };
      if (method === undefined) return void response.writeHead(405).end();
      if (id === undefined) return void response.writeHead(202).end();
      if (method === "tools/call" && answer.status !== 200)
        return void response.writeHead(answer.status, { "content-type": "text/plain" }).end(answer.text);
      const said = { initialize: INITIALIZED, "tools/list": { result: { tools: [] } } }[method] ?? {
        error: { code: -32000, message: answer.text },
      };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server.close());

const INITIALIZED = {
  result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "a", version: "1" } },
};

async function failure(data: ReturnType<typeof serverData>, tool: string, args: object): Promise<RolecallError> {
  const secrets = createSecrets();
  secrets.add(OTHERS);
  const clock = { now: Date.now, sleep: async () => {} };
  const link = openLink(data, { env: () => undefined, root: import.meta.dirname, clock, on: () => {}, secrets });
  try {
    await link.call(tool, args as never, { timeoutMs: 5_000 });
    throw new Error("it answered");
  } catch (error) {
    return error as RolecallError;
  } finally {
    await link.close();
  }
}

function longestOf(error: RolecallError): number {
  const told = `${error.message}\n${linkFailure(error)?.said ?? ""}`;
  for (let length = OTHERS.length; length > 0; length--) if (told.includes(OTHERS.slice(0, length))) return length;
  return 0;
}

test.each([
  ["an error of the protocol", 200],
  ["a refusal", 400],
  ["a fault", 500],
  ["what isn't there", 404],
])("%s", async (_, status) => {
  for (const before of [265, 290, 1_940, 1_975, 10_200]) {
    answer = { status, text: `${"e".repeat(before)}${OTHERS} end` };
    const error = await failure(serverData([http(url)]), "read", {});
    expect(longestOf(error), `${before}`).toBeLessThanOrEqual(MOST_LEFT);
  }
});

test("what a process says before it ends", async () => {
  for (const before of [1_950, 1_975]) {
    const error = await failure(serverData([fault({})]), "die", { words: `${"e".repeat(before)}${OTHERS} end` });
    expect(linkFailure(error)?.said).toMatch(/eee/);
    expect(longestOf(error)).toBeLessThanOrEqual(MOST_LEFT);
  }
});
