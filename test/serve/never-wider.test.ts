import { expect, test } from "vitest";
import { openBuilds, type Builds } from "../../compiler/cli/serve/builds.ts";
import { fitHosts } from "../../compiler/4-fit/fit.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { openInbox, type Inbox } from "../../compiler/io/serve/inbox.ts";
import type { BuildItem } from "../../compiler/serve/inbox-lines.ts";
import { offeredTo } from "../../compiler/serve/offered.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { readServed, servedText } from "../../compiler/serve/served-text.ts";
import type { Served } from "../../compiler/serve/types.ts";
import { hintsTold } from "../../compiler/serve/told-tool.ts";
import type { ArgumentRule, RoleData } from "../../runtime/contract.ts";
import { manifest, planned } from "../support/compiled.ts";
import { diceOf, tapes, type Dice } from "../support/dice.ts";
import { fc } from "../support/generated.ts";

/**
 * Builds, answers and new starts in any order: what is served is never more than what somebody said yes to, less all that
 * builds took away since, and a question names all that a yes to it gives.
 */

const RUNS = 40 * Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);

/** The last stands for all that no condition lists. */
const VALUES = ["a", "b", "c"];

const anyBuild = (dice: Dice): Built => {
  const tools = dice.sample(["drop", "read", "more"], 1 + dice.below(3));
  const asked = dice.sample(tools, dice.below(2));
  const values = dice.sample(["x", "y"], dice.below(3)).map((name) => {
    return `${name}: { enum: [${dice.sample(VALUES.slice(0, -1), 1 + dice.below(2)).join()}] }`;
  });
  const where = tools.includes("drop") && values.length > 0 ? `, where: { drop: { ${values.join()} } }` : "";
  const hints = dice.chance(50) ? `, hints: { drop: { ${dice.one(["readOnly: true", "idempotent: true"])} } }` : "";
  const globs = dice.sample(["s://x/**", "s://y/**"], dice.below(3)).map((one) => `"${one}"`);
  const keys = dice.chance(80)
    ? JSON.stringify({ keys: dice.sample(["k", "l"], dice.below(3)).map((kid) => ({ kid })) })
    : undefined;
  const auth = dice.one([
    "",
    ", auth: { tokens: { tester: '${A}', lead: '${B}' } }",
    ", auth: { tokens: { tester: '${A}' } }",
    ", auth: { issuer: 'https://a.example', audience: x, jwks: keys.json }",
    ", auth: { issuer: 'https://a.example', audience: y, jwks: keys.json }",
    ", auth: { issuer: 'https://b.example', audience: x, jwks: keys.json }",
    ", auth: { issuer: 'https://a.example' }",
  ]);
  const members = dice.one([
    "",
    ", members: { kit: { role: tester } }",
    ", members: { kit: { role: lead }, mo: { role: lead } }",
  ]);
  const approvers = dice.one(["terminal", "terminal, page", "page, program"]);
  return built({
    "rolecall.yaml": `version: 1
project: test
serve: { hosts: [${dice.sample(["g.example", "h.example"], 1 + dice.below(2)).join()}], approvers: [${approvers}], url: 'https://${dice.one(["u", "v"])}.example', record: ${dice.one(["a", "b"])}.jsonl${auth} }
state: { name: squad, decisions: ${dice.one(["d", "e"])}.md${members} }
hosts: [{ id: codex, via: serve${dice.one(["", ", without: [s]"])} }]
`,
    "mcp/servers.yaml": `servers: { s: { connect: [{ stdio: [s] }]${hints} } }\n`,
    "mcp/manifests/s.json": manifest("read", { name: "drop", arguments: ["x", "y"] }, "more"),
    "mcp/roles.yaml": `roles:
  lead: {}
  tester:
    tools: { s: { include: [${tools.join()}]${asked.length > 0 ? `, ask: [${asked.join()}]` : ""}${where} } }
    resources: { s: [${globs.join()}] }
`
      .replace("tools: { s: { include: [] } }", "tools: { s: none }")
      .replace("    resources: { s: [] }\n", ""),
    ...(keys !== undefined && { "keys.json": keys }),
  });
};

function built(files: Readonly<Record<string, string>>) {
  const { plan, locate } = planned(files);
  return { lookedAt: undefined, served: servePlan(plan, fitHosts(plan, allHosts([]))), plan, locate };
}
type Built = ReturnType<typeof built>;

