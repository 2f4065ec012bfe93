import { expect, test } from "vitest";
import type { InboxHearer } from "../../compiler/io/serve/inboxes.ts";
import { watchInbox } from "../../compiler/io/serve/watching.ts";

/** What a page hears of its answers. */
test("an answer that counts has no reason, and one that doesn't has its own", async () => {
  let hearer!: InboxHearer;
  const watching = watchInbox({
    shown: (item) => item,
    whole: () => [],
    answerLine: () => "",
    attend(heard) {
      hearer = heard;
      return { answer: () => (heard.heard('{"id":"a1","done":true}'), true), leave: () => {} };
    },
    refused: () => {},
  });
  const answer = (id: string, hash: string) => watching.answer({ id, hash, yes: true });
  watching.watch(() => {});
  hearer.heard(JSON.stringify({ kind: "build", id: "a1", hash: "h", changes: [], says: [] }));
  expect(await answer("a2", "h")).toEqual({ done: false, why: expect.stringContaining("nothing with this id waits") });
  expect(await answer("a1", "g")).toEqual({ done: false, why: "the hash isn't that of what waits" });
  expect(await answer("a1", "h")).toEqual({ done: true });
});
