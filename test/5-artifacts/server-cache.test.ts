import { expect, test } from "vitest";
import { serverDataModule } from "../../compiler/5-artifacts/typed-module/server-data.ts";
import { compiled, errors, manifest } from "../support/compiled.ts";

/** `cache` of a server, from the sources to the data that the runtime reads. */

function cacheOf(own: string, preset: string): { plan: number | undefined; data: unknown } {
  const compilation = compiled({
    "mcp/presets/wiki.yaml": `id: wiki\nserver: { connect: [{ stdio: [wiki] }]${preset} }\n`,
    "mcp/team.yaml": `servers: { wiki: { preset: wiki${own} } }\nroles: { reader: { tools: { wiki: all } } }\n`,
    "mcp/manifests/wiki.json": manifest("read"),
  });
  expect(errors(compilation)).toEqual([]);
  const server = compilation.plan.servers[0]!;
  const [, data] = /"cacheMs":(\d+)/.exec(serverDataModule(server, [true])) ?? [];
  return { plan: server.cacheMs, data: data && Number(data) };
}

test.each([
  ["nothing is kept unless somebody says so", "", "", undefined],
  ["the project's word", ", cache: 60s", "", 60_000],
  ["the preset's word", "", ", cache: 5m", 300_000],
  ["the project's word before the preset's", ", cache: 500ms", ", cache: 5m", 500],
])("%s", (_, own, preset, ms) => {
  expect(cacheOf(own, preset)).toEqual({ plan: ms, data: ms });
});

test.each(["60", "0s", "all", "[60s]"])("`%s` is no duration", (written) => {
  const files = { "mcp/team.yaml": `servers: { wiki: { connect: [{ stdio: [wiki] }], cache: ${written} } }\n` };
  expect(errors(compiled(files))).toMatchObject([expect.stringMatching(/^source\/wrong-/)]);
});
