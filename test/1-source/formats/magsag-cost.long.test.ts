import { describe, expect, test } from "vitest";
import { compiled } from "../../support/compiled.ts";

/** MAGSAG's lines and grants beside very many servers that are called otherwise in their own files. */

const many = <T>(make: (i: number) => T, count: number): T[] => Array.from({ length: count }, (_, i) => make(i));
const mapOf = <T>(names: readonly string[], value: T) => Object.fromEntries(names.map((name) => [name, value]));
const projectOf = (...files: readonly string[]) =>
  JSON.stringify({ version: 1, project: "p", imports: [{ file: "g.json", as: "mcp-json" }, ...files] });
const servers = (name: (i: number) => string, count: number) =>
  JSON.stringify({ mcpServers: mapOf(many(name, count), { command: "serve" }) });

/** Of this process alone: others run beside it. */
function seconds(files: Readonly<Record<string, string>>): number {
  const started = process.cpuUsage();
  compiled(files);
  return process.cpuUsage(started).user / 1e6;
}

describe("some thousand of each take a moment", () => {
  test("patterns over servers with dots in their names", () => {
    const lines = mapOf(
      many((i) => `zz*.${i}.A.drop.x.y.z`, 2000),
      "deny",
    );
    const files = {
      "rolecall.yaml": projectOf("p.json"),
      "g.json": servers((i) => `Srv.${i}.A`, 2000),
      "p.json": JSON.stringify({ policies: { tools: lines } }),
    };
    expect(seconds(files)).toBeLessThan(12);
  });

  test("servers that are given whole", () => {
    const agent = (i: number) => ({ slug: `d${i}`, requires: { mcp: many((k) => `Srv ${k}`, 60) } });
    const files = {
      "rolecall.yaml": projectOf("a/*.json"),
      "g.json": servers((i) => `Srv ${i}`, 3000),
      ...Object.fromEntries(many((i) => [`a/a${i}.json`, JSON.stringify(agent(i))], 300)),
    };
    expect(seconds(files)).toBeLessThan(12);
  });
});
