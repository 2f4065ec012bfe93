import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { bundledCli } from "../support/bundled-cli.ts";

const cli = bundledCli();
afterAll(() => cli.remove());
const place = cli.folder("nowhere");

describe.skipIf(!existsSync("/dev/full"))("where the output can't be written", () => {
  test.each(["rolecall > /dev/full", "rolecall help build > /dev/full", "rolecall ls --json > /dev/full"])(
    "%s says so in one line",
    (line) => {
      const { exit, err } = cli.run(line, place);
      expect(exit).toBe(3);
      expect(err.split("\n")).toContain("rolecall: can't write the output: the disk is full");
      expect(err).not.toMatch(/\bat .*\.js|node:/);
    },
  );

  test("nor errors: the exit code says it alone", () =>
    expect(cli.run("rolecall nothing 2> /dev/full", place)).toEqual({ exit: 3, out: "", err: "" }));

  test("a reader that has enough is no problem", () =>
    expect(cli.run("rolecall help | head -0; rolecall help | true", place)).toEqual({ exit: 0, out: "", err: "" }));
});
