import { describe, expect, test } from "vitest";
import { accessOf } from "../../compiler/3-plan/access.ts";
import { accessChunks } from "../../compiler/5-artifacts/review/access-json/index.ts";
import { readAccess } from "../../compiler/3-plan/read-access.ts";
import type { Access } from "../../compiler/3-plan/access.ts";
import { compare } from "../../compiler/diff/compare.ts";
import { compiled } from "../support/compiled.ts";

/** What a change of `resources:` is to a reviewer. */

const SERVERS = "servers: { docs: { connect: [{ stdio: [docs] }] RULES } }\n";
const MANIFEST = JSON.stringify({
  server: "docs",
  capabilities: { resources: {} },
  tools: [{ name: "look", inputSchema: { type: "object" } }],
});

function planOf(resources: string, more = "", ofServer = "") {
  const { plan, errors } = compiledSound(resources, more, ofServer);
  expect(errors).toEqual([]);
  return plan;
}

function compiledSound(resources: string, more: string, ofServer: string) {
  const rules = ofServer === "" ? "" : `, resources: ${ofServer}`;
  const role = resources === "" ? "" : `, resources: { docs: ${resources} }`;
  const { plan, diagnostics } = compiled({
    "rolecall.yaml": `version: 1\nproject: p\n${SERVERS.replace("RULES", rules)}roles: { reader: { tools: { docs: [look] }${role} } }\n${more}`,
    "mcp/manifests/docs.json": MANIFEST,
  });
  return { plan, errors: diagnostics.filter(({ severity }) => severity === "error").map(({ says }) => says) };
}

const access = (...written: Parameters<typeof planOf>): Access => accessOf(planOf(...written));
const changes = (before: Access, after: Access): unknown[] =>
  compare(
    before,
    after,
    () => false,
    () => [],
  )
    .changes.filter(({ kind }) => kind === "resource")
    .map(({ direction, before: was, after: is }) => [direction, was, is]);

describe("the access diff", () => {
  const wide = access('["docs://**"]');
  test.each<[string, Access, Access, unknown[]]>([
    ["reading begins", access(""), wide, [["widens", null, { include: "docs://**" }]]],
    ["reading ends", wide, access(""), [["narrows", { include: "docs://**" }, null]]],
    [
      "another glob, though it lies within",
      wide,
      access('["docs://**", "docs://a"]'),
      [["widens", null, { include: "docs://a" }]],
    ],
    [
      "something is taken away, and given back",
      wide,
      access('{ include: ["docs://**"], exclude: ["docs://a/**"] }'),
      [["narrows", null, { exclude: "docs://a/**" }]],
    ],
    [
      "what was taken away comes back",
      access('{ include: ["docs://**"], exclude: ["docs://a/**"] }'),
      wide,
      [["widens", { exclude: "docs://a/**" }, null]],
    ],
    [
      "the server's limit goes",
      access('["docs://**"]', "", '["docs://a/**"]'),
      wide,
      [["widens", { within: ["docs://a/**"] }, null]],
    ],
    [
      "a policy denies",
      wide,
      access('["docs://**"]', 'policies: [{ name: n, roles: ["*"], resources: ["docs:docs://a/**"], effect: deny }]\n'),
      [["narrows", null, { exclude: "docs://a/**" }]],
    ],
    ["nothing happens", wide, wide, []],
  ])("%s", (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  test("reads what access.json says of it", () => {
    const plan = planOf('{ include: ["docs://**", "docs://a"], exclude: ["docs://b"] }', "", '["docs://**"]');
    expect(readAccess([...accessChunks(plan)].join(""))).toEqual(accessOf(plan));
  });
});

describe("what may be read", () => {
  const rules = (resources: string, more = "", ofServer = ""): unknown =>
    access(resources, more, ofServer).roles[0]!.servers[0]!.resources;

  test("is nothing unless it is written", () => {
    expect(rules("")).toBeUndefined();
    expect(rules("none")).toBeUndefined();
    expect(rules('["docs://**"]', "", "none")).toBeUndefined();
  });

  test.each([
    "null",
    "[]",
    "{}",
    '""',
    "all",
    "read-only",
    "{ include: [] }",
    "{ include: null }",
    '["docs://**", 7]',
    '{ includes: ["docs://**"] }',
  ])("%s is an error, and gives nothing", (written) => {
    const { plan, errors } = compiledSound(written, "", "");
    expect(errors.length).toBeGreaterThan(0);
    expect(plan.roles.flatMap(({ grants }) => grants.filter(({ resources }) => resources !== undefined))).toEqual([]);
  });

  test.each([
    ['policies: [{ name: n, roles: ["*"], resources: ["dosc:docs://a"], effect: deny }]\n', "dosc"],
    ['policies: [{ name: n, roles: ["*"], resources: ["docs:docs://a"], effect: ask }]\n', "deny"],
    ['policies: [{ name: n, roles: ["*"], effect: deny }]\n', "resources"],
    ['policies: [{ name: n, roles: ["*"], resource: ["docs:docs://a"], effect: deny }]\n', "resource"],
  ])("a policy with a slip stops the build: %s", (more, named) => {
    const { errors } = compiledSound('["docs://**"]', more, "");
    expect(errors.join("\n")).toContain(named);
  });
});
