import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MOST_WAITING, openInbox, type AskOutcome, type Inbox } from "../../compiler/io/serve/inbox.ts";
import type { InboxItem } from "../../compiler/serve/inbox-lines.ts";
import type { AskRequest } from "../../runtime/index.ts";

/** What a yes is about, and what isn't one: forged, replayed, late, for another call, another role, another client. */
let inbox: Inbox;
let seen: InboxItem[];
let leave: () => void;
let made = 0;

beforeEach(() => {
  vi.useFakeTimers();
  inbox = openInbox({ holdMs: 1_000, now: Date.now });
  seen = [];
  leave = inbox.attend({ hear: (item) => void seen.push(item) });
});
afterEach(() => {
  inbox.close();
  vi.useRealTimers();
});

function request(about: Partial<AskRequest> = {}): AskRequest {
  const id = `id-${++made}`;
  const expires = Date.now() + 10_000;
  return {
    id,
    hash: `hash-${id}`,
    role: "tester",
    server: "files",
    tool: "write",
    title: "write",
    args: { path: "a" },
    plan: "p",
    expires,
    ...about,
  };
}

interface Call {
  readonly outcome: Promise<AskOutcome>;
  now(): Promise<AskOutcome["kind"] | "waits">;
  cancel(): void;
}

function call(about: Partial<AskRequest> = {}, door = "door", asks: Pick<Inbox, "ask"> = inbox): Call {
  const stop = new AbortController();
  const outcome = asks.ask(request(about), {
    door,
    client: "c 1",
    caller: undefined,
    signal: stop.signal,
    waits: () => {},
  });
  let kind: AskOutcome["kind"] | "waits" = "waits";
  void outcome.then((known) => (kind = known.kind));
  return {
    outcome,
    async now() {
      await vi.advanceTimersByTimeAsync(0);
      return kind;
    },
    cancel: () => stop.abort(),
  };
}

const answer = (item: InboxItem | undefined, yes = true): string | undefined =>
  inbox.answer({ id: item?.id ?? "", hash: item?.hash ?? "", yes, by: "kit" });

