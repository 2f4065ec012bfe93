import { describe, expect, test } from "vitest";
import { doorOf, HOSTS, HOSTS_SERVED_ALONE } from "../../support/known-hosts.ts";
import type { FittedPlan } from "../../../compiler/4-fit/types.ts";
import { build } from "../../support/built-project.ts";

/**
 * Connections as presets write them: a login by default, and where a token or a project is set, that. `:+` in a header and
 * in a URL has to compile for every host, since none of those that read files can ask whether a variable is set.
 */
const manifest = (server: string) =>
  JSON.stringify({
    format: 1,
    server,
    capabilities: { tools: {} },
    tools: [{ name: `look_in_${server}`, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }],
  });

function compiled(host: string, assume = "") {
  const more: Readonly<Record<string, string>> = { cursor: ", role: worker", postgres: ", transports: [http]" };
  const door = Object.entries(doorOf(host)).map(([key, text]) => `, ${key}: ${text}`);
  const role = (more[host] ?? "") + door.join("");
  return build(
    {
      "rolecall.yaml": `version: 1\nproject: maybe\nhosts: [{ id: ${host}${role}${assume} }]\n`,
      "mcp/team.yaml": `
servers:
  base:
    connect:
      - http: "https://base.example/mcp\${BASE_REF:+?project_ref=\${BASE_REF}}"
        headers: { Authorization: "\${BASE_TOKEN:+Bearer \${BASE_TOKEN}}" }
  code:
    connect:
      - http: https://code.example/mcp/
        headers: { Authorization: "\${CODE_TOKEN:+Bearer \${CODE_TOKEN}}" }
roles: { worker: { tools: { base: all, code: all } } }
`,
      "mcp/manifests/base.json": manifest("base"),
      "mcp/manifests/code.json": manifest("code"),
    },
    "hosts",
  );
}

function awayFrom(hosts: readonly FittedPlan[]): string[] {
  return hosts.flatMap(({ roles }) =>
    roles.flatMap(({ leftOut }) => leftOut.map(({ server, why }) => `${server.name}: ${why}`)),
  );
}

const ALL_SET = ", assume: { BASE_REF: set, BASE_TOKEN: set, CODE_TOKEN: set }";
const READ_AS_WRITTEN = ["mcp-servers"];
/** The runtime connects, or hands over what it has expanded: there are no references in their files. */
const IN_PROCESS = ["adk", "ai-sdk", "claude-agent-sdk", "copilot-sdk", "openai-agents"];
/** Of `agentgateway` it is what stands behind the path of a URL. */
const NONE_IN_A_URL = ["agentgateway", "codex", "copilot-cli", "envoy-ai-gateway"];

// What is told of no server has no reference to spell.
describe.each(HOSTS.filter((host) => !HOSTS_SERVED_ALONE.includes(host)))("%s", (host) => {
  test("is given both servers, without what may not be set", () => {
    const { errors, hosts, artifacts } = compiled(host);
    expect(errors).toEqual([]);
    expect(hosts[0]!.roles[0]!.leftOut).toEqual([]);
    expect(hosts[0]!.roles[0]!.servers.map(({ server }) => server.name)).toEqual(["base", "code"]);
    const text = [...artifacts.values()].join("\n");
    if (!READ_AS_WRITTEN.includes(host)) expect(text).not.toMatch(/BASE_REF|BASE_TOKEN|CODE_TOKEN|\bAuthorization/);
  });

  test("with `assume` it is given the header and the address, or they stay away with a reason", () => {
    const { errors, hosts, artifacts } = compiled(host, ALL_SET);
    const text = [...artifacts.values()].join("\n");
    if (NONE_IN_A_URL.includes(host)) {
      expect(errors).toEqual([]);
      expect(awayFrom(hosts)).toEqual([expect.stringMatching(/^base: .* URL/)]);
      expect(hosts[0]!.mended).toContain("BASE_REF: unset");
    } else {
      expect(errors).toEqual([]);
      const names = IN_PROCESS.includes(host) ? [] : ["BASE_REF", "BASE_TOKEN", "CODE_TOKEN"];
      for (const name of names) expect(text).toContain(name);
      if (names.length > 0) expect(text).toMatch(/\/mcp[^"]*\?project_ref=/);
    }
  });
});

describe("what comes to nothing altogether", () => {
  const said = (connect: string, host = "claude-code") =>
    build(
      {
        "rolecall.yaml": `version: 1\nproject: maybe\nhosts: [${host}]\n`,
        "mcp/team.yaml": `servers: { base: { connect: [${connect}] } }\nroles: { worker: { tools: { base: all } } }\n`,
        "mcp/manifests/base.json": manifest("base"),
      },
      "hosts",
    );

  test.each(["claude-code", "opencode", "codex", "gemini-cli"])("%s isn't told an empty command", (host) => {
    const { errors, hosts } = said('{ stdio: ["${RUN:+run-it}"] }', host);
    expect(errors).toEqual([]);
    expect(awayFrom(hosts)).toEqual([expect.stringMatching(/^base: .*counts as unset/)]);
    expect(hosts[0]!.mended).toBe(`{ id: ${host}, assume: { RUN: set } }`);
  });

  test("an entry and a word are left out, and a default may hold one", () => {
    const stdio =
      '{ stdio: [serve, "${LOUD:+--loud}"], env: { MODE: "${MODE:+x}", LEVEL: "${LEVEL:-warn${LOUD:+er}}" } }';
    const { errors, artifacts } = said(stdio);
    expect(errors).toEqual([]);
    expect(JSON.parse(artifacts.get("mcp/hosts/claude-code/worker.mcp.json")!)).toMatchObject({
      mcpServers: { base: { command: "serve", args: [], env: { LEVEL: "${LEVEL:-warn}" } } },
    });
    expect(artifacts.get("mcp/hosts/claude-code/worker.mcp.json")).not.toMatch(/LOUD|MODE/);
  });

  test("texts that a `:+` joins are looked at together", () => {
    const { hosts } = said('{ stdio: [serve, "$$${NOT_SET:+x}{HOME}"] }');
    expect(awayFrom(hosts).join()).toContain("for a reference");
  });
});