/** All that is open, each a text that means nothing but itself. */
function openIn(served: Served): Set<string> {
  const { roles, settings, state } = served;
  const role = roles.get("tester");
  const atoms: string[] = [];
  if (role !== undefined) {
    const { servers } = JSON.parse(role.data) as RoleData;
    const { tools = {}, where = {}, resources } = servers["s"] ?? {};
    const onCodex = offeredTo(served, { role: "tester", server: undefined, host: "codex" });
    for (const { server, tool, name, told } of role.tools) {
      if (server !== "s") continue;
      const of = [tool, ...("refused" in onCodex || !onCodex.tools.has(name) ? [] : [`${tool} on codex`])];
      const rules = Object.entries(where[tool] ?? {}).map(([argument, one]) => ({
        argument,
        conditions: [one].flat(),
      }));
      for (const one of of)
        for (const call of callsBy(rules))
          atoms.push(`${one} ${call} asked`, ...(tools[tool] === "allow" ? [`${one} ${call} free`] : []));
      const { readOnly, idempotent } = hintsTold(told);
      atoms.push(...(readOnly ? [`${tool} only reads`] : []), ...(idempotent ? [`${tool} is sent again`] : []));
    }
    if (role.reads.includes("s")) atoms.push(...(resources?.include ?? []));
  }
  const { auth, hosts, url } = settings.http;
  if (auth === undefined) atoms.push("token of its own");
  else if ("tokens" in auth) atoms.push(...auth.tokens.map((one) => `token ${String(one)}`));
  else {
    const of = `${auth.issuer} ${auth.audience ?? url}`;
    const keys = typeof auth.keys === "string" ? (JSON.parse(auth.keys) as { keys: { kid: string }[] }).keys : [];
    atoms.push(`from ${of}`, ...keys.map(({ kid }) => `key ${kid}`));
  }
  atoms.push(...hosts, ...(url === undefined ? [] : [url]), ...settings.approvers);
  if (!state!.closed.includes("decisions")) atoms.push(state!.decisions);
  atoms.push(...state!.members.map(({ name, role }) => `${name}: ${role}`));
  return new Set(atoms);
}

/** The same of tools, as what is left of them is kept: what builds give is compared with it. */
function givenIn({ roles }: Served["access"]): string[] {
  const held = roles.find(({ name }) => name === "tester")?.servers.find(({ name }) => name === "s");
  return (held?.tools ?? []).flatMap(({ name, effect, where }) =>
    callsBy(where).flatMap((one) => [`${name} ${one} asked`, ...(effect === "allow" ? [`${name} ${one} free`] : [])]),
  );
}

/** Whether a question names what is open by a yes to it. */
function isNamed({ changes, settings, hosts }: BuildItem, atom: string): boolean {
  const [what = ""] = atom.split(" ");
  const isChanged = (...kinds: readonly string[]): boolean =>
    changes.some(({ kind, tool }) => tool === what && kinds.includes(String(kind)));
  const isSet = (keys: RegExp): boolean => settings.some(({ key }) => keys.test(String(key)));
  const isGiven = hosts.some(({ tools }) => (tools as readonly string[]).includes(`s.${what}`));
  if (/ on codex .*(asked|free)$/.test(atom) && isGiven) return true;
  if (atom.endsWith(" asked")) return isChanged("tool", "condition");
  if (atom.endsWith(" free")) return isChanged("tool", "condition", "effect");
  if (/ (only reads|is sent again)$/.test(atom)) return isChanged("tool", "definition");
  if (what.startsWith("s:")) return changes.some(({ after }) => JSON.stringify(after ?? null).includes(atom));
  if (what === "key") return isSet(/^serve\.auth\.(issuer|jwks)$/);
  if (what === "from" || what === "token") return isSet(/^serve\.(auth\.|url$)/);
  return settings.some(({ before, after }) => [after].flat().includes(atom) && ![before].flat().includes(atom));
}

/** With these values of `x` and `y`. */
function callsBy(rules: readonly ArgumentRule[]): string[] {
  const [xs, ys] = ["x", "y"].map((name) => {
    const conditions = rules.flatMap((rule) => (rule.argument === name ? rule.conditions : []));
    return VALUES.filter((value) => conditions.every((by) => by.enum!.includes(value)));
  });
  return xs!.flatMap((x) => ys!.map((y) => `${x}${y}`));
}

/** What lies on disk and outlives a process. */
function machine() {
  let text: string | undefined;
  let known: Served | undefined;
  return {
    kept: () => known,
    open(serve: (served: Served) => void): { readonly builds: Builds; readonly inbox: Inbox } {
      const inbox = openInbox({ holdMs: 1_000, now: Date.now });
      known = text === undefined ? undefined : readServed(text)!;
      const builds = openBuilds({
        accepted: {
          read: () => known,
          standing: () => undefined,
          keep: ({ served }) => {
            text = servedText(served);
            known = served;
          },
          isWhollyKnown: () => true,
          ways: () => undefined,
          keepWays: () => {},
        },
        waysOf: async () => new Map(),
        inbox,
        isThere: () => true,
        serve,
        said: () => {},
      });
      return { builds, inbox };
    },
  };
}

