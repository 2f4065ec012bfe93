import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loginProject, modeOf, type LoginProject } from "../../support/login/project.ts";

/** `rolecall login` and `logout` against a real OAuth 2.1 server on this machine, with a browser that goes where it is led. */
let project: LoginProject;
beforeEach(async () => void (project = await loginProject()));
afterEach(() => project.end());

const before = () => JSON.stringify(project.read("rolecall.yaml"));
const grants = () => project.server.seen.flatMap(({ grant }) => grant ?? []);

describe("a login", () => {
  test("is had in the browser, told, kept for this user alone, and used by capture", async () => {
    const asked = await project.rolecall("capture --accept");
    expect(asked.err).toContain("it asks for credentials (401)");
    expect(asked.err).toContain("rolecall login notes");
    const yaml = before();
    const { exit, out, err } = await project.rolecall("login notes");
    expect({ exit, err }).toMatchObject({ exit: 0 });
    expect(err).toContain(`server     ${project.server.resource}`);
    expect(err).toContain(`log in at  ${project.server.issuer}`);
    expect(err).toContain("asks for   notes:read");
    expect(out).toContain(`logged in to notes\n  sent to    ${project.server.resource}, nowhere else`);
    expect(out).toContain("~/.config/rolecall/logins.json, which only you can read");
    expect(out).toContain("(no keychain: no Secret Service runs here)");
    expect(out).toContain("in 60 m, and is renewed by itself");
    expect(modeOf(project.file)).toBe("600");
    expect(modeOf(path.dirname(project.file))).toBe("700");
    expect(before()).toBe(yaml);
    const captured = await project.rolecall("capture --accept");
    expect(captured).toMatchObject({ exit: 0 });
    expect(project.read("mcp/manifests/notes.json")).toContain("list_notes");
  });

  test("asks with PKCE, a state, the resource, and an address of this machine alone", async () => {
    await project.rolecall("login notes");
    const [address] = project.browsed();
    const query = new URL(address!).searchParams;
    expect(query.get("code_challenge_method")).toBe("S256");
    expect(query.get("state")).toMatch(/^[\w-]{43}$/);
    expect(query.get("resource")).toBe(project.server.resource);
    expect(query.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  });

  test("asks for the scopes that are named, and as JSON says what came of it", async () => {
    const { exit, out } = await project.rolecall("login notes --scope notes:titles --json");
    expect(exit).toBe(0);
    const { resource, issuer } = project.server;
    expect(JSON.parse(out)).toMatchObject({ loggedIn: true, resource, issuer, scopes: ["notes:titles"], kept: "file" });
  });

  test("with --no-browser nothing is opened: the address is printed, and any browser will do", async () => {
    const line = project.rolecall("login notes --no-browser --timeout 300ms");
    expect((await line).err).toMatch(/Open this address:\nhttp:\/\/127\.0\.0\.1:\d+\/authorize\?/);
    expect(project.browsed()).toEqual([]);
  });

  test("where no browser can be opened, that is said", async () => {
    const { err } = await project.rolecall("login notes --timeout 300ms", { PATH: "/nowhere" });
    expect(err).toContain("No browser could be opened here: open the address above by hand.");
  });

  test("in CI nobody is waited for", async () => {
    const { exit, err } = await project.rolecall("login notes", { CI: "true" });
    expect(exit).toBe(1);
    expect(err).toContain("`CI` is set");
    expect(project.server.seen).toEqual([]);
  });
});

describe("no login", () => {
  test.each([
    ["the person says no", { denies: "Not now." }, "no login: access was denied (it says: Not now.)"],
    ["what it says would steer a terminal", { denies: "\u001b[2Jgone\u202e" }, "(it says: \\u001b[2Jgone\\u202e)"],
    ["the answer has another state", { badState: true }, "an answer that wasn't meant for this login was turned away"],
    ["nobody answers", { silent: true }, "no answer came from the browser within 0.9 s"],
    ["the token endpoint fails", { tokenStatus: 503 }, "getting the token failed: it failed"],
    ["its token has a line break", { behind: "\r\nX-A: b" }, "its token can't be sent: it is empty, or has characters"],
    ["its token isn't ASCII", { behind: "\u20ac" }, "its token can't be sent: it is empty, or has characters"],
    ["its token would steer a terminal", { behind: "\u001b[2J" }, "its token can't be sent: it is empty"],
    ["the login server is another", { wrongIssuer: "https://elsewhere.example" }, "names itself otherwise"],
    [
      "its endpoint isn't https",
      { tokenAt: "http://elsewhere.example/token" },
      "it names `http://elsewhere.example`, which isn't https",
    ],
    ["the login server doesn't name PKCE", { challenges: null }, "it doesn't say that it protects a login with PKCE"],
    ["names other ways of it", { challenges: ["plain"] }, "it doesn't say that it protects a login with PKCE"],
    ["its page is no web page", { authorizeAt: "file:///etc/passwd" }, "it names `file://`, which isn't https"],
  ])("when %s", async (_, settings, says) => {
    Object.assign(project.server.settings, settings);
    const { exit, err, out } = await project.rolecall("login notes --timeout 900ms");
    expect({ exit, out }).toEqual({ exit: 1, out: "" });
    expect(err).toContain(says);
    expect(project.kept()).toEqual([]);
    if ("challenges" in settings) expect(project.browsed()).toEqual([]);
  });

  test("after Ctrl-C, and the port is free again", async () => {
    project.server.settings.silent = true;
    let stop: () => void = () => {};
    const running = project.run(["login", "notes"], {
      env: project.env,
      stopped: new Promise<void>((resolve) => (stop = resolve)),
    });
    await expect.poll(() => project.browsed().length).toBe(1);
    stop();
    const { exit, err } = await running;
    expect(exit).toBe(1);
    expect(err).toContain("stopped; nothing was kept");
    const back = new URL(project.browsed()[0]!).searchParams.get("redirect_uri")!;
    await expect(fetch(back)).rejects.toThrow("fetch failed");
  });

  test.each([
    ["answers without one", { asks: false }, 0, "notes answers without a login: there is nothing to do"],
    ["doesn't say where", { describes: false }, 1, "it asks for a token, and doesn't say where one logs in"],
    ["answers without an end", { floods: true }, 1, "its answer is far too large"],
    ["registers no clients", { registers: false }, 1, "register one there by hand and give it with --client-id"],
  ])("where the server %s", async (_, settings, wanted, says) => {
    Object.assign(project.server.settings, settings);
    const { exit, err, out } = await project.rolecall("login notes");
    expect(exit).toBe(wanted);
    expect(out + err).toContain(says);
    expect(project.browsed()).toEqual([]);
  });

  test("the other way is told: the variable, what for, where to get it, and the command", async () => {
    project.server.settings.registers = false;
    project.write(
      "mcp/presets/tracker.yaml",
      `id: tracker
variables: [{ name: TRACKER_TOKEN, for: "a token with read:org and repo", url: "https://tracker.example/tokens" }]
notes: "gh auth login --scopes read:org,repo makes one."
server:
  connect: [{ http: "${project.server.resource}", headers: { Authorization: "\${TRACKER_TOKEN:+Bearer \${TRACKER_TOKEN}}" } }]
`,
    );
    project.declare({ tracker: "{ preset: tracker }" });
    const { err } = await project.rolecall("login tracker");
    expect(err).toContain(
      "The other way: a token in a variable.\n  TRACKER_TOKEN  a token with read:org and repo\n" +
        "                 get one at https://tracker.example/tokens\n\n  gh auth login --scopes read:org,repo makes one.\n",
    );
    const { otherWay } = JSON.parse((await project.rolecall("login tracker --json")).out) as { otherWay: object };
    expect(otherWay).toMatchObject({
      variables: [{ name: "TRACKER_TOKEN" }],
      notes: [expect.stringMatching(/^gh auth/)],
    });
  });

  test("for a server that the project gives a token, and for one that is a process", async () => {
    project.declare({
      notes: `{ connect: [{ http: "${project.server.resource}", headers: { Authorization: "Bearer \${T}" } }] }`,
      local: "{ connect: [{ stdio: [node, server.js] }] }",
    });
    expect((await project.rolecall("login notes")).err).toContain("in `Authorization`, which wins over a login");
    const { err } = await project.rolecall("login local");
    expect(err).toContain("it is a process on this machine");
    expect(err).not.toContain("headers:");
    expect(project.server.seen).toEqual([]);
  });
});

test("a client that was registered by hand is used, its secret from a variable", async () => {
  project.server.settings.registers = false;
  const port = await freePort();
  const secret = "the-secret-of-by-hand";
  project.server.addClient({
    client_id: "by-hand",
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
    client_secret: secret,
  });
  const line = `login notes --client-id by-hand --client-secret-from NOTES_SECRET --port ${port}`;
  expect((await project.rolecall(line)).err).toContain("names a variable that isn't set");
  const { exit, out, err } = await project.rolecall(line, { NOTES_SECRET: secret });
  expect(exit).toBe(0);
  expect(out + err).not.toContain(secret);
});

describe("wrong usage", () => {
  test.each([
    ["login", "login takes the name of one server"],
    ["login notse", "there is no server `notse`; did you mean `notes`?"],
    ["login notes --port 80", "--port takes a number from 1024 to 65535"],
    ["login notes --client-secret-from X", "--client-secret-from is for --client-id"],
    ["logout a b", "logout takes the name of one server, or none for all"],
  ])("%s", async (line, says) => {
    const { exit, err } = await project.rolecall(line);
    expect(exit).toBe(64);
    expect(err).toContain(says);
  });
});

describe("logging out", () => {
  beforeEach(async () => void (await project.rolecall("login notes")));

  test("gives the tokens back and deletes them; without a project too", async () => {
    const [, access] = project.server.tokens();
    const { exit, out } = await project.rolecall("logout notes --project /nowhere");
    expect({ exit, out }).toEqual({
      exit: 0,
      out: `logged out from notes: revoked at ${project.server.issuer} and deleted here\n`,
    });
    expect(readFileSync(project.file, "utf8")).not.toContain(access!);
    expect(project.server.seen.filter((one) => one.path === "/revoke")).toHaveLength(2);
    expect((await project.rolecall("capture --accept")).err).toContain("rolecall login notes");
  });

  test("of all: asked on a terminal, refused where nobody can be asked, done with --all", async () => {
    const refused = await project.rolecall("logout");
    expect(refused).toMatchObject({ exit: 64 });
    expect(refused.err).toContain("rolecall logout --all");
    const no = await project.run(["logout"], { env: project.env, types: ["n"] });
    expect(no.out).toContain(`notes  ${project.server.resource}\nlog out from it? [y/N] `);
    expect(project.kept()).toHaveLength(1);
    const json = await project.rolecall("logout --all --json");
    expect(JSON.parse(json.out)).toMatchObject({ logouts: [{ server: "notes", revoked: true, deleted: true }] });
    expect((await project.rolecall("logout --all")).out).toBe("there are no logins\n");
  });

  test("says so when the server didn't take them back, or takes none", async () => {
    project.server.settings.revokeStatus = 503;
    const failed = await project.rolecall("logout notes");
    expect(failed.exit).toBe(1);
    expect(failed.err).toContain("deleted here, not revoked: revoking failed: it answers 503");
    expect(project.server.seen.filter((one) => one.path === "/revoke")).toHaveLength(2);
    project.server.settings.revokes = false;
    await project.rolecall("login notes");
    expect((await project.rolecall("logout notes")).out).toContain("takes no tokens back: it ends by itself");
    expect(project.kept()).toEqual([]);
  });

  test("of one that isn't logged in names those that are", async () => {
    const { exit, err } = await project.rolecall("logout note");
    expect(exit).toBe(64);
    expect(err).toContain("there is no login for `note`; did you mean `notes`?");
    expect(grants()).toEqual(["authorization_code"]);
  });
});

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
