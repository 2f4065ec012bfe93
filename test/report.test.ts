import { expect, test } from "vitest";
import { createReport } from "../compiler/diagnostics/report.ts";

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
