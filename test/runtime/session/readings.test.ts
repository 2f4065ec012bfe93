import { expect, test } from "vitest";
import type { ObservedOutcome } from "../../../runtime/api.ts";
import type { JsonValue } from "../../../runtime/contract.ts";
import { fakeRole, fakeServer, fakeTeam } from "../../support/fake-link.ts";

/** What a role reads beside tools: a server may answer for more than it was asked. */

test("what bears an address that the role doesn't hold is nowhere in a reading", async () => {
  const docs = fakeServer("docs", {});
  const role = fakeRole("reader", [[docs, { tools: {} }]]);
  const data = JSON.parse(role.data) as { servers: { docs: object } };
  Object.assign(data.servers.docs, { resources: { include: ["docs:///public/**"] } });
  let observed: ObservedOutcome | undefined;
  const after = (_: unknown, outcome: ObservedOutcome): void => void (observed = outcome);
  const reader = fakeTeam([docs], [{ ...role, data: JSON.stringify(data) }], { after }).as("reader");
  const held: JsonValue = { uri: "docs:///public/a", text: "of a", _meta: { own: 1 } };
  docs.calling = async () => ({
    contents: [held, { uri: "docs:///secret/b", text: "SECRET" }, { text: "SECRET" }, "SECRET"],
    _meta: { own: 2 },
  });
  const { contents, text, meta } = await reader.$read("docs", "docs:///public/a");
  expect([contents, text]).toEqual([[held], "of a"]);
  expect(meta.raw).toEqual({ contents: [held], _meta: { own: 2 } });
  expect(observed?.ok === true && observed.meta.raw).toEqual(meta.raw);
});
