import { describe, expect, test } from "vitest";
import { fitHosts } from "../../compiler/4-fit/fit.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { asFarAsKnown, ownSettings } from "../../compiler/diff/own-settings.ts";
import { callsNothing } from "../../compiler/serve/calls-nothing.ts";
import { offeredTo } from "../../compiler/serve/offered.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { takeAway, takeOver } from "../../compiler/serve/take-over.ts";
import { manifest, planned } from "../support/compiled.ts";

/** What of a build waits for a person, who was asked of `rolecall serve` and never of what stands behind it. */

const served = (serve: string, resources = "") =>
  servePlan(
    planned({
      "rolecall.yaml": `version: 1\nproject: test\nserve: { ${serve} }\n`,
      "mcp/servers.yaml":
        'servers:\n  files: { connect: [{ http: "${URL}", headers: { Authorization: "Bearer ${TOK}" } }] }\n',
      "mcp/manifests/files.json": manifest("read"),
      "mcp/roles.yaml": `roles:\n  reader: { tools: { files: [read] }${resources} }\n`,
    }).plan,
  );

test("another file for the variables of servers waits", () => {
  const [before, after] = [served("idle: 5s"), served("idle: 5s, env: team.env")];
  const { served: now, reconnected, settings } = takeOver(before, after, () => false);
  expect([now, reconnected, settings]).toEqual([before, [], [{ key: "serve.env", before: ".env", after: "team.env" }]]);
});

test("how long the daemon waits isn't", () => {
  const after = served("idle: 6s");
  expect(takeOver(served("idle: 5s"), after, () => false)).toMatchObject({ served: after, reconnected: [] });
});

test("what the project is called is told at once, while the rest waits: entries say it", () => {
  const [before, after] = [served("idle: 5s"), { ...served("idle: 5s, env: team.env"), project: "renamed" }];
  const { served: now, settings } = takeOver(before, after, () => false);
  expect([now, settings.length]).toEqual([{ ...before, project: "renamed" }, 1]);
  const come = (project: string) => offeredTo(now, { role: "reader", server: undefined, host: undefined, project });
  expect([come("renamed"), come("test")].map((one) => "refused" in one)).toEqual([false, true]);
});

test("other keys in the file of the issuer's wait, and until then those count that were accepted", () => {
  const planWith = (keys: string) =>
    planned({
      "rolecall.yaml":
        "version: 1\nproject: test\nserve: { auth: { issuer: 'https://a.example', audience: x, jwks: ./keys.json } }\n",
      "mcp/roles.yaml": "servers: { s: { connect: [{ stdio: [s] }] } }\nroles: { r: { tools: { s: none } } }\n",
      "keys.json": keys,
    }).plan;
  const plans = [planWith('{"keys":[]}'), planWith('{"keys":[{}]}')] as const;
  const told = plans.map(({ project, roles }) => ownSettings(project, roles)[0]?.settings["auth.jwks"]);
  expect(new Set(told).size).toBe(2);
  const commits = (known: readonly number[]) => {
    const settings = plans.map(({ project, roles }, i) => {
      const { http } = project.serve;
      const auth = known.includes(i) ? http.auth : { ...http.auth!, keys: undefined };
      const serve = { ...project.serve, http: { ...http, auth } } as typeof project.serve;
      return ownSettings({ ...project, serve }, roles)[0]!;
    });
    return asFarAsKnown(settings[0], settings[1]).map((one) => one?.settings["auth.jwks"]);
  };
  expect([new Set(commits([0, 1])).size, commits([0]), commits([1])]).toEqual([
    2,
    ["./keys.json", "./keys.json"],
    ["./keys.json", "./keys.json"],
  ]);
  const [before, after] = [servePlan(plans[0]), servePlan(plans[1])];
  const { served: now, settings } = takeOver(before, after, () => false);
  expect([settings.map(({ key }) => key), now.settings.http.auth]).toEqual([
    ["serve.auth.jwks"],
    expect.objectContaining({ keys: '{"keys":[]}' }),
  ]);
  const { http } = before.settings;
  const auth = { ...http.auth!, keys: undefined } as typeof http.auth;
  const ofOlder = { ...before, settings: { ...before.settings, http: { ...http, auth } } };
  expect(takeOver(ofOlder, after, () => false)).toMatchObject({ served: after, settings: [] });
});

