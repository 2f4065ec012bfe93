import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { knownPreset } from "../../compiler/base/known-presets.ts";
import { reachedIn } from "../../compiler/base/reached.ts";
import { ROOT } from "../support/root.ts";

describe("what a connection reaches", () => {
  const FILES = "@modelcontextprotocol/server-filesystem";
  test.each([
    [{ stdio: ["npx", "-y", `${FILES}@2025.8.21`, "."] }, [FILES]],
    [{ stdio: ["npx", "-y", FILES, "${ROOT:-.}"] }, [FILES]],
    [{ stdio: ["npx", `--package=${FILES}@1.0.0`, "files"] }, [FILES]],
    [{ stdio: ["uvx", "mcp-obsidian==0.2.2"] }, ["mcp-obsidian"]],
    [{ stdio: ["npx", "-y", "mcp-remote", "https://mcp.example.com/mcp"] }, ["mcp.example.com/mcp"]],
    [{ stdio: ["npx", "--registry", "https://npm.example.com", "-y", FILES] }, [FILES]],
    [{ stdio: ["./files", FILES] }, []],
    [{ http: "https://mcp.example.com/mcp/?project=1" }, ["mcp.example.com/mcp"]],
    [{ http: "https://mcp.example.com/mcp${REF:+?project=${REF}}" }, ["mcp.example.com/mcp"]],
    [{ sse: "${URL:-https://mcp.example.com/sse}" }, ["mcp.example.com/sse"]],
    [{ http: "https://mcp.example.com/mcp/${TEAM}" }, []],
    [{ http: "https://mcp.example.com/${PATH}" }, []],
    [{ http: "${URL}" }, []],
    [{ http: "https://mcp.example.com.evil.example/mcp" }, ["mcp.example.com.evil.example/mcp"]],
    [{ http: "https://user@mcp.example.com:8443/mcp" }, ["mcp.example.com:8443/mcp"]],
  ])("%j", (connection, reached) => expect(reachedIn([connection])).toEqual(reached));
});

/** Those that more than one preset reaches are nobody's: which one is meant can't be said. */
test("each preset of rolecall is named for what it alone reaches", () => {
  const folder = path.join(ROOT, "compiler/presets");
  const files = existsSync(folder) ? readdirSync(folder).map((id) => path.join(folder, id, "preset.yaml")) : [];
  const presets = files.filter((file) => existsSync(file)).map((file) => parse(readFileSync(file, "utf8")) as Preset);
  const all = presets.map(({ id, server }) => ({ id, reached: reachedIn(server.connect ?? []) }));
  const wrong = all.flatMap(({ id, reached }) =>
    reached
      .filter((one) => !all.some((other) => other.id !== id && other.reached.includes(one)))
      .filter((one) => knownPreset([one]) !== id),
  );
  expect(wrong).toEqual([]);
  expect(knownPreset(["@modelcontextprotocol/server-filesystem"])).toBe("filesystem");
});

interface Preset {
  readonly id: string;
  readonly server: { readonly connect?: Parameters<typeof reachedIn>[0] };
}

test.each([
  [["cmd", "/c", "npx", "-y", "@acme/files@1.0.0"]],
  [["cmd.exe", "/C", "npx.cmd", "-y", "@acme/files"]],
  [["npm", "exec", "-y", "--", "@acme/files@2"]],
  [["pnpm", "dlx", "@acme/files"]],
  [["yarn", "dlx", "@acme/files@1"]],
  [["bun", "x", "@acme/files"]],
  [["env", "A=b", "C=d", "npx", "-y", "@acme/files"]],
  [["npx", "-y", "npm:@acme/files@1.0.0"]],
  [["npx", "-y", "other@npm:@acme/files@1.0.0"]],
  [["npx", "--registry", "https-registry", "@acme/files"]],
])("the package behind %j", (stdio) => {
  expect(reachedIn([{ stdio }])).toEqual(["@acme/files"]);
});

test.each(["https://api.example.com./mcp", "https://api.example.com/%6dcp", "https://api.example.com//mcp/"])(
  "one address, however it is spelt: %s",
  (http) => expect(reachedIn([{ http }])).toEqual(["api.example.com/mcp"]),
);
