import { expect, test } from "vitest";
import { asking, type AskingDoor } from "../../compiler/io/serve/asking.ts";
import { carriedOut, serverWaits } from "../../compiler/io/serve/carried-out.ts";
import { inboxWords } from "../../compiler/serve/inbox-words.ts";

/** What an agent is told to tell its user: as the project starts rolecall, which may not be on the PATH. */

test.each<[command: readonly string[], approvers: readonly ("terminal" | "page" | "program")[], words: string]>([
  [["rolecall"], ["terminal", "page"], "to open `rolecall asks` in a terminal of their own"],
  [["npx", "--no", "rolecall"], ["terminal"], "to open `npx --no rolecall asks` in a terminal of their own"],
  [
    ["our tools/cli", "rolecall"],
    ["program", "terminal"],
    "to open `'our tools/cli' rolecall asks` in a terminal of their own",
  ],
  [["rolecall"], ["page", "program"], "to open the page of `rolecall asks`, from a terminal of their own"],
  [["rolecall"], ["program"], "to start the program that answers for them"],
  [["rolecall"], [], "that `rolecall serve --status` says what waits or was answered with no"],
  [["a\u202eb"], ["terminal"], "to open `'a\\u202eb' asks` in a terminal of their own"],
])("%j, answered by %j", (command, approvers, words) => expect(inboxWords({ command, approvers })).toBe(words));

test("it is in what is said where nobody is there, and where a server waits", async () => {
  const door: AskingDoor = { ask: () => Promise.resolve({ kind: "nobody" }) };
  const inbox = "to open `npx --no rolecall asks` in a terminal of their own";
  const { signal } = new AbortController();
  const call = {
    door: "a",
    caller: undefined,
    client: undefined,
    signal,
    progress: undefined,
    isServed: () => true,
    inbox,
  };
  const one = asking(door, call);
  await one.ask({} as never);
  expect(one.unanswered()?.words).toContain(`Tell the user ${inbox}, then make the same call again.`);
  expect(serverWaits(inbox)).toContain(`Tell the user ${inbox}, then make the same call again.`);
  const offer = { session: {}, tools: new Map(), reads: [], waits: new Set(["files"]), inbox };
  const told = await carriedOut({ called() {}, offer: () => offer } as never, { tool: { server: "files" } } as never);
  expect(JSON.stringify(told)).toContain(inbox);
});
