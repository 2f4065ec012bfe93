import { describe, expect, test } from "vitest";
import { refusedMember } from "../../compiler/serve/offered.ts";
import { keysListed } from "../../compiler/diff/listed-keys.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { readServed, servedText } from "../../compiler/serve/served-text.ts";
import { takeOver } from "../../compiler/serve/take-over.ts";
import type { Served } from "../../compiler/serve/types.ts";
import { planned } from "../support/compiled.ts";

/** What a build says of `serve` and `state`: more than was accepted waits, and less counts at once, beside what waits too. */

const built = (settings: string, keys?: string): Served =>
  servePlan(
    planned({
      "rolecall.yaml": `version: 1\nproject: test\n${settings}\n`,
      "mcp/roles.yaml": "roles: { tester: { description: Tests. }, lead: {} }\n",
      ...(keys !== undefined && { "keys.json": keys }),
    }).plan,
  );
const taken = (was: Served, is: Served) => takeOver(was, is, () => false);
const keysOf = (was: Served, is: Served): string[] => taken(was, is).settings.map(({ key }) => key);

describe("the team's state", () => {
  const state = (more: string): Served => built(`state: { name: squad${more} }`);
  const members = (list: string): string => `, members: { ${list} }`;
  const kit = "kit: { role: tester }";

  test.each([
    ["its decisions", ", decisions: secrets.md", ["state.decisions"]],
    ["its backlog", ", backlog: secrets.md", ["state.backlog"]],
    ["its notes", ', history: "{name}.md"', ["state.history"]],
    ["a member more", members(`${kit}, mo: { role: lead }`), ["state.members"]],
    ["a member with another role", members("kit: { role: lead }"), ["state.members"]],
    ["another charter", members("kit: { role: tester, charter: other.md }"), ["state.members.charter"]],
  ])("waits with %s", (_, more, keys) => {
    const [before, after] = [state(members(kit)), state(more.includes("members") ? more : members(kit) + more)];
    expect(keysOf(before, after)).toEqual(keys);
    expect(taken(before, after).served.state?.members).toMatchObject(
      keys[0] === "state.members" && more.includes("kit: { role: lead }") ? [] : [{ name: "kit", role: "tester" }],
    );
  });

  test("is read no more where a build has it elsewhere, until a yes to that", () => {
    const { served } = taken(state(""), state(", decisions: other.md"));
    expect([served.state?.closed, served.state?.decisions]).toEqual([["decisions"], ".squad/decisions.md"]);
    expect(state("").state?.closed).toEqual([]);
  });

  test("has a member less at once, also beside what waits", () => {
    const [both, alone] = [members(`${kit}, mo: { role: lead }`), members(kit)];
    const less = state(alone);
    expect(taken(state(both), less)).toMatchObject({ served: less, settings: [] });
    const { served } = taken(state(both), state(`${alone}, backlog: other.md`));
    expect(served.state?.members.map(({ name }) => name)).toEqual(["kit"]);
    const asked = { role: "lead", member: "mo" };
    expect([refusedMember(state(both), asked), refusedMember(served, asked)]).toEqual([
      undefined,
      expect.objectContaining({ exit: 64 }),
    ]);
  });

  test("has a charter less without a question, and is asked for one that comes again", () => {
    const mo = "mo: { role: lead, charter: mo.md }";
    const [both, alone, without] = [`${kit}, ${mo}`, kit, `${kit}, mo: { role: lead }`].map((list) =>
      state(members(list)),
    );
    for (const less of [alone!, without!]) expect(taken(both!, less)).toMatchObject({ served: less, settings: [] });
    expect(keysOf(without!, both!)).toEqual(["state.members.charter"]);
    expect(keysOf(both!, state(members(`${kit}, ${mo.replace("mo.md", "other.md")}`)))).toEqual([
      "state.members.charter",
    ]);
  });

  test("isn't asked about by a project that writes none, nor by what an older rolecall accepted", () => {
    expect(keysOf(built(""), built("out: src/other"))).toEqual([]);
    const now = state(members(kit));
    const { state: _, ...older } = now;
    expect(taken({ ...older, state: undefined }, now)).toMatchObject({ served: now, settings: [] });
  });

  test("of what an older rolecall accepted is what a build says first, also of one that waits", () => {
    const first = state(members(kit));
    const older = { ...first, state: undefined, settings: { ...first.settings, record: "other.jsonl" } };
    const { kept, served, settings } = taken(older, first);
    expect([settings.map(({ key }) => key), served.state, kept?.state]).toEqual([
      ["serve.record"],
      first.state,
      first.state,
    ]);
    expect(taken(kept!, first).kept).toBeUndefined();
    expect(keysOf(kept!, state(`${members(kit)}, decisions: secrets.md`))).toEqual(["serve.record", "state.decisions"]);
  });

  test("is kept with what was accepted", () => {
    const one = state(members(kit));
    expect(readServed(servedText(one))?.state).toEqual(one.state);
  });
});

