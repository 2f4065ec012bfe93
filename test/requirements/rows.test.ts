import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/root.ts";
import { waitingRows } from "./rows.ts";
import { LATER, SEEN } from "./seen.ts";

const ids = [...Object.values(SEEN).flatMap((list) => list.split(" ")), ...Object.keys(LATER)];

test("every test that sees a row is there", () => {
  expect(Object.keys(SEEN).filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

test("a row is seen by one test", () => {
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});

const rows = waitingRows();
test.skipIf(rows === undefined)("and is one of the list", () => {
  const known = new Set(rows?.map(({ id }) => id));
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
});

test.skipIf(rows === undefined)("none of them is passed over", () => {
  expect(rows?.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual([]);
});
