import { createHash } from "node:crypto";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { RecordLine, TeamOptions } from "../../../runtime/api.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import { createSecrets } from "../../../runtime/secrets.ts";
import { failureOf, fakeClock, fakeRole, fakeServer, fakeTeam, type FakeServer } from "../../support/fake-link.ts";

/** An attack on the record: a server and a model that repeat what they were given, in every spelling that code has for it. */

const SECRET = 'k/9+Zé "quo\\te" =&?7w';
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const asciiJson = (text: string): string =>
  inJson(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
const SPELLINGS: readonly (readonly [string, string])[] = [
  ["as it is", SECRET],
  ["in JSON", inJson(SECRET)],
  ["in JSON within JSON", inJson(inJson(SECRET))],
  ["in JSON of ASCII", asciiJson(SECRET)],
  ["in an address", encodeURIComponent(SECRET)],
  ["in an address, lower case", encodeURIComponent(SECRET).replace(/%../g, (byte) => byte.toLowerCase())],
  ["in a whole address", encodeURI(SECRET)],
  ["in base64", certainBase64(0, "base64")],
  ["in base64 behind a name", certainBase64(4, "base64")],
  ["in base64 of addresses", certainBase64(2, "base64url")],
  ["in a form", new URLSearchParams({ key: SECRET }).toString().slice(4)],
];

/** What of it stays the same whatever stands around it. */
function certainBase64(before: number, encoding: "base64" | "base64url"): string {
  const [one, other] = [0, 255].map((byte) =>
    Buffer.concat([Buffer.alloc(before, byte), Buffer.from(SECRET), Buffer.alloc(3, byte)]).toString(encoding),
  );
  return [...one!]
    .map((character, i) => (character === other![i] ? character : " "))
    .join("")
    .trim()
    .split(" ")[0]!;
}

let github: FakeServer;
beforeEach(() => {
  github = fakeServer("github", { list: {}, create: {} });
});

function start(options: TeamOptions = {}) {
  const lines: RecordLine[] = [];
  const role = fakeRole("tester", [[github, { tools: { list: "allow", create: "ask" } }]]);
  const made = fakeTeam([github], [role], { record: (line) => lines.push(line), clock: fakeClock(true), ...options });
  return { ...made, lines, session: made.as("tester") };
}

/** Connected, so that the link has told its secrets. */
async function knowing(secret: string, options: TeamOptions = {}) {
  const made = start(options);
  await made.session.$call("github", "list");
  github.worlds.at(-1)!.secrets.add(secret);
  made.lines.length = 0;
  return made;
}

test("before the first connection it is known too, also as a word of the command, but for a path that leads somewhere", async () => {
  const reference = (name: string) => [{ name, form: "plain", word: [] }] as const;
  const command = [["node"], reference("DATABASE_URL"), reference("SOURCES")];
  const connect = [{ kind: "stdio", command, env: [["TOKEN", reference("TOKEN")]] }] as const;
  github = fakeServer("github", { list: {}, create: {} }, { connect });
  const env = { DATABASE_URL: "postgres://app:hunt3r2Xyzzy77@db.example.com/x", SOURCES: "./runtime", TOKEN: SECRET };
  const { session, lines } = start({ env, root: path.resolve(import.meta.dirname, "../../..") });
  await failureOf(session.$call("github", "none", { all: Object.values(env).join(), part: "hunt3r2Xyzzy77" }));
  expect(lines.map(({ args }) => args)).toEqual([{ all: "***,./runtime,***", part: "***" }]);
});

describe.each(SPELLINGS)("a secret %s", (_, spelled) => {
  test("in arguments, their names, and what isn't held", async () => {
    const { session, lines } = await knowing(SECRET);
    await session.$call("github", "list", { [`a${spelled}`]: [`Bearer ${spelled}!`] });
    await failureOf(session.$call("github", `x ${spelled}`));
    await failureOf(session.$call(`y ${spelled}`, "list"));
    expect(JSON.stringify(lines)).not.toContain(inJson(spelled));
    expect(lines.map(({ server, tool }) => [server, tool])).toEqual([
      ["github", "list"],
      ["github", "x ***"],
      ["y ***", "list"],
    ]);
    expect(lines[0]!.args).toEqual({ "a***": ["Bearer ***!"] });
  });

  test("in errors of the link and of the server", async () => {
    const { session, lines } = await knowing(SECRET);
    github.calling = async () => ({ isError: true, content: [{ type: "text", text: `bad key ${spelled}.` }] });
    const failed = await failureOf(session.$call("github", "list"));
    github.calling = () => Promise.reject(new RolecallError("tool-failed", `refused ${spelled}`));
    await failureOf(session.$call("github", "list"));
    expect(failed.message).toBe("`github.list` failed: bad key ***.");
    expect(lines.map(({ error }) => error)).toEqual([
      "`github.list` failed: bad key ***.",
      "server `github`: refused ***",
    ]);
  });
});

test("a secret of several lines, and one at the place where long text is cut", async () => {
  const key = "-----BEGIN-----\nabcdefghijkl\n-----END-----";
  const { session, lines } = await knowing(key);
  for (const text of [`the key is ${key}`, "x".repeat(1_990) + key]) {
    github.calling = async () => ({ isError: true, content: [{ type: "text", text }] });
    await failureOf(session.$call("github", "list"));
  }
  expect(JSON.stringify(lines)).not.toMatch(/BEGIN|abcdef/);
});

test("what a variable holds beyond the secret: a line break at its end, an address around it", () => {
  const secrets = createSecrets();
  secrets.add("tok-1234567\n");
  secrets.add("postgres://app:p%40ss-word@db.example.com/x");
  expect(secrets.text("tok-1234567 tok-1234567\n")).toBe("*** ***");
  expect(secrets.text('login failed for "app" with "p@ss-word" or "p%40ss-word" at db.example.com')).toBe(
    'login failed for "app" with "***" or "***" at db.example.com',
  );
});

test("a session id that the server made of the secret, and the name of who answered", async () => {
  const { session, lines } = await knowing("s-1 is six", { ask: () => ({ yes: true, by: "ada, s-1 is six" }) });
  await session.$call("github", "create");
  expect(lines[0]).toMatchObject({ ask: "yes", by: "ada, ***" });
  const other = await knowing("2025-11-25");
  await other.session.$call("github", "list");
  expect(other.lines[0]!.protocol_version).toBe("***");
});

test("in a call that is refused before anything was connected", async () => {
  const value = "k-0123456789";
  const template = [{ name: "TOKEN", form: "plain", word: [] }] as const;
  github = fakeServer(
    "github",
    { list: { inputSchema: { type: "object", required: ["x"] } } },
    {
      connect: [
        { kind: "http", url: ["https://api.example.com/"], headers: [["Authorization", ["Bearer ", ...template]]] },
      ],
    },
  );
  const { session, lines } = start({ env: { TOKEN: value } });
  await failureOf(session.$call("github", "list", { stolen: value }));
  await failureOf(session.$call("github", "merge", { stolen: value }));
  expect(github.log).toEqual([]);
  expect(lines.map(({ args }) => args)).toEqual([{ stolen: "***" }, { stolen: "***" }]);
});

test("the name of a tool that the role holds stays, whatever a variable holds", async () => {
  github = fakeServer("github", { list_issues: {} });
  const lines: RecordLine[] = [];
  const role = fakeRole("tester", [[github, { tools: { list_issues: "allow" } }]]);
  const session = fakeTeam([github], [role], { record: (line) => lines.push(line) }).as("tester");
  await session.$call("github", "list_issues");
  github.worlds[0]!.secrets.add("list_issues");
  await session.$call("github", "list_issues");
  expect(lines.map(({ tool }) => tool)).toEqual(["list_issues", "list_issues"]);
});

test("a long secret in an answer that is cut because of its length", async () => {
  const secret = Array.from({ length: 100 }, (_, i) => createHash("sha256").update(`${i}`).digest("base64url")).join(
    "",
  );
  const { session, lines } = await knowing(secret);
  for (const spelled of [secret, Buffer.from(secret).toString("base64"), inJson(inJson(secret))]) {
    github.calling = async () => ({ isError: true, content: [{ type: "text", text: `${spelled} `.repeat(20) }] });
    const { message } = await failureOf(session.$call("github", "list"));
    expect(message).toMatch(/^`github.list` failed: (?:\*\*\*[A-Za-z]?[ =]*)+$/);
    expect(lines.at(-1)!.error).toBe(message);
  }
});

test("who answered, where his name is cut", async () => {
  const by = `${"x".repeat(170)}${"k-0123456789".repeat(3)}`;
  const { session, lines } = await knowing("k-0123456789".repeat(3), { ask: () => ({ yes: true, by }) });
  await session.$call("github", "create");
  expect(lines[0]!.by).toBe(`${"x".repeat(170)}***`);
});

test("the cause of an error is the answer without what it repeats", async () => {
  const { session } = await knowing(SECRET);
  const answer = { isError: true, content: [{ type: "text", text: `bad key ${SECRET}` }] };
  github.calling = async () => answer;
  const failed = await failureOf(session.$call("github", "list"));
  expect(failed.cause).toEqual({ isError: true, content: [{ type: "text", text: "bad key ***" }] });
});

test.each(["&amp;", "\\u0041", "%41"])("a failing answer of many %s doesn't hold the app", async (piece) => {
  const { session } = start();
  github.connecting = async () => void github.worlds.at(-1)!.secrets.add(SECRET);
  const answer = (text: string) => async () => ({ isError: true, content: [{ type: "text", text }] });
  github.calling = answer(`${SECRET} ${piece.repeat(2_000_000)}`);
  const began = process.cpuUsage();
  const { message, cause } = await failureOf(session.$call("github", "list", {}));
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(700);
  expect(message).toContain("failed: *** ");
  expect(cause).toBe("left out: the answer has more than 65536 characters");
  github.calling = answer(`it was ${SECRET}`);
  const short = await failureOf(session.$call("github", "list", {}));
  expect(short.cause).toEqual({ isError: true, content: [{ type: "text", text: "it was ***" }] });
});

test("what an agent makes up is masked as far as it is shown", async () => {
  const { session, lines } = await knowing(SECRET);
  const long = `${SECRET} %26\\x25${SECRET.slice(0, 12)} &amp;41 42 43 1,2,3,4 +`.repeat(50_000);
  const calls = [
    () => session.$call("github", long),
    () => session.$call(long, "list"),
    () => session.$call("github", long, [] as never),
    () => session.$read("github", long),
  ];
  for (const call of calls) {
    const began = process.cpuUsage();
    const { message } = await failureOf(call());
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(400);
    expect(message.length).toBeLessThan(1_000);
    expect(message).not.toContain(SECRET);
  }
  for (const { server, tool } of lines) expect(server.length + tool.length).toBeLessThan(1_000);
  expect(lines).toHaveLength(calls.length);
});

test("who asked a gateway is told on one line, without what is secret, and cut after that", async () => {
  const { session, lines } = await knowing(SECRET);
  const who = { client: `a-test\n${SECRET} 7`, caller: `sub ${"k".repeat(190)} ${SECRET}` };
  await session.$call("github", "list", {}, who as object);
  expect(lines.at(-1)).toMatchObject({ client: "a-test\\u{a}*** 7", caller: `sub ${"k".repeat(190)} ***` });
});