/** Of what may be open, what is when a build gives this and nobody can judge it: only its access.json is known. */
function leftBeside(may: ReadonlySet<string>, given: ReadonlySet<string>): Set<string> {
  return new Set([...may].filter((one) => !isOfAccess(one) || given.has(one.replace(" on codex", ""))));
}

function isOfAccess(atom: string): boolean {
  return /^(s:|.* (asked|free)$)/.test(atom);
}

const STEPS = ["build", "build", "build", "back", "again", "unjudged", "yes", "no", "restart"] as const;

async function held(tape: readonly number[]): Promise<void> {
  const dice = diceOf(tape);
  const { open, kept } = machine();
  let served: Served | undefined;
  let { builds, inbox } = open((now) => (served = now));
  let now = anyBuild(dice);
  const past = [now];
  let [may, record] = [openIn(now.served), now.served.settings.record];
  served = await builds.take(now);
  builds.begun();
  for (let step = 0; step < 12; step++) {
    const what = dice.one(STEPS);
    if (what === "build" || what === "back") {
      now = what === "build" ? anyBuild(dice) : dice.one(past);
      past.push(now);
    }
    const [waits] = inbox.waiting();
    if (what === "unjudged") {
      const given = dice.one([now, anyBuild(dice)]).served;
      served = await builds.takeAway([given.access], dice.chance(50));
      may = leftBeside(may, openIn(given));
    } else if (what === "yes" || what === "no") {
      if (waits === undefined) continue;
      expect(inbox.answer({ id: waits.id, hash: waits.hash, yes: what === "yes", by: "kit" })).toBeUndefined();
      if (what === "yes") [may, record] = [openIn(now.served), now.served.settings.record];
    } else {
      if (what === "restart") ({ builds, inbox } = open((one) => (served = one)));
      const hash = waits?.hash;
      served = await builds.take(now);
      const all = openIn(now.served);
      may = new Set([...may].filter((one) => all.has(one)));
      const gained = [...all].filter((one) => !may.has(one));
      const opens = gained.length > 0 || record !== now.served.settings.record;
      // Nobody is asked without a reason, nor twice in other words.
      expect([opens, builds.standing === "counts"]).toEqual([opens, !opens]);
      if (!opens) record = now.served.settings.record;
      const [asked] = inbox.waiting() as readonly BuildItem[];
      if (asked !== undefined) expect(gained.filter((one) => !isNamed(asked, one))).toEqual([]);
      if (what === "again" && hash !== undefined)
        expect({ ...inbox.waiting()[0], id: "" }).toEqual({ ...waits, id: "" });
    }
    expect([...openIn(served!)].filter((one) => !may.has(one))).toEqual([]);
    expect(givenIn((kept()!.left ?? kept()!).access).filter((one) => !may.has(one))).toEqual([]);
    expect(served!.settings.record).toBe(record);
    if (builds.standing === "counts") expect(openIn(served!)).toEqual(openIn(now.served));
  }
}

test("nothing is open that wasn't said yes to, or was taken away since", async () => {
  await fc.assert(fc.asyncProperty(tapes(400), held), {
    numRuns: RUNS,
    endOnFailure: true,
    interruptAfterTimeLimit: 100_000,
  });
}, 120_000);

test("what was taken away comes back by a yes alone, though that build opened something too", async () => {
  const giving = (tools: string): Built =>
    built({
      "rolecall.yaml": "version: 1\nproject: test\n",
      "mcp/servers.yaml": "servers: { s: { connect: [{ stdio: [s] }] } }\n",
      "mcp/manifests/s.json": manifest("read", "drop", "more"),
      "mcp/roles.yaml": `roles: { tester: { tools: { s: [${tools}] } } }\n`,
    });
  const { open, kept } = machine();
  const { builds } = open(() => {});
  await builds.take(giving("read, drop"));
  builds.begun();
  await builds.take(giving("read, more"));
  expect(kept()?.left).toBeDefined();
  expect(readServed(servedText(kept()!))).toEqual(kept());
  for (const now of [builds, open(() => {}).builds]) {
    const served = await now.take(giving("read, drop"));
    expect([now.standing, served.roles.get("tester")!.tools.map(({ tool }) => tool)]).toEqual(["waits", ["read"]]);
  }
});
