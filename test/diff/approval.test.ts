import { describe, expect, test } from "vitest";
import { approvalLine, decideApproval, type ApprovalQuestion } from "../../compiler/diff/approval.ts";
import { readEvents } from "../../compiler/diff/read-events.ts";

/** Everybody's tries to have a change pass that nobody who may has accepted, beside the yes that counts. */

const DIGEST = `sha256:${"1".repeat(64)}`;
const OTHER = `sha256:${"2".repeat(64)}`;
const FILE = "mcp/approved.yaml";
const entry = (by: string, digest = DIGEST, file = FILE) => ({ by, digest, file });
const comment = (by: string, body = approvalLine(DIGEST), edited = false) => ({ by, body, edited });
const PUSHED = "2026-05-01T12:00:00Z";

interface Case extends Partial<Omit<ApprovalQuestion, "trusted" | "events">> {
  readonly trusted?: Partial<ApprovalQuestion["trusted"]>;
  readonly events?: Partial<NonNullable<ApprovalQuestion["events"]>>;
}

const decide = ({ trusted, events, ...question }: Case) =>
  decideApproval({
    digest: DIGEST,
    now: [],
    began: [],
    authors: ["mallory"],
    ...question,
    trusted: {
      approved: [],
      codeowners: "/mcp/ @alice @bob\n",
      approvers: ["alice"],
      label: "access-approved",
      ...trusted,
    },
    events: { pushedAt: PUSHED, comments: [], labels: [], ...events },
  });

describe("counts", () => {
  test.each<[string, Case, string]>([
    [
      "a line of the base, by an owner",
      { trusted: { approved: [entry("alice")] }, began: [entry("alice")], now: [entry("alice")] },
      "block",
    ],
    ["one that was merged after this change began", { trusted: { approved: [entry("alice")] } }, "block"],
    [
      "a line of the base in a file that a team owns",
      { trusted: { approved: [entry("carol")], codeowners: "/mcp/ @org/security" }, now: [entry("carol")] },
      "block",
    ],
    ["an owner's own line in their own change", { now: [entry("Alice")], authors: ["alice"] }, "block"],
    ["of two owners who pushed", { now: [entry("alice")], authors: ["alice", "bob"] }, "block"],
    ["a comment of an approver", { events: { comments: [comment("Alice")] } }, "comment"],
    [
      "with words below",
      { events: { comments: [comment("alice", `${approvalLine(DIGEST)}\r\nseen with Bob`)] } },
      "comment",
    ],
    [
      "a label that an approver set after the push",
      { events: { labels: [{ name: "access-approved", by: "alice", at: "2026-05-01T12:00:01Z" }] } },
      "label",
    ],
  ])("%s", (_, question, how) => expect(decide(question)).toMatchObject({ accepted: true, how }));
});

