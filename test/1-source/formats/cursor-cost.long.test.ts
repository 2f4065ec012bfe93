import { expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { compiled, manifest } from "../../support/compiled.ts";

/** Rules about every server, of very many: no file takes hours, and a rule that isn't held is told. */

const [SERVERS, COUNT] = [900, 5000];
const many = (count: number) => Array.from({ length: count }, (_, i) => i);
const FILE = ".cursor/mcp.json";
const files = {
  [FILE]: JSON.stringify({ mcpServers: Object.fromEntries(many(SERVERS).map((i) => [`s${i}`, { command: "serve" }])) }),
  ".cursor/cli.json": JSON.stringify({ permissions: { deny: many(COUNT).map((i) => `Mcp(*, drop${i})`) } }),
};

/** Of this process alone: others run beside it. */
function seconds(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1e6;
}

test("taken over", () => {
  const read = () =>
    translate({ file: FILE }, { files: memoryFiles(files), project: DEFAULTS, hosts: allHosts([]) }, lazyLibraries());
  let found: ReturnType<typeof read> | undefined;
  expect(seconds(() => (found = read()))).toBeLessThan(20);
  const told = found!.diagnostics.find(({ code }) => code === "import/left-behind");
  expect(told?.says).toBe("a rule about so many tools of so many servers of Cursor's settings isn't taken along");
  const held = JSON.stringify(found!.translated?.blocks);
  expect([held.includes('drop1"'), held.includes(`drop${COUNT - 1}`)]).toEqual([true, false]);
});

test("read by a build", () => {
  const last = `drop${COUNT - 1}`;
  const project = {
    "rolecall.yaml": JSON.stringify({
      version: 1,
      project: "test",
      imports: [FILE],
      roles: { dev: { tools: { s1: "all" } } },
    }),
    "mcp/manifests/s1.json": manifest(last, "list"),
  };
  let found: ReturnType<typeof compiled> | undefined;
  expect(seconds(() => (found = compiled({ ...files, ...project })))).toBeLessThan(20);
  expect(found!.diagnostics.filter(({ code }) => code === "import/taken-beside").length).toBe(1);
});

test("all servers, over and over", () => {
  const all = {
    ...files,
    ".cursor/cli.json": JSON.stringify({ permissions: { deny: many(20_000).map(() => "Mcp(*)") } }),
  };
  const read = () =>
    translate({ file: FILE }, { files: memoryFiles(all), project: DEFAULTS, hosts: allHosts([]) }, lazyLibraries());
  let found: ReturnType<typeof read> | undefined;
  expect(seconds(() => (found = read()))).toBeLessThan(20);
  expect(found!.translated?.origins.length).toBeLessThan(10 * SERVERS);
});
