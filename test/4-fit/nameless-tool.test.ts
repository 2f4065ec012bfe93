import { expect, test } from "vitest";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { fitEveryHost } from "../../compiler/4-fit/fit.ts";
import { manifest, planned } from "../support/compiled.ts";

/** `mcp__t__` and `t/` are all tools of `t` to some hosts. */
test("a tool whose name is empty reaches no host", () => {
  const { plan } = planned({
    "rolecall.yaml": `version: 1
project: p
hosts: [claude-code, copilot-cli, opencode, codex, gemini-cli, openai-agents]
servers: { t: { connect: [{ stdio: [serve] }] } }
roles: { dev: { tools: { t: all } } }
`,
    "mcp/manifests/t.json": manifest("", "drop"),
  });
  const fitted = fitEveryHost(plan, allHosts([]));
  const names = fitted.flatMap(({ roles }) =>
    roles.flatMap(({ servers }) => servers.flatMap(({ tools }) => tools.map(({ tool }) => tool.name))),
  );
  expect(names).toContain("drop");
  expect(names).not.toContain("");
});
