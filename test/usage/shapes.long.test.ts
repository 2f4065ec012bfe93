import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HELD, openApp, standings, usageIn, type App } from "./app.ts";
import { SHAPES } from "./shapes.ts";

/** Each shape that code takes, and what is known of the tools after it. */

let app: App;
beforeAll(async () => {
  app = await openApp();
});
afterAll(() => app.close());

const OF: Readonly<Record<string, readonly string[]>> = {
  T: HELD.filter(({ role }) => role === "tester").map(nameOf),
  L: HELD.filter(({ role }) => role === "lead").map(nameOf),
  "T.tracker": HELD.filter(({ role, server }) => role === "tester" && server === "tracker").map(nameOf),
  "T.files": HELD.filter(({ role, server }) => role === "tester" && server === "files").map(nameOf),
  "L.tracker": HELD.filter(({ role, server }) => role === "lead" && server === "tracker").map(nameOf),
};

function nameOf({ role, server, tool }: (typeof HELD)[number]): string {
  return `${role}.${server}.${tool}`;
}

function expected({ used = [], possibly = [], model = [] }: (typeof SHAPES)[number]): Record<string, string> {
  const whole = (name: string): readonly string[] =>
    OF[name] ?? [name.replace(/^T\./, "tester.").replace(/^L\./, "lead.")];
  return Object.fromEntries([
    ...model.flatMap(whole).map((name) => [name, "model"]),
    ...possibly.flatMap(whole).map((name) => [name, "possibly"]),
    ...used.flatMap(whole).map((name) => [name, "used"]),
  ]);
}

const HEAD = `import { team, tester as testerRole, lead as leadRole } from "./mcp/index.js";
const t = team();
const tester = t.as("tester");
const lead = t.as("lead");
`;

describe("a shape of code", () => {
  test.each(SHAPES.map((shape) => [shape.name, shape] as const))("%s", (_, shape) => {
    const file = shape.file ?? "src/app.ts";
    app.write({
      "src/app.ts": "",
      "src/other.ts": "",
      "src/third.ts": "",
      "src/app.js": "",
      "src/app.vue": "",
      ...shape.files,
      [file]: (shape.bare ? "" : HEAD) + shape.code,
    });
    expect(standings(usageIn(app.dir))).toEqual(expected(shape));
  });
});