test.each([
  ["is read only", "hints: { drop: { readOnly: true } }"],
  ["may be repeated", "hints: { drop: { idempotent: true } }"],
  ["destroys nothing", "hints: { drop: { destructive: false } }"],
  ["has a label", "labels: { untrusted-content: [drop] }"],
])("that a tool %s waits, and no client is told of it until then", (_, more) => {
  const built = (words: string) =>
    servePlan(
      planned({
        "rolecall.yaml": "version: 1\nproject: test\n",
        "mcp/servers.yaml": `servers:\n  files: { connect: [{ stdio: [files] }], ${words} }\n`,
        "mcp/manifests/files.json": manifest("drop"),
        "mcp/roles.yaml": "roles: { reader: { tools: { files: [drop] } }, other: { tools: { files: [drop] } } }\n",
      }).plan,
    );
  const [before, after] = [built("owner: kit"), built(more)];
  const { served: now, waiting } = takeOver(before, after, () => false);
  expect(now).toBe(before);
  expect(waiting.map(({ role, kind, direction, tool }) => [role, kind, direction, tool])).toEqual(
    ["other", "reader"].map((role) => [role, "definition", "changed", "drop"]),
  );
  expect(takeOver(after, after, () => false).waiting).toEqual([]);
});

test("where a tool is defined anew, or pinned, its other hints are told beside that", () => {
  const built = (description: string | undefined, words: string) =>
    servePlan(
      planned({
        "rolecall.yaml": "version: 1\nproject: test\n",
        "mcp/servers.yaml": `servers:\n  files: { connect: [{ stdio: [files] }], ${words} }\n`,
        ...(description !== undefined && { "mcp/manifests/files.json": manifest({ name: "drop", description }) }),
        "mcp/roles.yaml": "roles: { reader: { tools: { files: [drop] } } }\n",
      }).plan,
    );
  const read = "hints: { drop: { readOnly: true } }";
  const waiting = (words: string) => takeOver(built("a", "owner: kit"), built("b", words), () => false).waiting;
  expect(waiting("owner: kit")).toHaveLength(1);
  const [definition, words] = waiting(read);
  expect([definition?.after, words?.after]).toEqual([
    expect.stringMatching(/^sha256:/),
    expect.stringContaining('"readOnly":true'),
  ]);
  expect(takeOver(built(undefined, "owner: kit"), built("a", read), () => false).waiting).toEqual([
    expect.objectContaining({ before: null, after: expect.stringMatching(/^sha256:/) }),
    expect.objectContaining({ after: expect.stringContaining('"readOnly":true') }),
  ]);
});

