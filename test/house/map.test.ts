import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/root.ts";

/** The map of the compiler leads somewhere: every file and folder that it and the decisions name is there. */
const ROOMS = ["compiler", "runtime", "schemas", "scripts", "test", "docs"];
const there = ROOMS.flatMap((room) => [
  `/${room}`,
  ...readdirSync(path.join(ROOT, room), { recursive: true, encoding: "utf8" }).map(
    (name) => `/${room}/${name.split(path.sep).join("/")}`,
  ),
]);
const pages = [
  "compiler/README.md",
  ...readdirSync(path.join(ROOT, "docs/decisions")).map((name) => `docs/decisions/${name}`),
];

test.each(pages)("%s", (page) => {
  const named = [...readFileSync(path.join(ROOT, page), "utf8").matchAll(/`([\w./-]+(?:\.(?:ts|mjs)|\/))`/g)];
  const lost = named.map(([, name]) => name!).filter((name) => !isThere(name) && !IN_PROJECTS.test(name));
  expect(lost).toEqual([]);
});

test("the map is short enough to be read", () => {
  const words = readFileSync(path.join(ROOT, "compiler/README.md"), "utf8").split(/\s+/);
  expect(words.length).toBeLessThanOrEqual(1200);
});

/** Generated files, and folders of a user's project. */
const IN_PROJECTS = /^(?:runtime(?:-[a-z]+)*|server\.data|index)\.ts$|^\.|^(?:tests|src|mcp)\//;

function isThere(name: string): boolean {
  const end = `/${name.replace(/\/$/, "")}`;
  return there.some((one) => one.endsWith(end));
}
