import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/root.ts";

/** What the action hands on where GitHub's answer is only a part of what happened: nothing. */

interface Answer {
  readonly value?: unknown;
  readonly problem?: string;
}
type Approvals =
  | { readonly problem: string }
  | { readonly value: { readonly authors: string[]; readonly labels: object[] } };
const { approvalsOf } = (await import(pathToFileURL(path.join(ROOT, "action/approvals.mjs")).href)) as {
  approvalsOf(api: object, number: number): Promise<Approvals>;
};

const push = (login: string) => ({ timestamp: "2026-05-02T00:00:00Z", actor: { login } });
const commit = { author: { login: "alice" }, committer: { login: "alice" } };

interface Said {
  readonly activity?: Answer;
  readonly head?: object;
  readonly commits?: readonly object[];
  readonly events?: readonly object[];
}

const asked = ({ activity, head, commits = [commit], events = [] }: Said) =>
  approvalsOf(
    {
      get: () => ({
        value: {
          user: { login: "alice" },
          head: head ?? { ref: "work", repo: { full_name: "o/r" } },
          labels: [{ name: "access-approved" }],
        },
      }),
      all: (asks: string) => ({
        value: asks.endsWith("/commits") ? commits : asks.endsWith("/events") ? events : [],
      }),
      elsewhere: () => activity ?? { value: [push("mallory")] },
    },
    7,
  );

test("everybody who pushed is among the authors", async () =>
  expect(await asked({})).toMatchObject({ value: { authors: ["alice", "mallory"] } }));

describe("nothing at all where", () => {
  test.each<[string, Said, string]>([
    ["pushes may not be read", { activity: { problem: "Forbidden" } }, "who pushed isn't known: Forbidden"],
    ["there is no push", { activity: { value: [] } }, "lists no push"],
    ["a push is nobody's", { activity: { value: [{ ...push("x"), actor: null }] } }, "who and when"],
    ["a push has no time", { activity: { value: [{ ...push("x"), timestamp: null }] } }, "who and when"],
    ["the repository is gone", { head: { ref: "work", repo: null } }, "is gone"],
    ["GitHub lists no further commit", { commits: Array.from({ length: 250 }, () => commit) }, "250 commits"],
  ])("%s", async (_, said, problem) =>
    expect(await asked(said)).toEqual({ problem: expect.stringContaining(problem) as string }),
  );
});

test("a label that was set for another base says nothing of this one", async () => {
  const labeled = { event: "labeled", label: { name: "access-approved" }, actor: { login: "grace" }, created_at: "x" };
  const moved = { event: "base_ref_changed" };
  const labels = async (...events: object[]) => {
    const found = await asked({ events });
    return "value" in found ? found.value.labels.length : undefined;
  };
  expect([await labels(labeled), await labels(labeled, moved), await labels(labeled, moved, labeled)]).toEqual([
    1, 0, 1,
  ]);
});
