import { describe, expect, test } from "vitest";
import { findWays } from "../../compiler/io/serve/find-ways.ts";
import { noWays } from "../../compiler/io/serve/accepted.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { takeOver } from "../../compiler/serve/take-over.ts";
import { movedServers, readWays, waysText, withYes, type AcceptedWays } from "../../compiler/serve/ways.ts";
import { manifest, planned } from "../support/compiled.ts";

/** A server that would be reached elsewhere by what a variable holds waits for a yes, whatever moved it. */

const served = (connect: string, more?: string) =>
  servePlan(
    planned({
      "mcp/servers.yaml": `servers:\n  files: { connect: [${connect}]${more ?? ""} }\n`,
      "mcp/manifests/files.json": manifest("read"),
      "mcp/roles.yaml": "roles:\n  reader: { tools: { files: [read] } }\n",
    }).plan,
  );

type Values = Readonly<Record<string, string>>;
interface Where {
  readonly file?: Values;
  readonly environment?: Values;
  readonly isShared?: boolean;
}

const { key } = noWays();
const found = (build: ReturnType<typeof served>, { file = {}, environment = {}, isShared = false }: Where) =>
  findWays(build, {
    key,
    variables: {
      env: { ...environment, ...file },
      from: (name) => (name in file ? "file" : name in environment ? "environment" : undefined),
    },
    isShared: () => isShared,
  });
const yesTo = async (build: ReturnType<typeof served>, ...all: readonly Where[]): Promise<AcceptedWays> => {
  let ways: AcceptedWays = { key, digests: new Map() };
  for (const where of all) ways = withYes(ways, await found(build, where));
  return ways;
};
/** Whether what was accepted with the first is moved by the second. */
const isMoved = async (build: ReturnType<typeof served>, before: Where, now: Where): Promise<boolean> =>
  movedServers(await found(build, now), await yesTo(build, before)).length > 0;

describe("what moves a server", () => {
  const everywhere: [what: string, connect: string, more?: string][] = [
    ["its address", '{ http: "${X}" }'],
    ["a part of its address", '{ http: "https://a.example/${X}" }'],
    ["a word of its command", '{ stdio: [run, "--at=${X}"] }'],
    ["its folder", '{ stdio: [run], cwd: "${X}" }'],
    ["a variable that it is given", '{ stdio: [run], env: { PLACE: "${X}" } }'],
    ["a header that says no secret", '{ http: "https://a.example/mcp", headers: { X-Tenant: "${X}" } }'],
    ["what stands in place of one that isn't set", '{ http: "https://a.example/${Y:-${X}}" }'],
    ["where paths of conditions begin", "{ stdio: [run] }", ', root: "${X}"'],
  ];
  test.each(everywhere)("%s", async (_, connect, more) => {
    const build = served(connect, more);
    const [one, two] = [{ X: "https://one.example/mcp" }, { X: "https://two.example/mcp" }];
    for (const isShared of [true, false]) {
      expect(await isMoved(build, { file: one, isShared }, { file: two, isShared })).toBe(true);
      expect(await isMoved(build, { environment: one, isShared }, { file: two, isShared })).toBe(true);
      expect(await isMoved(build, { file: one, isShared }, { file: one, isShared })).toBe(false);
    }
    expect(await isMoved(build, { environment: one }, { environment: two })).toBe(true);
    // The same from elsewhere leads to the same.
    expect(await isMoved(build, { environment: one }, { file: one })).toBe(false);
  });

  test("that its variable is set which wasn't, and the other way round where something stands in its place", async () => {
    const [plain, other] = [served('{ http: "${X}" }'), served('{ http: "https://a.example/${X:-a}" }')];
    const set = { environment: { X: "https://one.example/mcp" } };
    expect(await isMoved(plain, {}, set)).toBe(true);
    expect(await isMoved(other, { file: { X: "b" } }, {})).toBe(true);
    // Nothing is reached then, and the call says what is missing.
    expect(await isMoved(plain, set, {})).toBe(false);
  });

  test("a word of the way that is tried second, and not the one that can't be tried", async () => {
    const build = served('{ http: "https://a.example/${Y}" }, { stdio: [run, "${X}"] }');
    expect(await isMoved(build, { file: { X: "a" } }, { file: { X: "b" } })).toBe(true);
    expect(await isMoved(build, { file: { X: "a" } }, { file: { X: "a" } })).toBe(false);
    expect(await isMoved(build, { file: { X: "a" } }, { file: { X: "a", Y: "evil" } })).toBe(true);
  });
});

describe("a secret", () => {
  const build = served('{ http: "https://a.example/mcp", headers: { Authorization: "Bearer ${T}" } }');
  const other = served('{ stdio: [run], env: { GREETING: "${GITHUB_TOKEN}" } }');
  test("may be another one each hour where its user gives it out", async () => {
    for (const from of ["file", "environment"] as const) {
      expect(await isMoved(build, { [from]: { T: "a" } }, { [from]: { T: "b" } })).toBe(false);
      expect(await isMoved(other, { [from]: { GITHUB_TOKEN: "a" } }, { [from]: { GITHUB_TOKEN: "b" } })).toBe(false);
    }
  });
  test("of a file that a change may bring would be somebody else's", async () => {
    const shared = (T: string): Where => ({ file: { T }, isShared: true });
    expect(await isMoved(build, shared("a"), shared("b"))).toBe(true);
    expect(await isMoved(build, shared("a"), shared("a"))).toBe(false);
    expect(await isMoved(build, { environment: { T: "a" } }, shared("a"))).toBe(true);
    // Its user's own, beside such a file.
    const own = (T: string): Where => ({ environment: { T }, file: { X: "1" }, isShared: true });
    expect(await isMoved(build, own("a"), own("b"))).toBe(false);
  });
});