describe("what serves", () => {
  const serve = (more: string): Served => built(`serve: { ${more} }`);
  const WIDER = "command: [npx, rolecall], ";

  test.each([
    ["command: [sh, -c, evil]", ["serve.command"]],
    ["record: other.jsonl", ["serve.record"]],
    ["askTimeout: 60m", ["serve.askTimeout"]],
    ["approvers: [terminal, page, program]", ["serve.approvers"]],
    ["hosts: [a.example, b.example]", ["serve.hosts"]],
    ["env: team.env", ["serve.env"]],
    ["idle: 3s, askHold: 3s, prompt: true", []],
  ])("with %s", (more, keys) => {
    const one = "hosts: [a.example], idle: 5s";
    const two = `${more.includes("hosts") ? "" : "hosts: [a.example], "}${more.includes("idle") ? "" : "idle: 5s, "}${more}`;
    expect(keysOf(serve(one), serve(two))).toEqual(keys);
  });

  test.each<[what: string, was: string, is: string, left: object]>([
    ["who may answer", "approvers: [terminal, page]", "approvers: [page]", { approvers: ["page"] }],
    ["who may answer, if nobody is left", "approvers: [page]", "approvers: [terminal]", { approvers: [] }],
    ["a name of the door", "hosts: [a.example, b.example]", "hosts: [b.example]", { http: { hosts: ["b.example"] } }],
    [
      "a role's token",
      'auth: { tokens: { tester: "${A}", lead: "${B}" } }',
      'auth: { tokens: { lead: "${B}" } }',
      { http: { auth: { tokens: [["lead", "B"]] } } },
    ],
    [
      "a variable for another one",
      'auth: { tokens: { tester: "${A}", lead: "${B}" } }',
      'auth: { tokens: { tester: "${C}", lead: "${B}" } }',
      { http: { auth: { tokens: [["lead", "B"]] } } },
    ],
    [
      "an issuer for another one",
      "auth: { issuer: 'https://a.example', audience: x }",
      "auth: { issuer: 'https://b.example', audience: x }",
      { http: { auth: { tokens: [] } } },
    ],
    [
      "the address for which the issuer's tokens are",
      "auth: { issuer: 'https://a.example' }, url: 'https://x.example'",
      "auth: { issuer: 'https://a.example' }, url: 'https://y.example'",
      { http: { auth: { tokens: [] }, url: undefined } },
    ],
  ])("takes away %s at once, beside what waits", (_, was, is, left) => {
    expect(taken(serve(was), serve(WIDER + is)).served.settings).toMatchObject(left);
  });

  test.each([
    ["approvers", "terminal, page", "terminal", "terminal, page, program", ["terminal"]],
    ["hosts", "a.example, b.example", "b.example", "a.example, b.example, c.example", ["b.example"]],
    ["hosts", "a.example, b.example", "b.example", "b.example, c.example", ["a.example", "b.example"]],
  ])("says of %s what comes again beside what comes", (key, was, less, more, before) => {
    const { kept } = taken(serve(`${key}: [${was}]`), serve(`${WIDER}${key}: [${less}]`));
    const { settings } = taken(kept!, serve(`${key}: [${more}]`));
    expect(settings).toEqual([{ key: `serve.${key}`, before, after: more.split(", ").sort() }]);
  });

  test("is the very same beside what waits, where it isn't less", () => {
    const one = serve("approvers: [page], hosts: [a.example], auth: { issuer: 'https://a.example', audience: x }");
    expect(taken(one, { ...one, settings: { ...one.settings, command: ["other"] } }).served).toBe(one);
  });
});

