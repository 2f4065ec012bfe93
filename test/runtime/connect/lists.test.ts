import { describe, expect, test } from "vitest";
import type { Connection } from "../../../runtime/connect/connection.ts";
import { compareLive, startLive } from "../../../runtime/connect/live.ts";
import { watchPins } from "../../../runtime/connect/pin-watch.ts";
import { listTools, startComparison } from "../../../runtime/connect/pins.ts";
import type { JsonValue } from "../../../runtime/contract.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import { fakeRole, fakeServer, fakeTeam } from "../../support/fake-link.ts";
import { pinsOf, serverData } from "../../support/linked.ts";

/** Lists of a server's come in pages: each is bounded as a message, and all of them together as one. */

const MB = 1024 * 1024;
const longText = "x".repeat(MB);

async function problemOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => "fine",
    ({ message }: Error) => message,
  );
}

/** A list of so many pages; the last says of no other. */
function pagesOf(pages: number, page: (at: number) => { readonly [key: string]: JsonValue }) {
  let asked = 0;
  return {
    ask: async (): Promise<JsonValue> => {
      asked++;
      return { ...page(asked), ...(asked < pages && { nextCursor: `c${asked}` }) };
    },
    asked: () => asked,
  };
}

describe("a list of tools", () => {
  const listed = async (pages: number, page: (at: number) => { readonly [key: string]: JsonValue }) => {
    const { ask, asked } = pagesOf(pages, page);
    const said = await problemOf(listTools(ask, async () => {}));
    return [said, asked()];
  };
  const tool = (more: { readonly [key: string]: JsonValue }): JsonValue => ({ name: "t", ...more });
  const TOO_LARGE = "its list of tools is of more than 32 MB, or a million values";

  test.each([
    ["text", 30, () => ({ tools: [tool({ description: longText })] }), ["fine", 30]],
    ["text", 900, () => ({ tools: [tool({ description: longText })] }), [TOO_LARGE, 32]],
    ["what isn't told of a tool", 900, () => ({ tools: [], _meta: { more: longText } }), [TOO_LARGE, 32]],
    ["values", 900, () => ({ tools: [tool({ enum: Array(100_000).fill(1) })] }), [TOO_LARGE, 11]],
    ["small pages", 900, (at: number) => ({ tools: [tool({ title: `${at}` })] }), ["fine", 900]],
  ] as const)("in pages with %s: %i of them", async (_, pages, page, expected) => {
    expect(await listed(pages, page)).toEqual(expected);
  });
});

describe("the comparison", () => {
  const fat = (name: string) => ({ name, description: `\n${longText}`, inputSchema: { type: "object" } });

  test("of large definitions lets others come by, and keeps none of a stranger's name but its beginning", async () => {
    const tools = Array.from({ length: 25 }, (_, i) => fat(`t${i}`));
    const comparison = startComparison(serverData([], { tools: pinsOf(tools) }));
    let turns = 0;
    const tick = (): void => {
      turns++;
      turn = setImmediate(tick);
    };
    let turn = setImmediate(tick);
    const changed = { ...tools[7]!, description: longText };
    await comparison.take([...tools.slice(0, 7), changed, ...tools.slice(8, 24), tools[0]!]);
    await comparison.take(Array.from({ length: 500 }, (_, i) => ({ name: `${i}${longText}` })));
    clearImmediate(turn);
    expect(turns).toBeGreaterThan(2);
    expect(Object.fromEntries(comparison.changed())).toEqual({
      t0: "the server lists two tools of this name",
      t7: "its definition isn't the one that was captured",
      t24: "the server doesn't list it any more",
    });
    const names = [...comparison.newTools];
    expect([names.length, names[0]!.length]).toEqual([100, 200]);
  });

  test("asks for no further page once its time is over", async () => {
    const data = serverData([], { timeoutMs: 60 });
    let asked = 0;
    const connection = {
      request: async (_method: string, _params: object, { signal }: { signal?: AbortSignal }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        signal?.throwIfAborted();
        return { tools: [], nextCursor: `c${asked++}` };
      },
    } as unknown as Connection;
    const pins = watchPins(
      data,
      () => {},
      (text) => text,
    );
    const comparing = compareLive(startLive(connection, new Set()), data, pins, new AbortController().signal);
    expect(await problemOf(comparing)).toBe("no list of tools in time");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([before > 0, asked]).toEqual([true, before]);
  });
});

test("a list of resources is cut where it is no longer one that anybody reads", async () => {
  const server = fakeServer("docs", {});
  const role = fakeRole("reader", [[server, { tools: {} }]]);
  const data = JSON.parse(role.data) as { servers: { docs: object } };
  Object.assign(data.servers.docs, { resources: { include: ["docs:///**"] } });
  let pages = 0;
  server.calling = async (method) => {
    if (method !== "resources/list") throw new RolecallError("tool-failed", "no such method");
    pages++;
    return { resources: [{ uri: `docs:///${pages}`, description: longText.repeat(8) }], nextCursor: `c${pages}` };
  };
  const { as } = fakeTeam([server], [{ ...role, data: JSON.stringify(data) }]);
  const { resources } = await as("reader").$resources();
  expect([pages, resources.length]).toEqual([4, 4]);
});
