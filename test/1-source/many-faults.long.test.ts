import { expect, test } from "vitest";
import { compiled } from "../support/compiled.ts";

test("tens of thousands of keys that nobody knows are refused in a moment", () => {
  const keys = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`k${i}`, i]));
  const file = JSON.stringify({ mcpServers: { files: { command: "serve", ...keys } } });
  const started = process.cpuUsage();
  const { diagnostics } = compiled({
    "rolecall.yaml": "{ version: 1, project: test, imports: [.mcp.json] }",
    ".mcp.json": file,
  });
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
  expect(diagnostics[0]?.says).toBe("`k0` is not a key of `mcpServers.files`");
  expect(diagnostics.at(-1)?.code).toBe("source/too-many");
});

test("tens of thousands of names that nobody has, too", () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `role${i}`);
  const squad = {
    servers: { files: { command: "serve" } },
    agentServers: Object.fromEntries(names.map((name) => [name, ["files"]])),
    toolRestrictions: Object.fromEntries(names.map((name) => [`${name}x`, { files: { include: ["list"] } }])),
  };
  const vscode = {
    inputs: names.map((id) => ({ id, type: "promptString" })),
    servers: { files: { command: "serve", env: Object.fromEntries(names.map((id) => [id, `\${input:${id}x}`])) } },
  };
  const started = process.cpuUsage();
  const { diagnostics } = compiled({
    "rolecall.yaml": "{ version: 1, project: test, imports: [squad.json, .vscode/mcp.json] }",
    "squad.json": JSON.stringify(squad),
    ".vscode/mcp.json": JSON.stringify(vscode),
  });
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(15);
  expect(diagnostics.map(({ help }) => help).join()).toContain("did you mean `role0`?");
});

test("thousands of tokens in one file, too", () => {
  const token = (i: number) => `ghp_${i.toString(36).padStart(6, "0")}AbCdEfGhIjKlMnOpQrStUvWxYz0123`;
  const servers = Object.fromEntries(
    Array.from({ length: 6000 }, (_, i) => [`s${i}`, { command: "serve", env: { GITHUB_TOKEN: token(i) } }]),
  );
  const started = process.cpuUsage();
  const { diagnostics } = compiled({
    "rolecall.yaml": "{ version: 1, project: test, imports: [.mcp.json] }",
    ".mcp.json": JSON.stringify({ mcpServers: servers }, null, 1),
  });
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(15);
  expect(diagnostics[0]?.code).toBe("server/literal-secret");
  expect(diagnostics.some(({ at }) => at?.text.includes("AbCdEf"))).toBe(false);
});