describe("doesn't count", () => {
  const label = (more: object) => ({
    events: { labels: [{ name: "access-approved", by: "alice", at: "2026-05-01T13:00:00Z", ...more }] },
  });
  test.each<[string, Case, string | undefined]>([
    ["nothing at all", {}, undefined],
    ["one's own yes in one's own change", { now: [entry("mallory")] }, "mallory doesn't own its file"],
    ["a yes in an owner's name", { now: [entry("alice")] }, "in another's name"],
    [
      "a line that somebody else pushed to an owner's change",
      { now: [entry("alice")], authors: ["alice", "mallory"] },
      "mallory doesn't own its file",
    ],
    ["an added line, where nobody said whose change it is", { now: [entry("alice")], authors: undefined }, "--author"],
    ["the same with an empty list", { now: [entry("alice")], authors: [] }, "--author"],
    [
      "an added line in a file that a team owns",
      { now: [entry("alice")], authors: ["alice"], trusted: { codeowners: "/mcp/ @org/security" } },
      "can't be told here",
    ],
    [
      "a line in a file that nobody owns",
      { now: [entry("alice", DIGEST, "notes/approved.yaml")], authors: ["alice"] },
      "names no owner",
    ],
    [
      "a merged line in a file that nobody owns",
      { trusted: { approved: [entry("alice", DIGEST, "more/x.yaml")] } },
      "names no owner",
    ],
    [
      "a CODEOWNERS that the change brings: the base has none",
      { now: [entry("alice")], authors: ["alice"], trusted: { codeowners: undefined } },
      "names no owner",
    ],
    [
      "a line that takes the owners away",
      {
        trusted: { approved: [entry("alice")], codeowners: "/mcp/ @alice\n/mcp/approved.yaml\n" },
        now: [entry("alice")],
      },
      "names no owner",
    ],
    ["who owns the file no more", { trusted: { approved: [entry("carol")] }, now: [entry("carol")] }, "no more"],
    [
      "what this change takes out",
      { trusted: { approved: [entry("alice")] }, began: [entry("alice")], now: [] },
      "takes it out",
    ],
    [
      "another change's digest",
      { trusted: { approved: [entry("alice", OTHER)] }, now: [entry("alice", OTHER)] },
      undefined,
    ],
    ["a comment on another change", { events: { comments: [comment("alice", approvalLine(OTHER))] } }, undefined],
    ["a comment of a stranger", { events: { comments: [comment("eve")] } }, "doesn't name"],
    ["a comment of the author", { authors: ["alice"], events: { comments: [comment("alice")] } }, "their own change"],
    [
      "a comment where nobody said whose change it is",
      { authors: undefined, events: { comments: [comment("alice")] } },
      "--author",
    ],
    [
      "an edited comment: another may have edited it",
      { events: { comments: [comment("alice", approvalLine(DIGEST), true)] } },
      "edited",
    ],
    ["a quotation", { events: { comments: [comment("alice", `> ${approvalLine(DIGEST)}`)] } }, undefined],
    ["our page, pasted", { events: { comments: [comment("alice", `see\n${approvalLine(DIGEST)}`)] } }, undefined],
    ["a comment that says less", { events: { comments: [comment("alice", "rolecall: approve")] } }, undefined],
    ["a label set before the push", label({ at: "2026-05-01T11:59:59Z" }), "after the last push"],
    ["at the same moment", label({ at: PUSHED }), "after the last push"],
    [
      "a label, and nobody knows when the push was",
      { events: { ...label({}).events, pushedAt: undefined } },
      "after the last push",
    ],
    ["a label at no time", label({ at: "yesterday" }), "after the last push"],
    ["a stranger's label", label({ by: "eve" }), "doesn't name"],
    ["the author's label", label({ by: "mallory" }), "doesn't name"],
    ["an approver's label on their own change", { ...label({}), authors: ["alice"] }, "their own change"],
    ["another label", label({ name: "lgtm" }), undefined],
    ["a label, where none is named", { ...label({}), trusted: { label: undefined } }, undefined],
    [
      "an approver whom the change names itself",
      { ...label({ by: "eve" }), trusted: { approvers: [] } },
      "doesn't name",
    ],
  ])("%s", (_, question, why) => {
    const decision = decide(question);
    expect(decision.accepted).toBe(false);
    const reasons = decision.accepted ? [] : decision.refused.map((one) => one.why);
    expect(reasons).toEqual(why === undefined ? [] : [expect.stringContaining(why)]);
  });
});

describe("what CI hands in", () => {
  const whole = {
    format: 1,
    authors: ["mallory"],
    pushedAt: PUSHED,
    comments: [comment("alice")],
    labels: [{ name: "x", by: "alice", at: PUSHED }],
  };

  test("is read as it is", () =>
    expect(readEvents(JSON.stringify(whole))).toEqual({
      authors: ["mallory"],
      events: { pushedAt: PUSHED, comments: whole.comments, labels: whole.labels },
    }));

  test.each<[string, string]>([
    ["no JSON", "{"],
    ["another format", JSON.stringify({ ...whole, format: 2 })],
    ["authors that are a text", JSON.stringify({ ...whole, authors: "mallory" })],
    ["an author without a name", JSON.stringify({ ...whole, authors: [""] })],
    [
      "a comment that doesn't say whether it was edited",
      JSON.stringify({ ...whole, comments: [{ by: "a", body: "" }] }),
    ],
    ["a label without its time", JSON.stringify({ ...whole, labels: [{ name: "x", by: "a" }] })],
    ["a time that is a number", JSON.stringify({ ...whole, pushedAt: 1 })],
    ["a list", "[]"],
  ])("or refused as a whole: %s", (_, text) => expect(readEvents(text)).toHaveProperty("problem"));
});
