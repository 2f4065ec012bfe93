import { spawn } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bundledCli } from "../../support/bundled-cli.ts";
import { loginProject, type LoginProject } from "../../support/login/project.ts";

/** What becomes of a login: renewed, taken back, used by two at once, and sent nowhere else. */
let project: LoginProject;
const open: (() => void)[] = [];
beforeEach(async () => {
  project = await loginProject();
  const { exit, err } = await project.rolecall("login notes");
  if (exit !== 0) throw new Error(err);
});
afterEach(async () => {
  for (const close of open.splice(0)) close();
  await project.end();
});

const capture = () => project.rolecall("capture --accept");
const refreshes = () => project.server.seen.filter(({ grant }) => grant === "refresh_token").length;
/** Where a token was sent that isn't for it. */
const tokensElsewhere = () =>
  project.server.seen
    .filter(({ path, authorization }) => authorization !== undefined && !/^\/mcp(?:\/|$)/.test(path))
    .map(({ path }) => path);
const kept = () => project.kept()[0]!;
const change = (login: object) =>
  project.write(FILE, `${JSON.stringify({ format: 1, logins: [{ ...kept(), ...login }] })}`);
const FILE = "home/.config/rolecall/logins.json";

describe("a token that has ended", () => {
  test("is renewed before it is sent, once", async () => {
    change({ expiresAt: Date.now() - 1_000 });
    project.server.expireAccess();
    const old = kept().secrets!;
    expect(await capture()).toMatchObject({ exit: 0 });
    expect(refreshes()).toBe(1);
    expect(kept().secrets!["accessToken"]).not.toBe(old["accessToken"]);
    expect(kept().secrets!["refreshToken"]).not.toBe(old["refreshToken"]);
  });

  test("is renewed after a 401, when the clock didn't tell", async () => {
    project.server.expireAccess();
    expect(await capture()).toMatchObject({ exit: 0 });
    expect(refreshes()).toBe(1);
  });

  test("and can't be renewed: the server asks for a login, the next step is one, and nothing dead is kept", async () => {
    project.server.endAllGrants();
    const { exit, err } = await capture();
    expect(exit).toBe(1);
    expect(err).toContain("what was granted has ended or was taken back");
    expect(err).toContain("rolecall login notes");
    expect(project.kept()).toEqual([]);
  });

  test("while its login server is busy: it is kept for the next time", async () => {
    change({ expiresAt: 0 });
    project.server.settings.tokenStatus = 503;
    const { exit, err } = await capture();
    expect(exit).toBe(1);
    expect(err).toContain("renewing its login failed");
    expect(kept().secrets).toBeDefined();
    project.server.settings.tokenStatus = undefined;
    expect(await capture()).toMatchObject({ exit: 0 });
  });

  test("without a way to renew it", async () => {
    const { refreshToken: _, ...secrets } = kept().secrets!;
    change({ expiresAt: 0, secrets });
    expect((await capture()).err).toContain("its login has ended");
    expect(refreshes()).toBe(0);
  });
});

test("doctor uses it, and transports that are asked at once renew it once", async () => {
  const { resource } = project.server;
  project.declare({ notes: `{ connect: [{ http: "${resource}" }, { http: "${resource}?second" }] }` });
  change({ expiresAt: 0 });
  project.server.settings.slowTokens = 100;
  const { exit, out } = await project.rolecall("doctor notes");
  expect(exit).toBe(0);
  expect(out).toContain("reachable");
  expect(refreshes()).toBe(1);
});

test("two processes that renew at once use the refresh token once", async () => {
  const cli = bundledCli();
  open.push(cli.remove);
  change({ expiresAt: 0 });
  project.server.expireAccess();
  project.server.settings.slowTokens = 300;
  const ran = await Promise.all([captureInProcess(cli.entry), captureInProcess(cli.entry)]);
  expect(ran.map(({ exit }) => exit)).toEqual([0, 0]);
  expect(refreshes()).toBe(1);
  for (const { printed } of ran) for (const token of project.server.tokens()) expect(printed).not.toContain(token);
}, 20_000);

