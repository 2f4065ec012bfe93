import { expect, test } from "vitest";
import { compiled, manifest } from "../support/compiled.ts";

/** What a host can't hold is said where the rule stands that it can't hold. */
function told(
  choice: string,
  rest: string,
  roles = "{ a: { tools: { notes: all } }, b: { tools: { notes: all } } }\n",
  pins: Readonly<Record<string, string>> = {},
) {
  const { diagnostics } = compiled({
    "rolecall.yaml": `version: 1\nproject: harbor\nhosts: [${choice}]\n`,
    "mcp/team.yaml": `roles: ${roles}${rest}`,
    "mcp/manifests/notes.json": manifest({ name: "look", arguments: ["path"] }, { name: "find", arguments: ["path"] }),
    ...pins,
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
  const own = `{ a: { tools: { notes: { include: [look, find],\n  where: {\n    look: ${inside},\n    find: ${inside} } } } } }\n`;
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

/** Where each remark of a code points, and what is written there. */
function causes(code: string, ...project: Parameters<typeof told>) {
  const said = told(...project).filter((one) => one.code === code);
  return said.flatMap(({ host }) =>
    host!.remarks.map(({ names, causes: places }) => [
      names.join(", "),
      ...places.map((at) => at.text.slice(at.textColumn - 1)),
    ]),
  );
}

test("a server that may grow points at what gives it to the role", () => {
  const roles = "\n  base: { tools: { notes: all } }\n  a: { extends: base }\n";
  expect(causes("host/may-grow", "{ id: cursor, role: a }", NOTES, roles)).toEqual([["notes", "notes: all } }"]]);
});

test("open tools point at the roles that say nothing of them", () => {
  const roles = "\n  a: { tools: { notes: all } }\n  b: { builtins: { opencode: none } }\n  c: {}\n";
  const places = causes("role/builtins-open", "opencode", NOTES, roles).map(([, ...written]) => written);
  expect(places.length).toBeGreaterThan(1);
  for (const written of places) expect(written).toEqual(["a: { tools: { notes: all } }", "c: {}"]);
});

test("a name that a host keeps points at the server that is called so", () => {
  const ide = "ide: { connect: [{ stdio: [ide] }], manifest: notes }";
  const roles = "{ a: { tools: { ide: all } } }\n";
  expect(causes("host/left-out", "claude-code", `servers:\n  ${ide}\n`, roles)).toEqual([["all of ide", ide]]);
});

test("tools of one name point at both servers, in an error as well", () => {
  const [one, other] = ["a: { connect: [{ stdio: [x] }] }", "a_b: { connect: [{ stdio: [x] }] }"];
  const servers = `servers:\n  ${one}\n  ${other}\n`;
  const roles = "{ r: { tools: { a: all, a_b: all } } }\n";
  const pins = { "mcp/manifests/a.json": manifest({ name: "b_c" }), "mcp/manifests/a_b.json": manifest({ name: "c" }) };
  expect(causes("host/left-out", "opencode", servers, roles, pins)).toEqual([
    ["a.b_c", one, other],
    ["a_b.c", other, one],
  ]);
  const strict = told("{ id: opencode, whenUnenforceable: error }", servers, roles, pins);
  const errors = strict.filter(({ code }) => code === "host/cannot-enforce");
  expect(errors.map(({ at, also }) => [at?.line, also.map((place) => [place.says, place.at?.line])])).toEqual([
    [
      3,
      [
        ["this is behind it as well", 4],
        ["the role", 1],
      ],
    ],
    [
      4,
      [
        ["this is behind it as well", 3],
        ["the role", 1],
      ],
    ],
  ]);
});
