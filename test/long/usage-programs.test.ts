import { fc } from "../support/generated.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApp, standings, usageIn, type App } from "../usage/app.ts";
import { randomProgram } from "../usage/random-programs.ts";

/** The second opinion: what a program really called, when it ran, is never said to be unused. */

const RUNS = Number(process.env["USAGE_RUNS"] ?? 60);

let app: App;
beforeAll(async () => {
  app = await openApp();
});
afterAll(() => app.close());

test("what ran is never unused", { timeout: 60_000 + RUNS * 2_000 }, async () => {
  let called = 0;
  let unused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), async (tape) => {
      let at = 0;
      const program = randomProgram((n) => (tape[at++ % tape.length]! >>> (at % 7)) % n);
      app.write({ "src/app.ts": program.text });
      const said = standings(usageIn(app.dir));
      const ran = await program.ran();
      called += ran.size;
      unused += 9 - Object.keys(said).length;
      for (const tool of ran) expect(Object.keys(said), program.text).toContain(tool);
    }),
    {
      numRuns: RUNS,
      endOnFailure: RUNS > 60,
      ...(process.env["USAGE_SEED"] && { seed: Number(process.env["USAGE_SEED"]) }),
    },
  );
  // Neither side may be empty: a judge that calls everything used is never wrong.
  expect(called).toBeGreaterThan(RUNS / 2);
  expect(unused).toBeGreaterThan(RUNS);
});
