import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { homeFolder } from "../../compiler/io/serve/home.ts";
import { keptAt, servePlace } from "../../compiler/io/serve/place.ts";

/** One project of one user has one place, whatever the host that asks for it hands on. */
let home: string;

beforeEach(() => (home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-place-")))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("variables that some hosts hand on and others drop move neither the doors nor what was accepted", () => {
  const project = path.join(home, "project");
  mkdirSync(project);
  const other = path.join(home, "other");
  const envs = [{}, { XDG_RUNTIME_DIR: other }, { XDG_STATE_HOME: other }, { USERPROFILE: other }].map((more) => ({
    HOME: home,
    ...more,
  }));
  for (const env of envs) {
    expect(path.dirname(servePlace(project, env).folder)).toBe(path.join(home, ".rolecall", "run"));
    expect(path.dirname(keptAt(project, env))).toBe(path.join(home, ".local", "state", "rolecall"));
    expect(path.basename(keptAt(project, env))).toContain(path.basename(servePlace(project, env).folder));
  }
  expect(existsSync(other)).toBe(false);
});

test.each([{}, { HOME: "" }])("where HOME isn't set it is what the system knows of the user: %j", (env) => {
  expect(homeFolder(env)).toBe(userInfo().homedir);
});

test.each([
  ["here", "isn't a whole path"],
  ["./here", "isn't a whole path"],
  ["/no/such/folder", "no folder is there"],
])("a HOME of %j is refused: what was accepted would lie somewhere else", (HOME, why) => {
  const refused = expect.objectContaining({
    says: expect.stringContaining(why),
    next: expect.stringContaining("HOME"),
  });
  expect(() => homeFolder({ HOME })).toThrow(refused);
  expect(() => servePlace(home, { HOME })).toThrow(refused);
});

test("a project's folder that isn't there is told, and no mistake of rolecall's", () => {
  expect(() => servePlace(path.join(home, "gone"), { HOME: home })).toThrow(
    expect.objectContaining({ says: "the project's folder isn't there", next: "name it with --project DIR" }),
  );
});
