import { expect, test } from "vitest";
import { compiled, manifest } from "../support/compiled.ts";

/** What a host can't hold is said where the rule stands that it can't hold. */
function told(choice: string, rest: string, roles = "{ a: { tools: { notes: all } }, b: { tools: { notes: all } } }") {
  const { diagnostics } = compiled({
    "rolecall.yaml": `version: 1\nproject: harbor\nhosts: [${choice}]\n`,
    "mcp/team.yaml": `roles: ${roles}\n${rest}`,
    "mcp/manifests/notes.json": manifest({ name: "look", arguments: ["path"] }, { name: "find", arguments: ["path"] }),
  });
  return diagnostics;
}
const NOTES = "servers: { notes: { connect: [{ stdio: [notes] }] } }\n";
const POLICY = `${NOTES}policies:\n  - { name: inside, roles: ["*"], tools: [notes.look], where: { path: { glob: "a/**" } } }\n`;

test("a policy for several roles is one remark with one place", () => {
  const left = told("claude-code", POLICY).find(({ code }) => code === "host/left-out");
  const remarks = left?.host?.remarks.map(({ roles, causes }) => [roles, causes.map(({ file, line }) => [file, line])]);
  expect(remarks).toEqual([[["a", "b"], [["mcp/team.yaml", 4]]]]);
});

test("an error underlines the rule, and the role is the second place", () => {
  const strict = "{ id: claude-code, whenUnenforceable: error }";
  const errors = told(strict, POLICY).filter(({ code }) => code === "host/cannot-enforce");
  expect(errors.map(({ at, also }) => [at?.line, also.map((one) => [one.says, one.at?.line])])).toEqual([
    [4, [["the role", 1]]],
    [4, [["the role", 1]]],
  ]);
  const inside = "{ path: { glob: 'a/**' } }";
  const own = `{ a: { tools: { notes: { include: [look, find],\n  where: {\n    look: ${inside},\n    find: ${inside} } } } } }`;
  const [both, ...more] = told(strict, NOTES, own).filter(({ code }) => code === "host/cannot-enforce");
  expect(more).toEqual([]);
  expect(
    [both!.at, ...both!.also.map(({ at }) => at)].map((at) => at?.text.slice(at.textColumn - 1, at.textColumn + 3)),
  ).toEqual(["find", "look", "a: {"]);
});

test("a connection that a host can't be told is underlined itself", () => {
  const rest = "servers:\n  notes:\n    connect:\n      - { stdio: [notes], cwd: sub }\n";
  const strict = "{ id: claude-code, whenUnenforceable: error }";
  const error = told(strict, rest).find(({ code }) => code === "host/cannot-enforce");
  expect([error?.at?.file, error?.at?.line]).toEqual(["mcp/team.yaml", 5]);
});