describe("what a host is kept from", () => {
  const built = (hosts: string): ReturnType<typeof servePlan> => {
    const { plan } = planned({
      "rolecall.yaml": `version: 1\nproject: test\nhosts: [${hosts}]\n`,
      "mcp/servers.yaml": "servers: { a: { connect: [{ stdio: [a] }] }, s: { connect: [{ stdio: [s] }] } }\n",
      "mcp/manifests/a.json": manifest("read"),
      "mcp/manifests/s.json": manifest("drop"),
      "mcp/roles.yaml": "roles: { r: { tools: { a: [read], s: [drop] } }, q: { tools: { a: [read] } } }\n",
    });
    return servePlan(plan, fitHosts(plan, allHosts([])));
  };
  const listOf = (served: ReturnType<typeof servePlan>, host: string | undefined, role = "r") => {
    const offered = offeredTo(served, { role, server: undefined, host });
    return "refused" in offered ? offered.refused.says : [...offered.tools.keys()];
  };
  const without = built("{ id: claude-code, via: serve, without: [s] }");
  const whole = built("{ id: claude-code, via: serve }");

  test("comes open with a yes alone", () => {
    const { served: now, hosts } = takeOver(without, whole, () => false);
    expect([hosts, listOf(now, "claude-code")]).toEqual([
      [{ host: "claude-code", role: "r", tools: ["s.drop"], reads: [] }],
      ["a__read"],
    ]);
    // Else each client would be told that its list is another.
    expect(now).toBe(without);
    expect(listOf(whole, "claude-code")).toEqual(["a__read", "s__drop"]);
  });

  test("closes at once, beside what waits as well", () => {
    expect(takeOver(whole, without, () => false)).toMatchObject({ served: without, hosts: [] });
    const both = built("{ id: claude-code, via: serve, without: [s] }, { id: codex, via: serve }");
    const { served: now, hosts } = takeOver(whole, both, () => false);
    expect(hosts.map(({ host, role }) => [host, role])).toEqual([
      ["codex", "q"],
      ["codex", "r"],
    ]);
    expect(listOf(now, "claude-code")).toEqual(["a__read"]);
    expect(listOf(now, "codex")).toContain("the project has no host `codex`");
  });

  test("stays closed when the host is gone, and to a name that nobody knows", () => {
    const { served: now } = takeOver(without, built("{ id: codex, via: serve, without: [s] }"), () => false);
    for (const host of ["claude-code", "claude-cod", "__proto__", ""])
      expect(listOf(now, host)).toContain("the project has no host");
    expect(listOf(without, "claude-cod")).toContain("the nearest name is `claude-code`");
    expect(listOf(without, undefined)).toEqual(["a__read", "s__drop"]);
  });

  const partly = (rule: string, more = "", host = "codex"): ReturnType<typeof servePlan> => {
    const { plan } = planned({
      "rolecall.yaml": `version: 1\nproject: test\nhosts: [{ id: ${host}, whenUnenforceable: gateway }]\n`,
      "mcp/servers.yaml": "servers: { a: { connect: [{ stdio: [a] }] } }\n",
      "mcp/manifests/a.json": manifest("read", { name: "drop", arguments: ["x"] }, "more"),
      "mcp/roles.yaml": `roles: { r: { tools: { a: { include: [read, drop${more}]${rule} } } } }\n`,
    });
    return servePlan(plan, fitHosts(plan, allHosts([])));
  };
  const WHERE = ", where: { drop: { x: { enum: [one] } } }";

  test("isn't what it had itself, and has behind the gateway now that it is restricted", () => {
    const [open, restricted] = [partly(""), partly(WHERE)];
    expect([listOf(open, "codex"), listOf(restricted, "codex")]).toEqual([[], ["a__drop"]]);
    expect(takeOver(open, restricted, () => false)).toMatchObject({ served: restricted, hosts: [] });
  });

  test("isn't that, beside what waits as well: such a tool is closed as any that is restricted, another one is there", () => {
    const { served: now, hosts, waiting } = takeOver(partly(""), partly(WHERE, ", more"), () => false);
    expect([hosts, waiting.map(({ tool }) => tool), listOf(now, "codex")]).toEqual([[], ["more"], []]);
    const whole = built("{ id: claude-code, without: [s] }");
    const waits = takeOver(
      whole,
      built("{ id: claude-code, via: serve, without: [s] }, { id: codex, via: serve }"),
      () => false,
    );
    expect([waits.hosts.map(({ host }) => host), listOf(waits.served, "claude-code")]).toEqual([
      ["codex", "codex"],
      ["a__read"],
    ]);
  });

  test("is what it never had, whichever way it comes", () => {
    const without = (how: string) => built(`{ id: claude-code${how}, without: [s] }`);
    const { hosts } = takeOver(without(""), built("{ id: claude-code, via: serve }"), () => false);
    expect(hosts).toMatchObject([{ host: "claude-code", tools: ["s.drop"] }]);
    const leftOut = built("{ id: cursor, role: r, without: [s] }");
    expect(
      takeOver(leftOut, built("{ id: cursor, role: r, whenUnenforceable: gateway }"), () => false).hosts,
    ).toMatchObject([{ host: "cursor", tools: ["s.drop"] }]);
  });

  test("is kept from an entry of a host that is told of servers themselves, too", () => {
    const served = built("{ id: claude-code, without: [s] }, { id: gemini-cli, role: q }");
    expect(listOf(served, "claude-code")).toEqual(["a__read"]);
    expect(listOf(served, "gemini-cli")).toContain("isn't given role");
    expect(listOf(served, "gemini-cli", "q")).toEqual(["a__read"]);
  });
});

test.each([
  ["whose tokens count", "auth: { issuer: 'https://a.example' }", ["auth.issuer", "auth.rolesClaim"]],
  ["one more name", "hosts: [a.example, b.example]", ["hosts"]],
  ["another address", "url: 'https://a.example'", ["url"]],
  ["rates that aren't shared any more, or elsewhere", 'limits: "${REDIS_URL}"', ["limits"]],
  ["a key, by which others' yes counts", 'limits: "${REDIS_URL}", key: "${ROLECALL_KEY}"', ["limits", "key"]],
])("over HTTP %s waits", (_, now, keys) => {
  const before = served("hosts: [a.example]");
  const taken = takeOver(before, served(now.startsWith("hosts") ? now : `hosts: [a.example], ${now}`), () => false);
  expect(taken.settings.map(({ key }) => key)).toEqual(keys.map((key) => `serve.${key}`));
  const left = now.startsWith("auth") ? { tokens: [] } : undefined;
  expect(taken.served.settings.http).toEqual({ ...before.settings.http, auth: left });
});

