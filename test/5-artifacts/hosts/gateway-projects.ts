import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { build, type Built } from "../../support/built-project.ts";
import { manifest } from "../../support/compiled.ts";
import { entryFor } from "../../support/known-hosts.ts";

/** Projects that are written for both gateways. */
export const BOTH = ["agentgateway", "envoy-ai-gateway"] as const;
export const CONFIG = "mcp/hosts/agentgateway/config.yaml";

export function gatewayProject(
  team: string,
  manifests: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) {
  const hosts = BOTH.map((id) => more[id] ?? entryFor(id)).join(", ");
  return {
    "rolecall.yaml": `version: 1\nproject: The Harbor_1\nhosts: [${hosts}]\n`,
    "mcp/team.yaml": team,
    ...Object.fromEntries(Object.entries(manifests).map(([name, text]) => [`mcp/manifests/${name}.json`, text])),
  };
}

export function builtForGateways(...project: Parameters<typeof gatewayProject>): Built {
  const made = build(gatewayProject(...project), "hosts");
  expect(made.errors).toEqual([]);
  return made;
}

export const remote = (name: string, more = "") =>
  `  ${name}: { connect: [{ http: "https://${name}.example/mcp"${more} }] }`;
export const NUMBERED = (count: number) => Array.from({ length: count }, (_, i) => `tool_${i}`);
export const ODD = [
  'say "hi"',
  "back\\slash",
  "it's",
  "$HOME",
  "${HOME}",
  "$$",
  "a.b",
  "a|b",
  "^",
  "(?:x)",
  "[a]",
  "x*",
  "é",
  "😀",
  "\u2028",
  "\ufffe",
  "a\nb",
  "#no",
  "- x",
  "yes",
  "null",
  "true || true",
  '"] || true || "" in ["',
];

export const GATEWAY_PROJECTS: Readonly<Record<string, () => ReadonlyMap<string, string>>> = {
  "six roles": () => {
    const files = gatewayProject(
      `servers:
${remote("github", ', headers: { Authorization: "Bearer ${GITHUB_TOKEN}" }')}
${remote("search", ', headers: { X-Key: "${SEARCH_KEY}" }')}
  files: { connect: [{ stdio: [files, "--root", "\${ROOT:-/srv}"], env: { LEVEL: "1" } }] }
roles:
  reader: { tools: { github: [get], search: all } }
  tester: { extends: reader, tools: { github: [put], files: all } }
  nobody: {}
  a_b: { tools: { search: all } }
`,
      { github: manifest("get", "put"), search: manifest("find"), files: manifest("read") },
    );
    return build(files, "hosts").artifacts;
  },
  "names of every kind": () =>
    builtForGateways(`servers:\n${remote("odd")}\nroles: { a: { tools: { odd: all } } }\n`, { odd: manifest(...ODD) })
      .artifacts,
  "roles without tools": () =>
    builtForGateways(`servers:\n${remote("odd")}\nroles: { a: {}, b: { tools: { odd: none } } }\n`, {
      odd: manifest("x"),
    }).artifacts,
  "forty tools": () =>
    builtForGateways(`servers:\n${remote("wide")}\nroles: { a: { tools: { wide: all } } }\n`, {
      wide: manifest(...NUMBERED(40)),
    }).artifacts,
  "more tools than rules have room for": () =>
    builtForGateways(`servers:\n${remote("wide")}\nroles: { a: { tools: { wide: all } } }\n`, {
      wide: manifest(...NUMBERED(600)),
    }).artifacts,
  "six roles of the example": () => {
    const folder = new URL("../../../examples/squad/", import.meta.url);
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
      /^mcp\/(?:[\w-]+\.yaml|(?:manifests|prompts)\/[^/]+)$/.test(path),
    );
    const files = Object.fromEntries(sources.map((path) => [path, readFileSync(new URL(path, folder), "utf8")]));
    const made = build({ ...files, ...gatewayProject("{}", {}), "mcp/team.yaml": "version: 1\n" }, "hosts");
    expect(made.errors).toEqual([]);
    expect(made.plan.roles).toHaveLength(6);
    return made.artifacts;
  },
};
