// Pins what the second opinion says of guards, straight from the language page.
import { expect, test } from "vitest";
import { readReference } from "./files.ts";
import { verdict } from "./reference.ts";

test.each([
  ["hints lift no guard", "hints: { list_issues: { readOnly: false } }", "github.is:read-only"],
  ["hints add to a guard", "hints: { list_issues: { idempotent: true } }", "github.is:idempotent"],
  ["scopes of the preset hold", "scopes: { other: ['*'] }", "github.scope:reads"],
])("%s", (_, written, selector) => {
  const p = readReference({
    "rolecall.yaml": `version: 1
project: harbor
guards: [guards/*.yaml]
servers: { github: { preset: hub, ${written} } }
roles: { r: { tools: { github: all } } }
`,
    "mcp/presets/hub.yaml": "id: hub\nserver: { connect: [{ stdio: [hub] }], scopes: { reads: [list_issues] } }\n",
    "mcp/manifests/github.json": JSON.stringify({
      tools: [{ name: "list_issues", inputSchema: {}, annotations: { readOnlyHint: true } }],
    }),
    "guards/a.yaml": `policies: [{ name: g, roles: ['*'], tools: ['${selector}'], effect: ask }]\n`,
  });
  expect(verdict(p, "r", "github", "list_issues")).toBe("ask");
});
