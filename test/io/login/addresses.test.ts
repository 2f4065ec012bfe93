import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { covers, guardedFetch, refusedAddress } from "../../../compiler/io/login/addresses.ts";
import { openBrowser } from "../../../compiler/io/login/browser.ts";

/** Addresses come from servers: which of them are used, and what is never sent on. */
const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((close) => close()));

const HERE = "http://127.0.0.1:1/mcp";
const THERE = "https://notes.example/mcp";

test.each([
  ["https://login.example/token", THERE, undefined],
  ["https://login.example/token", HERE, undefined],
  ["http://127.0.0.1:8080/token", HERE, undefined],
  ["http://127.0.0.1:8080/token", THERE, "isn't https"],
  ["http://login.example/token", HERE, "isn't https"],
  ["https://ann:pw@login.example/token", THERE, "a user name or password"],
  ["javascript:alert(1)", HERE, "isn't https"],
  ["file:///etc/passwd", HERE, "isn't https"],
  ["nonsense", HERE, "isn't one"],
])("%s from %s: %s", (address, server, wanted) => {
  const refused = refusedAddress(address, server);
  if (wanted === undefined) expect(refused).toBeUndefined();
  else expect(refused).toContain(wanted);
});

test.each([
  ["https://a.example/mcp", "https://a.example/mcp", true],
  ["https://a.example/mcp", "https://a.example/mcp?project=1", true],
  ["https://a.example/mcp", "https://a.example/mcp/sse", true],
  ["https://a.example/", "https://a.example/mcp", true],
  ["https://a.example/mcp", "https://a.example/mcp2", false],
  ["https://a.example/mcp", "https://a.example/", false],
  ["https://a.example/mcp", "http://a.example/mcp", false],
  ["https://a.example/mcp", "https://a.example:8443/mcp", false],
  ["https://a.example/mcp", "https://a.example.evil.example/mcp", false],
  ["https://a.example/mcp", "https://a.example@evil.example/mcp", false],
  ["https://a.example/mcp", "https://a.example/mcp/..%2Ftenant-b", false],
  ["https://a.example/mcp", "https://a.example/mcp/%2e%2e%5Ctenant-b", false],
  ["https://a.example/a%2Fb", "https://a.example/a%2Fb/v1.2", true],
])("a token for %s may go to %s: %s", (resource, url, wanted) => expect(covers(resource, url)).toBe(wanted));

describe("a redirect", () => {
  test("is followed for a question, within the origin", async () => {
    const { origin, seen } = await listening((request, response) =>
      request.url === "/" ? response.writeHead(302, { location: "/there" }).end() : response.end("found"),
    );
    expect(await (await guardedFetch(HERE)(origin)).text()).toBe("found");
    expect(seen).toEqual(["GET /", "GET /there"]);
  });

  test.each(["GET", "POST"])("to another origin isn't followed: %s", async (method) => {
    const other = await listening((_, response) => response.end("found"));
    const { origin } = await listening((_, response) => response.writeHead(307, { location: other.origin }).end());
    const response = await guardedFetch(HERE)(origin, { method });
    expect(response.status).toBe(307);
    expect(other.seen).toEqual([]);
  });

  test("is never followed by what is sent, and never for ever", async () => {
    const { origin, seen } = await listening((_, response) => response.writeHead(307, { location: "/" }).end());
    await guardedFetch(HERE)(origin, { method: "POST", body: "token=t" });
    expect(seen).toEqual(["POST /"]);
    expect((await guardedFetch(HERE)(origin)).status).toBe(307);
    expect(seen.length).toBe(7);
  });
});

test("an answer without end is cut off", async () => {
  const { origin } = await listening((_, response) => {
    const chunk = Buffer.alloc(200_000);
    const more = () => response.write(chunk, (problem) => problem ?? more());
    more();
  });
  await expect(guardedFetch(HERE)(origin)).rejects.toMatchObject({ says: "its answer is far too large" });
});

test("a browser is given web addresses alone, and on Linux only where there is a screen", async () => {
  const env = { PATH: "/nowhere", DISPLAY: ":0" };
  expect(await openBrowser("file:///etc/passwd", env)).toBe(false);
  expect(await openBrowser("https://a.example/", { PATH: process.env["PATH"] }, "linux")).toBe(false);
  expect(await openBrowser("https://a.example/", env, "linux")).toBe(false);
});

async function listening(answer: RequestListener) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => void (server.closeAllConnections(), server.close()));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
