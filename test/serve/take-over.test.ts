import { expect, test } from "vitest";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { takeOver } from "../../compiler/serve/take-over.ts";
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

test("other values for the variables of a server are another way to it", () => {
  const [before, after] = [served("idle: 5s"), served("idle: 5s, env: team.env")];
  const { served: now, reconnected } = takeOver(before, after, () => false);
  expect([now, reconnected]).toEqual([before, ["files"]]);
});

test("how long the daemon waits isn't", () => {
  const after = served("idle: 6s");
  expect(takeOver(served("idle: 5s"), after, () => false)).toMatchObject({ served: after, reconnected: [] });
});

test.each([
  ["whose tokens count", "auth: { issuer: 'https://a.example', audience: x }", ["auth"]],
  ["another issuer", "auth: { issuer: 'https://b.example', audience: x }", ["auth"]],
  ["one more name", "hosts: [a.example, b.example]", ["hosts"]],
  ["another address", "url: 'https://a.example'", ["url"]],
  ["rates that aren't shared any more, or elsewhere", 'limits: "${REDIS_URL}"', ["limits"]],
])("over HTTP %s waits", (_, now, door) => {
  const before = served("hosts: [a.example]");
  const taken = takeOver(before, served(now.startsWith("hosts") ? now : `hosts: [a.example], ${now}`), () => false);
  expect([taken.door, taken.served]).toEqual([door, before]);
});

test("over HTTP a name less doesn't", () => {
  const after = served("hosts: [a.example]");
  expect(takeOver(served("hosts: [a.example, b.example]"), after, () => false)).toMatchObject({
    served: after,
    door: [],
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