describe("a yes", () => {
  test("lets the call go that waits, and says by whom", async () => {
    const one = call();
    expect(await one.now()).toBe("waits");
    expect(answer(seen[0])).toBeUndefined();
    expect(await one.outcome).toEqual({ kind: "yes", by: "kit" });
    expect(inbox.waiting()).toEqual([]);
  });

  test("with another id, or another hash, is none", async () => {
    const one = call();
    const other = call({ args: { path: "b" } });
    expect(inbox.answer({ id: "forged", hash: seen[0]!.hash, yes: true, by: "" })).toContain("nothing with this id");
    expect(inbox.answer({ id: seen[0]!.id, hash: seen[1]!.hash, yes: true, by: "" })).toContain("hash");
    expect([await one.now(), await other.now()]).toEqual(["waits", "waits"]);
  });

  test("is used once: said again it is for nothing, and the next equal call asks anew", async () => {
    const one = call();
    answer(seen[0]);
    expect(await one.now()).toBe("yes");
    const again = call();
    expect(answer(seen[0])).toContain("nothing with this id");
    expect(await again.now()).toBe("waits");
    expect(seen).toHaveLength(2);
  });

  test("of two equal calls lets one go, and the other is asked again", async () => {
    const both = [call(), call()];
    expect(seen).toHaveLength(1);
    answer(seen[0]);
    expect([await both[0]!.now(), await both[1]!.now()]).toEqual(["yes", "waits"]);
    expect(seen).toHaveLength(2);
    expect(seen[1]!.hash).not.toBe(seen[0]!.hash);
    answer(seen[1]);
    expect(await both[1]!.now()).toBe("yes");
  });

  test.each([
    ["arguments", { args: { path: "b" } }, "door"],
    ["another role", { role: "reader" }, "door"],
    ["another tool", { tool: "remove" }, "door"],
    ["another server", { server: "others" }, "door"],
    ["another definition", { plan: "q" }, "door"],
    ["another client", {}, "other door"],
  ])("is for no call with %s", async (_, about, door) => {
    const one = call();
    const other = call(about, door);
    expect(seen).toHaveLength(2);
    answer(seen[0]);
    expect([await one.now(), await other.now()]).toEqual(["yes", "waits"]);
  });

  test("given while no call waits runs nothing, and the next equal call takes it", async () => {
    const held = call();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await held.now()).toBe("held");
    expect(answer(seen[0])).toBeUndefined();
    // Nobody has to be there for what is answered.
    leave();
    expect(await call().now()).toBe("yes");
    expect(await call().now()).toBe("nobody");
  });

  test("that comes too late is none", async () => {
    const held = call();
    await vi.advanceTimersByTimeAsync(9_500);
    const again = call();
    expect(seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    expect([await held.now(), await again.now()]).toEqual(["held", "late"]);
    expect(answer(seen[0])).toContain("its time is over");
  });

  test("can't be taken back or said twice while nobody has come for it", async () => {
    call();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(answer(seen[0])).toBeUndefined();
    expect(answer(seen[0], false)).toContain("nothing with this id");
    expect(await call().now()).toBe("yes");
  });

  test("is late by the clock, also where the machine slept and no timer fired", async () => {
    const one = call();
    vi.setSystemTime(Date.now() + 60_000);
    expect(answer(seen[0])).toContain("its time is over");
    expect(await one.now()).toBe("late");
  });

  test("nor is it taken after its end where the machine slept, and nothing waits that is over", async () => {
    const [held, other] = [call(), call({ args: { path: "b" } })];
    await vi.advanceTimersByTimeAsync(1_000);
    answer(seen[0]);
    vi.setSystemTime(Date.now() + 60_000);
    expect(inbox.waiting()).toEqual([]);
    expect(inbox.waitingAt("door")).toBe(0);
    expect([await held.now(), await other.now()]).toEqual(["held", "held"]);
    const again = call();
    expect(await again.now()).toBe("waits");
    answer(seen[2]);
    expect(await again.now()).toBe("yes");
  });

  test("that nobody came for ends with the ask", async () => {
    call();
    await vi.advanceTimersByTimeAsync(2_000);
    answer(seen[0]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await call().now()).toBe("waits");
  });
});

test("a no is told to all that wait, or to the next that comes, once", async () => {
  const both = [call(), call()];
  answer(seen[0], false);
  expect([await both[0]!.now(), await both[1]!.now()]).toEqual(["no", "no"]);
  call();
  await vi.advanceTimersByTimeAsync(1_000);
  answer(seen[1], false);
  expect([await call().now(), await call().now()]).toEqual(["no", "waits"]);
});

test("a cancelled call leaves its ask, and a client that is gone takes it along", async () => {
  const client = inbox.enter("door");
  const one = call({}, "door", client);
  one.cancel();
  expect(await one.now()).toBe("given-up");
  expect(inbox.waiting()).toHaveLength(1);
  call({ args: {} }, "other");
  client.left();
  expect(inbox.waiting()).toEqual([seen[1]]);
});

test("a client that is gone asks no more, whatever of its was under way", async () => {
  const [client, other] = [inbox.enter("door"), inbox.enter("other")];
  client.left();
  expect(await call({}, "door", client).now()).toBe("given-up");
  expect(inbox.waiting()).toEqual([]);
  expect(seen).toEqual([]);
  expect(await call({}, "other", other).now()).toBe("waits");
});

test("without anybody to answer nothing waits, and nothing that waits is lost", async () => {
  const one = call();
  leave();
  expect(await call().now()).toBe("nobody");
  expect(await call({ args: {} }).now()).toBe("nobody");
  expect(inbox.waiting()).toHaveLength(1);
  answer(seen[0]);
  expect(await one.now()).toBe("yes");
});

test("a role has so many asks and no more, and takes none of another's", async () => {
  for (let i = 0; i < MOST_WAITING; i++) call({ args: { i } }, `door ${i}`);
  expect(await call({ args: { one: "more" } }).now()).toBe("too-many");
  // One that joins is no further one.
  expect(await call({ args: { i: 0 } }, "door 0").now()).toBe("waits");
  expect(await call({ role: "reader" }).now()).toBe("waits");
});
