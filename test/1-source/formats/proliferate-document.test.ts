import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { build } from "../../support/built-project.ts";
import { manifest } from "../../support/compiled.ts";
import { blocksOf } from "../../support/markdown.ts";
import { ROOT } from "../../support/root.ts";
import { temporaryProject, typeCheck } from "../../types/tsc.ts";

/** The product's own document, its stored value taken out word for word. */

const SEEDS = path.join(ROOT, "../shared/seeds");
const CAPTURED = path.join(ROOT, "../shared/manifests");
const seed = existsSync(SEEDS) ? readdirSync(SEEDS).find((name) => name.startsWith("002")) : undefined;
const page = seed === undefined ? "" : readFileSync(path.join(SEEDS, seed), "utf8");
const row = blocksOf(page).find(({ language, text }) => language === "json" && text.includes('"mcp_servers"'));

const project = temporaryProject();
afterAll(() => project.remove());

describe.skipIf(row === undefined)("the document that the format comes from", () => {
  const files = (manifests: Readonly<Record<string, string>>) => ({
    "rolecall.yaml":
      "version: 1\nproject: product\nhosts: [opencode, claude-code, vscode, gemini-cli]\nimports: [row.json]\n",
    "row.json": row!.text,
    ...Object.fromEntries(Object.entries(manifests).map(([name, text]) => [`mcp/manifests/${name}.json`, text])),
  });
  const small = {
    github: manifest("list_issues"),
    postgres: manifest("query"),
    "custom-api": manifest("ping", "pong"),
  };

  test("is compiled unchanged for hosts that read files", () => {
    const { errors, artifacts, plan } = build(files(small), true);
    expect(errors).toEqual([]);
    expect(plan.servers.map(({ name, description }) => [name, description])).toEqual([
      ["custom-api", "Internal API tools"],
      ["github", "GitHub issues, PRs, and repo management"],
      ["postgres", "Query and manage PostgreSQL databases"],
    ]);
    const opencode = JSON.parse(artifacts.get("mcp/hosts/opencode/agent.json")!) as { readonly mcp: object };
    expect(opencode.mcp).toMatchObject({
      github: {
        command: ["npx", "-y", "@modelcontextprotocol/server-github"],
        environment: { GITHUB_PERSONAL_ACCESS_TOKEN: "{env:GITHUB_TOKEN}" },
      },
      postgres: { command: ["npx", "-y", "@modelcontextprotocol/server-postgres", "{env:DATABASE_URL}"] },
      "custom-api": { type: "remote", url: "https://mcp.example.com/sse" },
    });
    const places = [
      "mcp/hosts/claude-code/agent.mcp.json",
      ".vscode/mcp.json",
      "mcp/hosts/gemini-cli/agent/settings.json",
    ];
    for (const place of places) {
      const text = artifacts.get(place) ?? [...artifacts.keys()].join(" ");
      for (const name of ["github", "postgres", "custom-api"]) expect(text, place).toContain(name);
    }
  });

  test("and to TypeScript, in which the role has every tool of the manifests and no other", async () => {
    for (const [file, text] of build(files(small), true).artifacts)
      if (file.startsWith("src/")) project.write(file, text);
    project.write(
      "src/app.ts",
      `import type { AgentServers } from "./mcp/roles/agent.js";
declare const servers: AgentServers;
export const held: readonly unknown[] = [servers.github.list_issues, servers["custom-api"].pong, servers.postgres.query];
// @ts-expect-error: the manifest has no such tool
export const other: unknown = servers.github.merge;
`,
    );
    expect(await typeCheck(project, "7.0", ["src"])).toEqual([]);
  });

  test.skipIf(!existsSync(CAPTURED))("with what the real servers answered, too", () => {
    const real = (name: string): string => {
      const { tools } = JSON.parse(readFileSync(path.join(CAPTURED, `${name}.json`), "utf8")) as { tools: object[] };
      return JSON.stringify({ tools });
    };
    const { errors, effect } = build(files({ ...small, github: real("github"), postgres: real("postgres") }));
    expect(errors).toEqual([]);
    expect([effect("agent", "github", "merge_pull_request"), effect("agent", "postgres", "query")]).toEqual([
      "allow",
      "allow",
    ]);
  });
});
