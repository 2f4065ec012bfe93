import { expect, test } from "vitest";
import { askPage } from "../../compiler/cli/asks/page.ts";
import { comparedAccess } from "../../compiler/cli/diff/base.ts";
import { openBuilds } from "../../compiler/cli/serve/builds.ts";
import { schemaJudge } from "../../compiler/io/ask/runtime-judges.ts";
import { openInbox } from "../../compiler/io/serve/inbox.ts";
import { widensNothing } from "../../compiler/questions/no-wider.ts";
import type { InboxItem } from "../../compiler/serve/inbox-lines.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { readServed, servedText } from "../../compiler/serve/served-text.ts";
import { manifest, planned } from "../support/compiled.ts";

/** A pin that names more lets more through a condition: whoever compares two builds sees it, not `rolecall diff` alone. */

const satisfies = await schemaJudge();

const withArguments = (...names: string[]) =>
  planned({
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [node, files.mjs] }] }\n",
    "mcp/manifests/files.json": manifest({ name: "write", arguments: names }),
    "mcp/roles.yaml": `roles:
  writer: { tools: { files: { include: [write], where: { write: { path: { enum: [a] } } } } } }
`,
  }).plan;
const [before, after] = [withArguments("path"), withArguments("path", "force")];

const OPENED = {
  direction: "widens",
  kind: "condition",
  role: "writer",
  tool: "write",
  openings: [{ argument: "force" }],
};

test("`verify --no-new-access`, with a call that passes now", () => {
  const base = { name: "HEAD", access: comparedAccess(before), plan: before };
  expect(widensNothing(base, after, comparedAccess(after), satisfies)).toMatchObject({
    verdict: "fails",
    against: [{ change: OPENED, example: { path: "a", force: "x" } }],
  });
  const back = { name: "HEAD", access: comparedAccess(after), plan: after };
  expect(widensNothing(back, before, comparedAccess(before), satisfies).verdict).toBe("holds");
});

test("`verify --no-new-access`, where the access.json of the base is all that is known: nobody can tell", () => {
  const base = { name: "HEAD", access: comparedAccess(before), plan: undefined };
  expect(widensNothing(base, after, comparedAccess(after), satisfies).verdict).toBe("unknown");
});

test("a build that would be served, beside the one that was accepted and kept: the person is told", async () => {
  let shown: InboxItem | undefined;
  const inbox = openInbox({ holdMs: 1_000, now: Date.now });
  inbox.attend({ hear: (item) => (shown = item) });
  const built = (plan: typeof before) => ({ served: servePlan(plan), lookedAt: undefined });
  const accepted = readServed(servedText(servePlan(before)));
  const builds = openBuilds({
    accepted: {
      read: () => accepted,
      standing: () => undefined,
      isWhollyKnown: () => true,
      keep: () => {},
      ways: () => undefined,
      keepWays: () => {},
    },
    waysOf: async () => new Map(),
    inbox,
    isThere: () => true,
    serve: () => {},
    said: () => {},
  });
  const served = await builds.take(built(after));
  inbox.close();
  expect(servedText(served)).toBe(servedText(servePlan(before)));
  expect(askPage(shown!, Date.now(), false)).toMatch(/writer files write: condition .*; more may pass for \["force"\]/);
});
