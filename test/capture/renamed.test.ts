import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../compiler/base/json.ts";
import { compareManifests } from "../../compiler/capture/compare-manifests.ts";
import { compareSchemas } from "../../compiler/capture/compare-schemas.ts";

describe("tools that are gone and new ones", () => {
  const tool = (name: string, description: string, inputSchema: object = { type: "object" }) => ({
    name,
    description,
    inputSchema,
  });
  const takes = (argument: string) => ({ type: "object", properties: { [argument]: { type: "string" } } });
  const renamed = (before: object[], after: object[]) =>
    compareManifests({ tools: before as JsonObject[] }, { tools: after as JsonObject[] }).renamed.map(
      ({ from, to }) => `${from} ${to}`,
    );

  test("of one definition are paired in the order in which they stand, each once", () => {
    expect(
      renamed([tool("a", "x"), tool("b", "x"), tool("c", "")], [tool("p", "x"), tool("q", "x"), tool("r", "")]),
    ).toEqual(["a p", "b q"]);
  });

  test("of nearly one name and the same arguments are paired, and one that was paired isn't again", () => {
    const before = [tool("list_item", "old", takes("id")), tool("list_itemz", "older", takes("id"))];
    expect(renamed(before, [tool("list_items", "new", takes("id"))])).toEqual(["list_item list_items"]);
    expect(renamed(before, [tool("list_items", "new", takes("other"))])).toEqual([]);
  });

  test("cost by how many there are", () => {
    const many = (name: string, schema: object) =>
      Array.from({ length: 5_000 }, (_, i) => tool(`${name}_${i}`, `${name} ${i}`, schema));
    const required = (from: number) => ({
      type: "object",
      required: Array.from({ length: 60_000 }, (_, i) => `p${from + i}`),
    });
    const began = process.cpuUsage();
    expect(renamed(many("read_it", takes("id")), many("reed_it", takes("id")))).toEqual([]);
    compareSchemas(required(0), required(1));
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });

  test("long names of very many tools cost little", () => {
    const many = (name: string) =>
      Array.from({ length: 3000 }, (_, i) => tool(`${name}${"x".repeat(90)}${i}`, name, takes(`p${i % 10}`)));
    const began = process.cpuUsage();
    renamed(many("read_it"), many("reed_it"));
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(6000);
  });

  test("a hundred that are renamed at once are found", () => {
    const names = Array.from({ length: 100 }, (_, i) => `${String.fromCharCode(97 + (i % 26)).repeat(5)}_${i}`);
    const [before, after] = ["old", "new"].map((text) =>
      names.map((name) => tool(`${name}${text === "old" ? "" : "s"}`, text, takes("id"))),
    );
    expect(renamed(before!, after!).length).toBe(100);
  });
});
