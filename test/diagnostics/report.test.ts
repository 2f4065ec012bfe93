import { expect, test } from "vitest";
import { createReport } from "../../compiler/diagnostics/report.ts";

test("of very many problems the first thousand are told, and how many more there are", () => {
  const report = createReport((place) => ({
    file: place.file,
    line: Number(place.path[0]) + 1,
    column: 1,
    length: 1,
    text: "x",
  }));
  for (let i = 0; i < 1003; i++) report.add("role/empty", { file: "a.yaml", path: [i] }, { role: "r" });
  const told = report.sorted();
  expect(told).toHaveLength(1001);
  expect(told.at(-1)).toMatchObject({ code: "source/too-many", says: "3 more problems were found", at: undefined });
});

test("what is more than anybody is told is counted, and its words aren't made", () => {
  const report = createReport((place) => ({ file: place.file, line: 1, column: 1, length: 1, text: "x" }));
  let made = 0;
  const params = { owner: "invariant `i`", role: "r", tool: "s.t", case: "not-held" } as const;
  for (let i = 0; i < 1500; i++)
    report.addIfShown("invariant/can", { file: `${i}.yaml`, path: [] }, () => {
      made++;
      return { params };
    });
  expect(report.said("invariant/never")).toBe(false);
  report.addIfShown("invariant/never", undefined, () => expect.fail("nobody is told"));
  expect(made).toBe(1000);
  expect(report.count).toBe(1501);
  expect(report.said("invariant/never")).toBe(true);
  expect(report.sorted().at(-1)).toMatchObject({ says: "501 more problems were found" });
});

test("a remark that may be switched off, and what one step settles, push no error out", () => {
  const report = createReport((place) => ({ file: place.file, line: 1, column: 1, length: 1, text: "x" }));
  for (let i = 0; i < 1500; i++) {
    report.add("role/empty", { file: `${i}.yaml`, path: [] }, { role: "r" });
    report.add("manifest/needed", { file: `${i}.yaml`, path: [] }, { user: "`all`", server: "s", file: "s.json" });
  }
  const params = { owner: "invariant `i`", role: "r", tool: "s.t", case: "not-held" } as const;
  report.addIfShown("invariant/can", undefined, () => ({ params }));
  expect(report.sorted().map(({ code }) => code)).toContain("invariant/can");
});

test("an error is told after however many remarks", () => {
  const report = createReport((place) => ({ file: place.file, line: 1, column: 1, length: 1, text: "x" }));
  for (let i = 0; i < 1500; i++) report.add("role/empty", { file: `${i}.yaml`, path: [] }, { role: "r" });
  report.add("output/same-name", undefined, { kind: "role", one: "a-b", other: "a_b", identifier: "aB" });
  const told = report.sorted();
  expect(report.failed).toBe(true);
  expect(told.filter((diagnostic) => diagnostic.severity === "error")).toHaveLength(1);
  expect(told.at(-1)).toMatchObject({ says: "501 more problems were found" });
});

test("what is switched off isn't counted", () => {
  const report = createReport(() => undefined);
  report.adjust({ "role/empty": "off" });
  for (let i = 0; i < 1500; i++) report.add("role/empty", { file: `${i}.yaml`, path: [] }, { role: "r" });
  expect(report.sorted()).toEqual([]);
});

test("what one step settles is said once, with how many places there are", () => {
  const report = createReport((place) => ({ file: place.file, line: 1, column: 1, length: 1, text: "x" }));
  const needs = (server: string, file: string) =>
    report.add("manifest/needed", { file, path: [] }, { user: "`all`", server, file: `mcp/manifests/${server}.json` });
  for (const file of ["a.yaml", "b.yaml", "c.yaml"]) needs("github", file);
  needs("files", "a.yaml");
  const told = report.sorted().map(({ at, says }) => [at?.file, says.replace(/.*and there/, "there")]);
  expect(told).toEqual([
    ["a.yaml", "there is none"],
    ["a.yaml", "there is none; the same in 2 more places"],
  ]);
});