describe("what stands beside a secret in one value", () => {
  const dsn = '{ stdio: [run], env: { DATABASE_URL: "postgres://app:${DB_PASSWORD}@${X}/harbor" } }';
  const values: [what: string, connect: string, secrets: readonly string[]][] = [
    ["in a variable", dsn, ["DB_PASSWORD"]],
    ["in a header", '{ http: "https://a.example/mcp", headers: { X-To: "${X} ${API_KEY}" } }', ["API_KEY"]],
    [
      "under a name that says secret",
      '{ http: "https://a.example/mcp", headers: { Authorization: "${X} ${API_KEY}" } }',
      ["API_KEY"],
    ],
    ["of two secrets", '{ stdio: [run], env: { TO: "${A_TOKEN}@${X}/${B_TOKEN}" } }', ["A_TOKEN", "B_TOKEN"]],
    ["where a secret is set", '{ stdio: [run], env: { TO: "${A_TOKEN:+--at=${X}}" } }', ["A_TOKEN"]],
    ["where a secret has another in its place", '{ stdio: [run], env: { TO: "${A_TOKEN:-}@${X}" } }', ["A_TOKEN"]],
  ];
  test.each(values)("%s counts, and the secret doesn't", async (_, connect, secrets) => {
    const build = served(connect);
    const where = (X: string, secret: string): Where => ({
      file: { X, ...Object.fromEntries(secrets.map((name) => [name, secret])) },
    });
    expect(await isMoved(build, where("one", "fake-a"), where("two", "fake-a"))).toBe(true);
    expect(await isMoved(build, where("one", "fake-a"), where("one", "fake-b"))).toBe(false);
    const moved = movedServers(await found(build, where("two", "x")), await yesTo(build, where("one", "x")));
    expect(moved).toEqual([{ server: "files", variables: [{ name: "X", from: "file" }] }]);
    // One that others give out is written there: what they write is theirs.
    const shared = (secret: string): Where => ({ ...where("one", secret), isShared: true });
    expect(await isMoved(build, shared("fake-a"), shared("fake-b"))).toBe(!connect.includes(":+"));
  });

  test("counts as well where it takes a secret's place that isn't set", async () => {
    const build = served('{ stdio: [run], env: { TO: "${A_TOKEN:-${X}}" } }');
    const of = (X: string, more: Values = {}): Where => ({ file: { X, ...more } });
    expect(await isMoved(build, of("one"), of("two"))).toBe(true);
    expect(await isMoved(build, of("one", { A_TOKEN: "a" }), of("two", { A_TOKEN: "b" }))).toBe(false);
  });

  test("counts under a name that says secret too, where several variables are and none of them says it", async () => {
    const build = served('{ stdio: [run], env: { DB_SECRET: "postgres://app:${P}@${X}/harbor" } }');
    expect(await isMoved(build, { file: { P: "p", X: "one" } }, { file: { P: "p", X: "two" } })).toBe(true);
  });
});

test("who was asked about each of two environments isn't asked again, and nine are too many", async () => {
  const build = served('{ http: "${X}" }');
  const at = (name: string): Where => ({ environment: { X: `https://${name}.example/mcp` } });
  const ways = await yesTo(build, at("a"), at("b"));
  for (const name of ["a", "b"]) expect(movedServers(await found(build, at(name)), ways)).toEqual([]);
  const many = await yesTo(build, ...[..."abcdefghi"].map(at));
  expect(movedServers(await found(build, at("a")), many)).toMatchObject([{ server: "files" }]);
  expect(movedServers(await found(build, at("b")), many)).toEqual([]);
});

test("what is kept holds no value, outlives the process, and is told by name and place", async () => {
  const build = served('{ http: "https://a.example/${HOST:-a}/${T}" }');
  const ways = await yesTo(build, { file: { T: "fake-and-long-enough" }, environment: { HOST: "inner" } });
  const text = waysText(ways);
  for (const value of ["fake-and-long-enough", "inner"]) expect(text).not.toContain(value);
  expect(readWays(text)).toEqual(ways);
  expect(movedServers(await found(build, { file: { T: "x" } }), readWays(text)!)).toEqual([
    {
      server: "files",
      variables: [
        { name: "HOST", from: undefined },
        { name: "T", from: "file" },
      ],
    },
  ]);
});

test("a name that a preset accepts as well counts as the variable", async () => {
  const build = served('{ http: "https://a.example/${X}" }');
  const data = JSON.parse(build.servers.get("files")!) as object;
  const named = new Map([["files", JSON.stringify({ ...data, acceptedNames: [["X", ["OLD_X"]]] })]]);
  const accepting = { ...build, servers: named };
  expect(await isMoved(accepting, { file: { X: "a" } }, { file: { OLD_X: "a" } })).toBe(false);
  expect(await isMoved(accepting, { file: { X: "a" } }, { file: { OLD_X: "b" } })).toBe(true);
});

test.each([
  ["the key", '"key"', '"kay"'],
  ["a list", '["', '"'],
  ["its version", '"format":1', '"format":2'],
  ["its end", "}}", "}"],
])("what lacks %s can't be understood, and is no first start", async (_, whole, broken) => {
  const text = waysText(await yesTo(served('{ http: "${X}" }'), { file: { X: "https://a.example/mcp" } }));
  expect(readWays(text.replace(whole, broken))).toBeUndefined();
});

test("nothing goes to it until the yes, and all the rest is served", () => {
  const build = served('{ http: "${X}" }');
  const moved = [{ server: "files", variables: [] }];
  const taken = takeOver(build, build, () => false, moved);
  expect(taken).toMatchObject({ moved, waiting: [], reconnected: [] });
  expect(taken.served).toEqual({ ...build, waits: new Set(["files"]) });
});
