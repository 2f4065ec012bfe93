import { describe, expect, test } from "vitest";
import type { RecordLine, TeamOptions } from "../../../runtime/api.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import { failureOf, fakeRole, fakeServer, fakeTeam } from "../../support/fake-link.ts";

/** `timeoutMs` of a call, of a reading and of a list: one deadline for all of it, from the first step on. */

function start(options: TeamOptions = {}) {
  const docs = fakeServer("docs", { read: { readOnly: true }, asked: {}, write: {} }, { cacheMs: 60_000 });
  const tools = { read: "allow", asked: "ask", write: "allow" } as const;
  const role = fakeRole("reader", [[docs, { tools }]]);
  const data = JSON.parse(role.data) as { servers: { docs: object } };
  Object.assign(data.servers.docs, { resources: { include: ["docs:///**"] } });
  const { as } = fakeTeam([docs], [{ ...role, data: JSON.stringify(data) }], options);
  return { docs, reader: as("reader") };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The longest that there are, as many as fit into one message. */
const LONG = Array.from({ length: 4_000 }, (_, i) => ({ uri: `docs:///${`${i}/`.repeat(1_000)}`.slice(0, 6_000) }));

describe("a time that has run out", () => {
  test.each([0, -20, -Infinity])(
    "%d: nothing is sent, nobody is asked, and nothing kept is given",
    async (timeoutMs) => {
      let asked = 0;
      const { docs, reader } = start({ ask: () => ++asked > 0 });
      await reader.$call("docs", "read");
      const before = [...docs.log];
      for (const tool of ["read", "asked", "write"]) {
        const { code, message } = await failureOf(reader.$call("docs", tool, {}, { timeoutMs }));
        expect([code, message]).toEqual(["timeout", `docs.${tool} gave no answer within 0 ms`]);
      }
      expect((await failureOf(reader.$read("docs", "docs:///a", { timeoutMs }))).code).toBe("timeout");
      const { failed } = await reader.$resources("docs", { timeoutMs });
      expect(failed).toEqual([{ server: "docs", why: expect.stringContaining("within 0 ms") as string }]);
      expect([asked, docs.log]).toEqual([0, before]);
    },
  );

  test("doesn't hide why a call would have been refused anyway", async () => {
    const { reader } = start();
    expect((await failureOf(reader.$call("docs", "no_such", {}, { timeoutMs: 1e9 }))).code).toBe("tool-unknown");
  });
});

test.each([NaN, "500", null, {}])("%s is no time, and a slip isn't no limit", async (timeoutMs) => {
  const { docs, reader } = start();
  const options = { timeoutMs } as object;
  const words = "`timeoutMs` of a call is a number of milliseconds; leave it out for no limit but the server's";
  const slip = new TypeError(words);
  await expect(reader.$call("docs", "read", {}, options)).rejects.toEqual(slip);
  await expect(reader.$read("docs", "docs:///a", options)).rejects.toEqual(slip);
  await expect(reader.$resources("docs", options)).rejects.toEqual(slip);
  expect(docs.log).toEqual([]);
});

test.each([1e12, Infinity])("%d ms is as long as it takes", async (timeoutMs) => {
  const { reader } = start();
  expect((await reader.$call("docs", "read", {}, { timeoutMs })).text).toBe("fine");
});

describe("the server's own time and the caller's", () => {
  const late = (name: string, ms: number) => `${name} gave no answer within ${ms} ms`;
  test.each([
    [undefined, 100],
    [60_000, 100],
    [40, 40],
  ])("the shorter one holds, and is told: %s of 100 ms", async (timeoutMs, ms) => {
    const hanging = fakeServer("docs", { read: {} }, { timeoutMs: 100 });
    const role = fakeRole("reader", [[hanging, { tools: { read: "allow" } }]]);
    const { as } = fakeTeam([hanging], [role]);
    const given: number[] = [];
    hanging.calling = async (_tool, _args, how) => {
      given.push(how!.timeoutMs);
      await pause(how!.timeoutMs);
      throw new RolecallError("timeout", late("docs.read", how!.timeoutMs), { server: "docs" });
    };
    const { code, message } = await failureOf(as("reader").$call("docs", "read", {}, { timeoutMs }));
    expect([code, message]).toEqual(["timeout", late("docs.read", ms)]);
    expect(Math.max(...given)).toBeLessThanOrEqual(ms);
  });
});

test.each([
  [{ timeoutMs: 0 }, true],
  [{ timeoutMs: 30 }, true],
  [{ timeoutMs: 5_000 }, undefined],
  [{}, undefined],
  ["a signal", true],
])("in the record a call with %j of 100 ms is marked as ended by its caller: %s", async (how, hurried) => {
  const hanging = fakeServer("docs", { read: {} }, { timeoutMs: 100 });
  const lines: RecordLine[] = [];
  const record = (line: RecordLine): void => void lines.push(line);
  const { as } = fakeTeam([hanging], [fakeRole("reader", [[hanging, { tools: { read: "allow" } }]])], { record });
  hanging.calling = async (_tool, _args, { timeoutMs, signal } = { timeoutMs: 0 }) => {
    await Promise.race([pause(timeoutMs), new Promise((done) => signal?.addEventListener("abort", done))]);
    throw new RolecallError("timeout", "docs.read gave no answer", { server: "docs" });
  };
  const options = how === "a signal" ? { signal: AbortSignal.timeout(30) } : (how as object);
  await failureOf(as("reader").$call("docs", "read", {}, options));
  expect([lines[0]?.code, lines[0]?.hurried]).toEqual(["timeout", hurried]);
});

describe("what a server sends is judged within the time", () => {
  test("contents of a reading", async () => {
    const { docs, reader } = start();
    docs.calling = async () => ({ contents: LONG });
    expect((await failureOf(reader.$read("docs", "docs:///a", { timeoutMs: 60 }))).code).toBe("timeout");
  });

  test.each([
    ["resources/list", { resources: LONG }],
    ["resources/templates/list", { resourceTemplates: LONG.map(({ uri }) => ({ uriTemplate: uri })) }],
  ])("%s", async (slow, answer) => {
    const { docs, reader } = start();
    docs.calling = async (method) => (method === slow ? answer : { resources: [], resourceTemplates: [] });
    const { resources, templates, failed } = await reader.$resources("docs", { timeoutMs: 60 });
    expect([resources.length, templates.length]).toEqual([0, 0]);
    expect(failed).toEqual([{ server: "docs", why: expect.stringContaining("gave no answer within 60 ms") as string }]);
  });
});

test("all pages of a list have the time together, and no further one is asked for", async () => {
  const { docs, reader } = start();
  let pages = 0;
  docs.calling = async (method) => {
    if (method !== "resources/list") throw new RolecallError("tool-failed", "no such method");
    await pause(15);
    return { resources: [{ uri: "docs:///a" }], nextCursor: `c${pages++}` };
  };
  const { resources, failed } = await reader.$resources("docs", { timeoutMs: 60 });
  expect([resources, failed.length]).toEqual([[], 1]);
  expect(pages).toBeLessThan(8);
  await pause(40);
  const before = pages;
  await pause(60);
  expect(pages).toBe(before);
});

test("a list that was stopped between its pages is told, of templates too", async () => {
  const { docs, reader } = start();
  const stop = new AbortController();
  docs.calling = async (method, params) => {
    if (method === "resources/list") return { resources: [{ uri: "docs:///a" }] };
    const { cursor = "" } = params as { cursor?: string };
    if (cursor !== "") stop.abort();
    return { resourceTemplates: [{ uriTemplate: "docs:///{name}" }], nextCursor: `${cursor}+` };
  };
  const { resources, templates, failed } = await reader.$resources("docs", { signal: stop.signal });
  expect([resources.length, templates]).toEqual([1, []]);
  expect(failed).toEqual([{ server: "docs", why: expect.stringContaining("the caller cancelled the call") as string }]);
});
