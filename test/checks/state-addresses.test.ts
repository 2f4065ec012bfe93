import { describe, expect, test } from "vitest";
import { stateAddresses, viewAt } from "../../compiler/state/uris.ts";
import { compiled } from "../support/compiled.ts";

/** Of the team's state the build knows every address: what finds none there is a slip, and closes or opens nothing. */

const said = (resources: string, more = "", state = "state: { name: squad, members: { kit: { role: lead } } }") =>
  compiled({
    "rolecall.yaml": `version: 1\nproject: harbor\n${state}\nroles: { lead: { tools: { squad: all }, resources: { squad: ${resources} } } }\n${more}`,
  })
    .diagnostics.filter(({ code }) => code !== "server/unused")
    .map(({ severity, code, help }) => `${severity} ${code}; ${help}`);

const ERROR = "error state/unknown-address; ";
const WARNING = "warning state/opens-no-address; ";
const MEANT = (address: string): string => `did you mean \`${address}\`?`;

describe("what a role includes", () => {
  test.each([
    ['["squad://decisons"]', ERROR + MEANT("squad://decisions")],
    ['["squd://decisions"]', ERROR + MEANT("squad://decisions")],
    ['["squad://agents/kti/status"]', ERROR + MEANT("squad://agents/kit/status")],
    ['["squad://nothing/of/it"]', expect.stringContaining(`${ERROR}it has \`squad://roster\``)],
    ['["squd://**"]', WARNING + MEANT("squad://**")],
    ['["squad://agent/**"]', WARNING + MEANT("squad://agents/**")],
    ['["squad://agents/*/staus"]', WARNING + MEANT("squad://agents/*/status")],
    ['["squad://lead/*"]', expect.stringContaining(`${WARNING}it has \`squad://roster\``)],
  ])("%s", (resources, only) => expect(said(resources)).toEqual([only]));

  test.each(['["squad://**"]', '["squad://decisions", "squad://agents/*/history", "squad://agents/kit/status"]'])(
    "%s finds some",
    (resources) => expect(said(resources)).toEqual([]),
  );

  test("a member that isn't written has its role's name", () => {
    const own = "state: { name: squad }";
    expect(said('["squad://agents/lead/status"]', "", own)).toEqual([]);
    expect(said('["squad://agents/kit/status"]', "", own)).toHaveLength(1);
  });
});

describe("what restricts", () => {
  const all = (exclude: string): string => `{ include: ["squad://**"], exclude: ["${exclude}"] }`;
  const policy = (address: string): string =>
    `policies: [{ name: p, roles: ["*"], resources: ["${address}"], effect: deny }]\n`;

  test.each([
    ["squad://backlg", MEANT("squad://backlog")],
    ["squad://agnts/**", MEANT("squad://agents/**")],
  ])("an exclude: %s", (exclude, help) => expect(said(all(exclude))).toEqual([ERROR + help]));

  test("of another scheme it is said once, too", () => {
    expect(said(all("squd://backlog"))).toEqual([ERROR + MEANT("squad://backlog")]);
  });

  test("one that its role doesn't read is said as that", () => {
    const other = '{ include: ["squad://decisions"], exclude: ["squad://backlog"] }';
    expect(said(other).map((one) => one.split(";")[0])).toEqual(["error role/excludes-no-address"]);
  });

  test("an exclude of a role that inherits", () => {
    const heir =
      "roles: { lead: { tools: { squad: all }, resources: { squad: ['squad://**'] } }, junior: { extends: lead, resources: { squad: { exclude: ['squad://backlg'] } } } }\n";
    const all = compiled({ "rolecall.yaml": `version: 1\nproject: harbor\nstate: { name: squad }\n${heir}` });
    expect(all.diagnostics.map(({ code }) => code)).toEqual(["state/unknown-address"]);
  });

  test.each([
    ["squad:squad://backlg", MEANT("squad://backlog")],
    ["squad:squd://backlog", MEANT("squad://backlog")],
    ["*:squad://backlg", MEANT("squad://backlog")],
  ])("a policy: %s", (address, help) => expect(said('["squad://**"]', policy(address))).toEqual([ERROR + help]));

  test.each(["squad:squad://backlog", "*:docs://secret/**", "*:squad://**"])(
    "a policy that may mean it: %s",
    (address) => {
      const notes = "servers: { notes: { connect: [{ stdio: [notes] }] } }\n";
      expect(said('["squad://**"]', policy(address) + notes).filter((one) => one.startsWith("error"))).toEqual([]);
    },
  );

  test.each(["squad://backlog", "squad://agents/*/history", "squad://decisions/**"])(
    "an exclude that finds some: %s",
    (one) => expect(said(all(one))).toEqual([]),
  );
});

test("nothing is known of another server's addresses", () => {
  const notes =
    'servers: { notes: { connect: [{ stdio: [notes] }] } }\npolicies: [{ name: p, roles: ["*"], resources: ["notes:nots://x"], effect: deny }]\n';
  expect(said('["squad://**"]', notes).filter((one) => one.includes("address"))).toEqual([]);
});

test("each address is one that is answered", () => {
  const member = { name: "kit", role: "lead", charter: undefined };
  const all = stateAddresses("squad", ["kit"]);
  expect(all).toHaveLength(8);
  for (const uri of all) expect(viewAt(uri, "squad", [member])).toBeDefined();
});
