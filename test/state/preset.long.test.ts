import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";

/** The preset of the team's state, from nothing to a role that holds it: its server is of the project that lacks its manifest. */
let cli: BundledCli;
beforeAll(() => void (cli = bundledCli()), 60_000);
afterAll(() => cli.remove());

const project = (name: string): string => {
  const dir = cli.folder(name);
  mkdirSync(path.join(dir, "node_modules/.bin"), { recursive: true });
  // As npm has it of a dependency; nothing of it is on the PATH of this test.
  symlinkSync(cli.entry, path.join(dir, "node_modules/.bin/rolecall"));
  writeFileSync(path.join(dir, "package.json"), '{ "devDependencies": { "rolecall": "*" } }\n');
  return dir;
};

test("add captures it and builds", () => {
  const dir = project("added");
  writeFileSync(path.join(dir, "rolecall.yaml"), "version: 1\nproject: harbor\nroles: { lead: {} }\n");
  const added = cli.run("rolecall add team-state --role lead", dir);
  expect(added).toMatchObject({ exit: 0, err: "" });
  const { exit, out } = cli.run("rolecall explain lead team-state.team_state_status", dir);
  expect([exit, out]).toEqual([0, expect.stringContaining("allow")]);
}, 60_000);

test("any other error is told, and nothing else", () => {
  const dir = project("broken");
  writeFileSync(path.join(dir, "rolecall.yaml"), "version: 1\nproject: harbor\nroles: { lead: { extends: nobody } }\n");
  const { exit, out, err } = cli.run("rolecall state </dev/null", dir);
  expect([exit, out]).toEqual([1, ""]);
  expect(err).toContain("nothing is told of the team while the project has errors");
}, 60_000);
