import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { allFormats } from "../../../compiler/1-source/formats/all-formats.ts";
import { ROOT } from "../../support/root.ts";

test.each(allFormats.map(({ id }) => id))(
  "%s is shown by two cases: what it comes to, and what is said of slips",
  (id) => {
    const folders = [id, `${id}-slips`].map((name) => path.join(ROOT, "test/cases/formats", name, "expected"));
    expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
  },
);