describe("keys of an issuer in a file", () => {
  const AUTH = "serve: { auth: { issuer: 'https://a.example', audience: x, jwks: keys.json } }";
  const keys = (...ids: readonly string[]): string => JSON.stringify({ keys: ids.map((kid) => ({ kty: "OKP", kid })) });
  const digests = (...ids: readonly string[]): string[] => [...keysListed(keys(...ids))];
  const heldBy = ({ settings: { http } }: Served): unknown => {
    const text = http.auth !== undefined && "keys" in http.auth ? http.auth.keys : undefined;
    return typeof text === "string"
      ? (JSON.parse(text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
      : text;
  };

  test("wait where one comes, and are gone at once where one goes", () => {
    const [both, less, other] = [built(AUTH, keys("a", "b")), built(AUTH, keys("b")), built(AUTH, keys("b", "c"))];
    expect(taken(both, less)).toMatchObject({ served: less, settings: [] });
    expect(keysOf(less, both)).toEqual(["serve.auth.jwks"]);
    expect([keysOf(both, other), heldBy(taken(both, other).served)]).toEqual([["serve.auth.jwks"], ["b"]]);
  });

  test("that were taken away are told where something else of who comes in waits as well", () => {
    const [both, less] = [built(AUTH, keys("a", "b")), built(AUTH.replace("{", "{ record: r.jsonl,"), keys("b"))];
    const again = built(AUTH.replace("audience: x", "audience: y"), keys("a", "b"));
    const { kept } = taken(both, less);
    for (const known of [kept!, taken(kept!, again).kept!])
      expect(taken(known, again).settings).toEqual([
        { key: "serve.auth.audience", before: "x", after: "y" },
        { key: "serve.auth.jwks", before: ["keys.json"], after: ["keys.json", ...digests("a", "b")] },
      ]);
    const more = built(AUTH.replace("audience: x", "audience: y"), keys("a", "b", "c"));
    expect(taken(kept!, more).settings.map(({ key, before }) => [key, before])).toEqual([
      ["serve.auth.jwks", ["keys.json"]],
      ["serve.auth.audience", "x"],
    ]);
  });

  test("wait where the file wasn't there when it was accepted", () => {
    const [absent, there] = [built(AUTH), built(AUTH, keys("a"))];
    const accepted = readServed(servedText(absent))!;
    expect([keysOf(accepted, there), heldBy(taken(accepted, there).served)]).toEqual([["serve.auth.jwks"], null]);
    expect(taken(there, absent)).toMatchObject({ served: absent, settings: [] });
    expect(keysOf(absent, absent)).toEqual([]);
  });

  test("are the same in another layout, and with other ends of lines", () => {
    const text = JSON.stringify(JSON.parse(keys("a", "b")), null, 2);
    const other = built(AUTH, text.replaceAll("\n", "\r\n"));
    expect(taken(built(AUTH, keys("a", "b")), other)).toMatchObject({ served: other, settings: [] });
    expect(servedText(other)).toBe(servedText(built(AUTH, text)));
  });

  test("let nobody in where they can't be read, and wait when they can", () => {
    const [broken, whole] = [built(AUTH, "{"), built(AUTH, keys("a"))];
    expect(keysOf(broken, whole)).toEqual(["serve.auth.jwks"]);
    expect(taken(whole, broken)).toMatchObject({ served: broken, settings: [] });
  });

  test("let nobody in where they are more than a file of keys may have, and nothing of them is looked at", () => {
    const whole = built(AUTH, keys("a"));
    const [many, large] = [keys("a", ...Array(1_000).fill("b")), keys("a", "b".repeat(1_000_000))];
    for (const text of [many, large]) expect(taken(whole, built(AUTH, text))).toMatchObject({ settings: [] });
    expect(heldBy(built(AUTH, large))).toBe(null);
    expect(keysOf(whole, built(AUTH, keys("a", ...Array(999).fill("b"))))).toEqual(["serve.auth.jwks"]);
  });
});
