import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asking } from "../../compiler/io/serve/asking.ts";
import { openInbox, type Inbox } from "../../compiler/io/serve/inbox.ts";
import { carriedOut, type Offer } from "../../compiler/io/serve/carried-out.ts";
import { createRounds } from "../../compiler/io/serve/rounds.ts";
import { loadServerLibrary } from "../../compiler/io/serve/library.ts";
import type { AskRequest } from "../../runtime/index.ts";

/** What a client hears while a person thinks, and what it brings back that was told to come again. */
let inbox: Inbox;

beforeEach(() => {
  vi.useFakeTimers();
  inbox = openInbox({ holdMs: 45_000, now: Date.now });
});
afterEach(() => {
  inbox.close();
  vi.useRealTimers();
});

function request(): AskRequest {
  const about = { role: "tester", server: "files", tool: "write", title: "write", args: { path: "a" }, plan: "p" };
  return { id: "id", hash: "hash", expires: Date.now() + 600_000, ...about };
}

test("progress is told at once and every ten seconds, each above the last, and not after the hold", async () => {
  inbox.attend({ hear: () => {} });
  const heard: { readonly progress: number }[] = [];
  const { ask, unanswered } = asking(inbox, {
    door: "door",
    client: "c 1",
    caller: undefined,
    signal: new AbortController().signal,
    progress: (progress) => heard.push(progress as { readonly progress: number }),
    isServed: () => true,
    inbox: "",
  });
  const answer = ask(request());
  const counted: number[] = [];
  for (const ms of [0, 9_999, 1, 10_000, 24_999, 1, 60_000]) {
    await vi.advanceTimersByTimeAsync(ms);
    counted.push(heard.length);
  }
  expect(counted).toEqual([1, 1, 2, 3, 5, 5, 5]);
  expect(heard.map(({ progress }) => progress)).toEqual(
    heard.map(({ progress }) => progress).toSorted((one, other) => one - other),
  );
  expect(new Set(heard.map(({ progress }) => progress)).size).toBe(5);
  expect(heard.at(-1)!.progress).toBeLessThan(1);
  expect([await answer, unanswered()?.isHeld]).toEqual([undefined, true]);
});

test("what is brought back is of this call, this role, this client and these rounds, or it is nothing", async () => {
  vi.useRealTimers();
  const library = loadServerLibrary();
  const rounds = createRounds(library, 60_000);
  const tool = { name: "files__write", server: "files", tool: "write", told: {} };
  const call = { role: "tester", door: "kit", tool, args: { path: "a", deep: { b: 1, a: 2 } } };
  const first = (await rounds.next(0, call))!;
  const told = await rounds.verify(first);
  expect(rounds.roundOf(undefined, call)).toBe(0);
  expect(rounds.roundOf(told, { ...call, args: { deep: { a: 2, b: 1 }, path: "a" } })).toBe(1);
  for (const other of [
    { ...call, role: "reader" },
    { ...call, door: "eve" },
    { ...call, args: { path: "b" } },
    { ...call, args: undefined },
    { ...call, tool: { ...tool, tool: "read" } },
    { ...call, tool: { ...tool, server: "others" } },
  ])
    expect(rounds.roundOf(told, other)).toBeUndefined();
  for (const odd of [null, "yes", 1, {}, { round: "1" }, { yes: true }])
    expect(rounds.roundOf(odd, call)).toBeUndefined();
  expect(await rounds.next(7, call)).toBeDefined();
  expect(await rounds.next(8, call)).toBeUndefined();
  // Another key, another text, and one whose time is over.
  const late = createRounds(library, -2_000);
  for (const forged of [
    `${first.slice(0, -2)}AA`,
    first.replace(".", ".A"),
    "",
    "v1.e30.",
    (await late.next(0, call))!,
  ])
    await expect(rounds.verify(forged)).rejects.toThrow(/mac|malformed|expired/);
  await expect(late.verify((await late.next(0, call))!)).rejects.toThrow("expired");
  await expect(createRounds(library, 60_000).verify(first)).rejects.toThrow("mac");
});

test("doors with one key take each other's for their own, and no other's", async () => {
  vi.useRealTimers();
  const library = await loadServerLibrary();
  const [key, other] = [randomBytes(32), randomBytes(32)];
  const call = {
    role: "tester",
    door: "kit",
    tool: { name: "w", server: "files", tool: "write", told: {} },
    args: undefined,
  };
  const told = (await createRounds(library, 60_000, key).next(0, call))!;
  const elsewhere = createRounds(library, 60_000, key);
  expect(elsewhere.roundOf(await elsewhere.verify(told), call)).toBe(1);
  await expect(createRounds(library, 60_000, other).verify(told)).rejects.toThrow("mac");
});

test.each<[what: string, now: Partial<Offer>, isCalled: boolean]>([
  ["it is as it was", {}, true],
  ["the tool was taken away", { tools: new Map() }, false],
  ["nothing goes to its server any more", { waits: new Set(["files"]) }, false],
  ["the role has another session", { session: {} as never }, false],
])("a yes is to what is served when it comes: %s", async (_, now, isCalled) => {
  const tool = { name: "files__write", server: "files", tool: "write", told: {} };
  const session = {
    async call(_: string, __: string, ___: unknown, { ask }: { ask(asked: AskRequest): Promise<unknown> }) {
      if ((await ask(request())) !== undefined)
        return { meta: { raw: { content: [{ type: "text", text: "did it" }] } } };
      throw Object.assign(new Error(), { name: "RolecallError", code: "ask-refused", advice: "no" });
    },
  };
  let offer = {
    session,
    tools: new Map([[tool.name, tool]]),
    reads: [],
    waits: new Set(),
    inbox: "",
  } as unknown as Offer;
  const asks = {
    async ask() {
      offer = { ...offer, ...now };
      return { kind: "yes", by: "terminal" };
    },
  };
  const { signal } = new AbortController();
  const world = { called() {}, offer: () => offer, asks, door: "door", role: "tester" };
  const told = await carriedOut(world as never, { session, tool, signal } as never);
  expect(JSON.stringify(told).includes("did it")).toBe(isCalled);
});
