import { expect, test } from "vitest";
import { build } from "../../support/built-project.ts";

/** In Copilot `github/...` is its own server: it never matches a user's that is called `github`. */
test.each<[string, string]>([
  ["github/*", "deny"],
  ["github/drop", "deny"],
  ["github-drop", "allow"],
  ["*", "allow"],
])("an agent's file with `%s`: drop is %s", (entry, effect) => {
  const built = build({
    "rolecall.yaml": "version: 1\nproject: p\nimports: [.github/agents/a.md]\n",
    ".github/agents/a.md": `---\nname: a\ndescription: d\ntools: ["${entry}"]\nmcp-servers:\n  github:\n    type: local\n    command: node\n    args: [x.mjs]\n---\ntext\n`,
    "mcp/roles.yaml": "roles:\n  r:\n    tools:\n      github: all\n",
    "mcp/manifests/github.json": JSON.stringify({
      server: "github",
      tools: ["list", "drop"].map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
  });
  expect(built.effect("r", "github", "drop")).toBe(effect);
});
