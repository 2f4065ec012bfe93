import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/cases/**", "**/node_modules/**"],
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