test("over HTTP a name less doesn't", () => {
  const after = served("hosts: [a.example]");
  expect(takeOver(served("hosts: [a.example, b.example]"), after, () => false)).toMatchObject({
    served: after,
    settings: [],
  });
});

test("an address that may be read waits; one that may not any more closes the server's, until somebody has looked", () => {
  const reading = (globs: string) => served("idle: 5s", `, resources: { files: ${globs} }`);
  const [none, narrow, wide] = [served("idle: 5s"), reading('["a://x/**"]'), reading('["a://x/**", "b://**"]')];
  const reads = (one: typeof none): readonly string[] => one.roles.get("reader")!.reads;
  expect(takeOver(none, narrow, () => false)).toMatchObject({ served: none, waiting: [{ kind: "resource" }] });
  expect(takeOver(wide, narrow, () => false)).toMatchObject({ served: narrow, waiting: [] });
  expect(reads(narrow)).toEqual(["files"]);
  const other = takeOver(wide, reading('["a://x/**", "c://**"]'), () => false);
  expect(other.waiting).toMatchObject([{ kind: "resource", after: { include: "c://**" } }]);
  expect(reads(other.served)).toEqual([]);
});

describe("a tool", () => {
  const READS = ', resources: { a: ["a://x/**"] }';
  const held = (tools: string, role = "r", resources = "") =>
    servePlan(
      planned({
        "rolecall.yaml": "version: 1\nproject: test\n",
        "mcp/servers.yaml": "servers: { a: { connect: [{ stdio: [a] }] } }\n",
        "mcp/manifests/a.json": manifest("read", { name: "drop", arguments: ["x"] }, "more"),
        "mcp/roles.yaml": `roles: { ${role}: { tools: { a: { ${tools} } }${resources} } }\n`,
      }).plan,
    );
  const where = (...values: string[]): string => `include: [read, drop], where: { drop: { x: { enum: [${values}] } } }`;
  const before = held(where("one", "two"), "r", READS);
  const open = (now: typeof before): readonly string[] => [
    ...(now.roles.get("r")?.tools ?? []).map(({ tool }) => tool),
    ...(now.roles.get("r")?.reads ?? []),
  ];

  test("whose condition lets less through, and more, is closed until somebody has looked", () => {
    const { served, waiting } = takeOver(before, held(where("two", "three"), "r", READS), isNone);
    expect([open(served), waiting.map(({ tool }) => tool)]).toEqual([["read", "a"], ["drop"]]);
  });

  test.each<[what: string, left: readonly string[], now: typeof before]>([
    [
      "isn't given any more",
      ["drop", "a"],
      held("include: [drop], where: { drop: { x: { enum: [one, two] } } }", "r", READS),
    ],
    ["lets less through", ["read", "a"], held(where("one"), "r", READS)],
    ["lets other things through", ["read", "a"], held(where("three"), "r", READS)],
    ["is asked", ["drop", "a"], held(`${where("one", "two")}, ask: [read]`, "r", READS)],
    ["is beside what is read no more", ["drop", "read"], held(where("one", "two"))],
    ["is a role's that is gone", [], held(where("one", "two"), "other")],
  ])("of a build that can't be judged, which %s, is closed at once", (_, left, { access }) => {
    const now = takeAway(before, access, isNone);
    expect([...open(now)].toSorted()).toEqual([...left].toSorted());
    expect([...now.roles.keys(), now.access]).toEqual(["r", before.access]);
  });

  test("of such a build that only opens is as it was, and nothing is called where nothing of it can be read", () => {
    const more = held("include: [read, drop, more]", "r", READS);
    expect(takeAway(before, more.access, isNone)).toBe(before);
    expect(takeAway(before, before.access, isNone)).toBe(before);
    expect(callsNothing(before)).toEqual({ ...before, waits: new Set(["a"]), isUnread: true });
  });
});

function isNone(): boolean {
  return false;
}