describe("a token is sent to its own address alone", () => {
  test("not to another origin, path or server of the same name", async () => {
    const other = await listening((_, response) => response.writeHead(401).end());
    const token = kept().secrets!["accessToken"]!;
    for (const url of [`${other.origin}/mcp`, `${project.server.origin}/mcp2`, `${project.server.origin}/`]) {
      project.declare({ notes: `{ connect: [{ http: "${url}" }] }` });
      expect(await capture()).toMatchObject({ exit: 1 });
    }
    project.declare({ others: `{ connect: [{ http: "${project.server.resource}" }] }` });
    expect(await capture()).toMatchObject({ exit: 1 });
    expect(other.seen).not.toEqual([]);
    expect(other.seen.join()).not.toContain(token);
    expect(project.server.seen.map((one) => one.authorization).join()).not.toContain(token);
  });

  test("not to the second transport, when that is elsewhere", async () => {
    const other = await listening((_, response) => response.writeHead(401).end());
    project.declare({
      notes: `{ connect: [{ http: "${project.server.origin}/mcp/gone" }, { http: "${other.origin}/mcp" }] }`,
    });
    await capture();
    const sent = project.server.seen.find((one) => one.path === "/mcp/gone");
    expect(sent?.authorization).toBe(`Bearer ${kept().secrets!["accessToken"]}`);
    expect(other.seen).toEqual([undefined]);
  });

  test("not where the server redirects to", async () => {
    const other = await listening((_, response) => response.writeHead(200).end("{}"));
    project.server.settings.leads = `${other.origin}/mcp`;
    expect(await capture()).toMatchObject({ exit: 1 });
    expect(other.seen).toEqual([]);
  });

  test("not where it redirects to within its origin", async () => {
    project.server.settings.leads = "/tenant-b/steal";
    expect(await capture()).toMatchObject({ exit: 1 });
    expect(tokensElsewhere()).toEqual([]);
  });

  test.each([
    ["/tenant-b/messages", true],
    ["/mcp-b/messages", true],
    ["/mcp/../tenant-b", true],
    ["/mcp//messages?session=1", false],
    ["/mcp/messages", false],
  ])("over SSE to the endpoint %s, which is elsewhere: %j", async (at, isElsewhere) => {
    project.server.settings.messagesAt = at;
    project.declare({ notes: `{ connect: [{ sse: "${project.server.resource}" }] }` });
    const before = project.server.seen.length;
    const { exit, err } = await project.rolecall("capture --accept --timeout 2s");
    expect(exit).toBe(1);
    expect(tokensElsewhere()).toEqual([]);
    const sent = project.server.seen.slice(before).filter(({ method }) => method === "POST");
    expect(sent).toHaveLength(isElsewhere ? 0 : 1);
    expect(err.includes("it takes messages at an address that its login isn't for")).toBe(isElsewhere);
  });

  test("nor a refresh token where the token endpoint redirects to", async () => {
    const other = await listening((_, response) => response.writeHead(200).end("{}"));
    const lead = await listening((_, response) => response.writeHead(307, { location: `${other.origin}/t` }).end());
    change({ expiresAt: 0, endpoints: { token: `${lead.origin}/token`, method: "none" } });
    expect(await capture()).toMatchObject({ exit: 1 });
    expect(other.seen).toEqual([]);
  });
});

test("a header that the project writes wins, and no token is sent", async () => {
  project.declare({
    notes: `{ connect: [{ http: "${project.server.resource}", headers: { authorization: "\${T:+Bearer \${T}}" } }] }`,
  });
  const before = project.server.seen.length;
  await project.rolecall("capture", { T: "token-of-the-project" });
  const sent = project.server.seen.slice(before).flatMap(({ authorization }) => authorization ?? []);
  expect(new Set(sent)).toEqual(new Set(["Bearer token-of-the-project"]));
  const { out } = await project.rolecall("login notes", { T: "token-of-the-project" });
  expect(out).toContain("`T` is set, and its header wins: the login is used where it isn't.");
  expect(await capture()).toMatchObject({ exit: 0 });
});

test("a server that repeats the token can't be captured with it", async () => {
  project.server.settings.echo = true;
  const { exit, err } = await capture();
  expect(exit).toBe(1);
  expect(err).toContain("holds the value of `the token of your login`");
});

function captureInProcess(entry: string): Promise<{ readonly exit: number | null; readonly printed: string }> {
  const child = spawn(process.execPath, [entry, "capture", "--accept"], { cwd: project.dir, env: project.env });
  open.push(() => void child.kill("SIGKILL"));
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(String(chunk)));
  return new Promise((resolve) => child.on("close", (exit) => resolve({ exit, printed: printed.join("") })));
}

/** A server that remembers what was sent to it as credentials. */
async function listening(answer: Parameters<typeof createServer>[1] & object) {
  const seen: (string | undefined)[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    seen.push(request.headers.authorization);
    (answer as (request: IncomingMessage, response: object) => void)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => void (server.closeAllConnections(), server.close()));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
