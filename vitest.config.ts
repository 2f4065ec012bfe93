import path from "node:path";
import { defineConfig } from "vitest/config";

const NO_TESTS = ["test/cases/**", "**/node_modules/**"];

/** What takes its time, in a folder of its own or beside the tests of its room. */
const LONG = ["test/long/*.test.ts", "test/**/*.long.test.ts"];

/** They look at their own process: its children, its listeners, its memory and time, what it loaded. */
const ALONE = ["test/{e2e,io,runtime,serve,types}/**/*.test.ts"];

/** `npm test` runs both that are quick, and `npm run test:long` what takes its time: random projects, real git, bounds held for long. */
export default defineConfig({
  // What an example imports, as it is now.
  resolve: { alias: [{ find: /^rolecall$/, replacement: path.join(import.meta.dirname, "compiler/index.ts") }] },
  test: {
    exclude: NO_TESTS,
    projects: [
      {
        extends: true,
        // One process after the other has the compiler loaded: hundreds of files that load it each take a minute.
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: [...NO_TESTS, ...LONG, ...ALONE],
          isolate: false,
        },
      },
      { extends: true, test: { name: "quick-alone", include: ALONE, exclude: [...NO_TESTS, ...LONG] } },
      { extends: true, test: { name: "long", include: LONG } },
    ],
    // The runtime as projects get it: made of its modules as they are now.
    globalSetup: "test/support/flattened-runtime.ts",
    // Tests that start a compiler or a server are slow on a busy machine; a hang still ends.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    // By itself one less than there are processors, and a machine of two would run one file after the other.
    maxWorkers: "100%",
    sequence: { shuffle: { files: false, tests: false } },
    env: { NO_COLOR: "1", TZ: "UTC" },
  },
});
