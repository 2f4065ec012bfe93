import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtAccesses } from "../../../compiler/io/read/built-names.ts";

/** What builds give at the places where they may lie, whoever wrote what says so. */
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "rolecall-built-"));
  mkdirSync(path.join(dir, "out"));
  const access = { format: 1, project: "harbor", guards: {}, servers: {}, roles: {} };
  writeFileSync(path.join(dir, "out", "access.json"), JSON.stringify(access));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const written = (out: string): readonly string[] => {
  writeFileSync(path.join(dir, "rolecall.yaml"), `version: 1\nout: ${out}\n`);
  return builtAccesses(dir, ["out"]).map(({ project }) => project);
};

test("a place where nothing lies says nothing", () => {
  expect([written("out"), written("other"), written("rolecall.yaml/below")]).toEqual([
    ["harbor"],
    ["harbor"],
    ["harbor"],
  ]);
});

test("of a place that can't be looked at nobody knows what it gives", () => {
  symlinkSync("loop", path.join(dir, "loop"));
  expect([written("loop"), written("long".repeat(2_000)), written("out\0")]).toEqual([[], [], []]);
});
