import { expect, test } from "vitest";
import { askPage, moreAbout } from "../../compiler/cli/asks/page.ts";
import { judged } from "../../compiler/cli/serve/judged.ts";
import { openBuilds } from "../../compiler/cli/serve/builds.ts";
import { fitHosts } from "../../compiler/4-fit/fit.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { openInbox } from "../../compiler/io/serve/inbox.ts";
import type { InboxItem } from "../../compiler/serve/inbox-lines.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { manifest, planned } from "../support/compiled.ts";

/** Who says yes to a build reads who is given more of what, and by which line, as `rolecall diff` says it. */

const all = ["read", "list", "drop", "more"].map((name) => ({ name, arguments: ["path"] }));
const built = (roles: string, hosts = "", servers = "") => {
  const { plan, locate } = planned({
    "rolecall.yaml": `version: 1\nproject: test\n${hosts}`,
    "mcp/servers.yaml": `servers:\n  files: { connect: [{ stdio: [files] }] }\n${servers}`,
    "mcp/manifests/files.json": manifest(...all),
    "mcp/roles.yaml": `roles:\n${roles}`,
  });
  return { served: servePlan(plan, fitHosts(plan, allHosts([]))), plan, locate };
};
const WHERE = (values: string): string => `, where: { drop: { path: { enum: [${values}] } } }`;
const before = built(`  tester: { tools: { files: { include: [read, drop]${WHERE("a")} } } }\n  reader: {}\n`);

const saysOf = async (now: ReturnType<typeof built>): Promise<readonly string[]> =>
  (await judged(before.served, now.served, [], now)).says;

test("who gains which tools, on which conditions, and by which line", async () => {
  const now = built(
    `  tester: { tools: { files: { include: [read, list, drop]${WHERE("a, b")} } } }\n  reader: { tools: { files: [drop, more] } }\n`,
  );
  expect(await saysOf(now)).toEqual([
    "reader",
    "  + files.drop (without a yes; name says it deletes)",
    "      allowed now, for example: drop {}",
    "      by include `drop` at mcp/roles.yaml:3",
    "  + files.more (without a yes; unknown if it writes)",
    "      by include `more` at mcp/roles.yaml:3",
    "tester",
    "  + files.drop: looser condition",
    '      before: path must be "a"',
    '      now: path must be one of "a", "b"',
    '      allowed now, for example: drop {"path":"b"}',
    "      by the condition on `drop` at mcp/roles.yaml:2",
    "  + files.list (without a yes; unknown if it writes)",
    "      allowed now, for example: list {}",
    "      by include `list` at mcp/roles.yaml:2",
  ]);
});

test("what waits beside it, and nothing of what it takes away", async () => {
  const now = built("  tester: { tools: { files: [list] } }\n  reader: {}\n  other: {}\n");
  expect(await saysOf(now)).toEqual([
    "other",
    "  ~ is new, and holds nothing",
    "      at mcp/roles.yaml:4",
    "tester",
    "  + files.list (without a yes; unknown if it writes)",
    "      allowed now, for example: list {}",
    "      by include `list` at mcp/roles.yaml:2",
  ]);
});

test("the person is shown it, with whose host is given what", async () => {
  let shown: InboxItem | undefined;
  const inbox = openInbox({ holdMs: 1_000, now: Date.now });
  inbox.attend({ hear: (item) => (shown = item) });
  const hosts = (without: string): string => `hosts: [{ id: codex, via: serve${without} }]\n`;
  const roles = "  tester: { tools: { files: [read, drop] } }\n";
  const accepted = built(roles, hosts(", without: [files]")).served;
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
  const now = built(`${roles}  reader: { tools: { files: [list] } }\n`, hosts(""));
  await builds.take({ lookedAt: undefined, ...now });
  inbox.close();
  expect(shown).toMatchObject({
    hosts: [{ host: "codex", role: "tester", tools: ["files.drop", "files.read"], reads: [] }],
  });
  const page = [
    "",
    "a build opens something; until your yes only what it takes away counts",
    "  reader",
    "    + files.list (without a yes; unknown if it writes)",
    "        allowed now, for example: list {}",
    "        by include `list` at mcp/roles.yaml:3",
    "  host codex: tester may call files.drop, files.read there",
    `  ${shown!.id}`,
    "",
  ];
  expect(askPage(shown!, 0, false)).toBe(page.join("\n"));
  expect(askPage(shown!, 0, true)).toBe(page.join("\n"));
  expect(moreAbout(shown!)).toBe("`rolecall diff` says more");
});

test("a tool that is defined anew and has other hints as well: both are told", async () => {
  const one = (description: string, hints: string) => {
    const { plan, locate } = planned({
      "rolecall.yaml": "version: 1\nproject: test\n",
      "mcp/servers.yaml": `servers:\n  files: { connect: [{ stdio: [files] }]${hints} }\n`,
      "mcp/manifests/files.json": manifest({ name: "drop", description }),
      "mcp/roles.yaml": "roles: { tester: { tools: { files: [drop] } }, reader: { tools: { files: [drop] } } }\n",
    });
    return { served: servePlan(plan), plan, locate };
  };
  const [was, now] = [one("a", ""), one("b", ", hints: { drop: { readOnly: true } }")];
  const { says } = await judged(was.served, now.served, [], now);
  expect(says.filter((line) => !line.includes(" at "))).toEqual([
    "tools that changed",
    "  ~ files.drop isn't what it was",
    "      held by reader, tester",
    "  ~ files.drop changed: its hints or labels",
    "      it now counts as `readOnly`: true (before: false)",
    "      it now counts as `destructive`: false (before: true)",
    "      held by reader, tester",
  ]);
});
