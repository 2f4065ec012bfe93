import { expect, test } from "vitest";
import { compare } from "../../compiler/diff/compare.ts";
import type { Access, RoleAccess, ServerAccess } from "../../compiler/3-plan/access.ts";

/** Every kind of change in both directions, on the value itself. */

const SERVER: ServerAccess = {
  name: "files",
  connect: [{ stdio: ["files"] }],
  root: undefined,
  instructions: "sha256:1",
  tools: [{ name: "read", digest: "sha256:1" }],
};
const ROLE: RoleAccess = {
  name: "dev",
  servers: [{ name: "files", tools: [{ name: "read", effect: "ask", where: [] }] }],
  builtins: [{ host: "codex", names: ["a"] }],
  delegates: ["lead"],
};
const access = (
  server: Partial<ServerAccess> = {},
  role: Partial<RoleAccess> = {},
  guards: Access["guards"] = [],
): Access => ({
  project: "p",
  guards,
  servers: [{ ...SERVER, ...server }],
  roles: [{ ...ROLE, ...role }],
});
const tools = (effect: "allow" | "ask") => ({
  servers: [{ name: "files", tools: [{ name: "read", effect, where: [] }] }],
});
const within = (glob: string) => ({
  servers: [
    {
      name: "files",
      tools: [
        { name: "read", effect: "ask" as const, where: [{ argument: "path", conditions: [{ glob }], because: [] }] },
      ],
    },
  ],
});
const [A, B, HTTP] = [
  { stdio: ["a"], cwd: "/srv/a" },
  { stdio: ["b"], cwd: "/" },
  { http: "https://x.example" },
] as const;
const A_AND_B = { connect: [A, B] };
const RULE = [{ name: "no deletes", digest: "sha256:1" }];

const GRAVEST = ["widens", "changed", "narrows"];

test.each<[string, Access, Access, string, string]>([
  ["a rule that is gone", access({}, {}, RULE), access(), "widens guard", "narrows guard"],
  [
    "a rule with another text",
    access({}, {}, RULE),
    access({}, {}, [{ name: "no deletes", digest: "sha256:2" }]),
    "widens guard",
    "widens guard",
  ],
  ["a rule under another name", access({}, {}, RULE), access({}, {}, [{ ...RULE[0]!, name: "nothing goes" }]), "", ""],
  [
    "a rule without a name, whose place is another",
    access({}, {}, [{ name: "a.yaml#policies[0]", digest: "sha256:1" }]),
    access({}, {}, [
      { name: "a.yaml#policies[0]", digest: "sha256:2" },
      { name: "a.yaml#policies[1]", digest: "sha256:1" },
    ]),
    "narrows guard",
    "widens guard",
  ],
  [
    "one of two that say the same",
    access({}, {}, [...RULE, { ...RULE[0]!, name: "nothing goes" }]),
    access({}, {}, RULE),
    "widens guard",
    "narrows guard",
  ],
  [
    "another command",
    access(),
    access({ connect: [{ stdio: ["other"] }] }),
    "widens destination",
    "widens destination",
  ],
  [
    "one more way",
    access(),
    access({ connect: [{ stdio: ["files"] }, { http: "https://x.example" }] }),
    "widens destination",
    "narrows destination",
  ],
  ["a root", access(), access({ root: "/srv" }), "widens root", "widens root"],
  ["a root that is written as it counts", access(A_AND_B), access({ ...A_AND_B, root: "/srv/a" }), "", ""],
  [
    "the folder that paths start in, by a way less",
    access(A_AND_B, within("a/**")),
    access({ connect: [B] }, within("a/**")),
    "narrows destination, widens root",
    "widens destination, widens root",
  ],
  [
    "the same, by another order",
    access(A_AND_B, within("a/**")),
    access({ connect: [B, A] }, within("a/**")),
    "changed destination, widens root",
    "changed destination, widens root",
  ],
  [
    "the same, by a root that was written",
    access({ ...A_AND_B, root: "/" }, within("a/**")),
    access(A_AND_B, within("a/**")),
    "widens root",
    "widens root",
  ],
  [
    "the same, by a first command that says no folder",
    access(A_AND_B, within("a/**")),
    access({ connect: [{ stdio: ["c"] }, A, B] }, within("a/**")),
    "widens destination, widens root",
    "narrows destination, widens root",
  ],
  [
    "an address before it",
    access(A_AND_B, within("a/**")),
    access({ connect: [HTTP, A, B] }, within("a/**")),
    "widens destination",
    "narrows destination",
  ],
  [
    "a folder that no path is judged from",
    access(A_AND_B),
    access({ connect: [B, A] }),
    "changed destination",
    "changed destination",
  ],
  [
    "another order, and a way less",
    access({ connect: [HTTP, A, B] }),
    access({ connect: [B, A] }),
    "narrows destination, changed destination",
    "widens destination, changed destination",
  ],
  ["instructions", access(), access({ instructions: "sha256:2" }), "changed instructions", "changed instructions"],
  [
    "a definition",
    access(),
    access({ tools: [{ name: "read", digest: "sha256:2" }] }),
    "changed definition",
    "changed definition",
  ],
  ["a question less", access(), access({}, tools("allow")), "widens effect", "narrows effect"],
  ["a condition less", access({}, within("a/**")), access(), "widens condition", "narrows condition"],
  ["a wider one", access({}, within("a/b")), access({}, within("a/**")), "widens condition", "narrows condition"],
  ["another one", access({}, within("a/**")), access({}, within("b/**")), "widens condition", "widens condition"],
  ["a tool less", access(), access({}, { servers: [] }), "narrows tool", "widens tool"],
  ["one more delegate", access(), access({}, { delegates: ["lead", "ops"] }), "widens delegate", "narrows delegate"],
  [
    "one more of a host's tools",
    access(),
    access({}, { builtins: [{ host: "codex", names: ["a", "b"] }] }),
    "widens builtin",
    "narrows builtin",
  ],
  ["all of a host's tools", access(), access({}, { builtins: [] }), "widens builtin", "narrows builtin"],
])("%s", (_, before, after, there, back) => {
  const said = (one: Access, other: Access) =>
    compare(
      one,
      other,
      () => false,
      () => [],
    )
      .changes.map(({ direction, kind }) => `${direction} ${kind}`)
      .join(", ");
  expect([said(before, after), said(after, before)]).toEqual([there, back]);
  expect(
    compare(
      before,
      after,
      () => false,
      () => [],
    ).verdict,
  ).toBe(GRAVEST.find((one) => there.includes(one)) ?? "same");
});

test("each other text of a rule is another change: a yes to one is none to the next", () => {
  const rule = (digest: string): Access => access({}, {}, [{ name: "no deletes", digest }]);
  const digestOf = (one: Access, other: Access): string =>
    compare(
      one,
      other,
      () => false,
      () => [],
    ).digest;
  const others = [rule("sha256:2"), rule("sha256:3")];
  const had = rule("sha256:1");
  const digests = others.flatMap((other) => [digestOf(had, other), digestOf(other, had)]);
  expect(new Set(digests).size).toBe(4);
});
