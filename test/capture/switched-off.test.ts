import { afterEach, beforeEach, expect, test } from "vitest";
import { captureProject, NOTES, tool, type CaptureProject } from "../support/capture-project.ts";

/** `rolecall capture` and servers with `enabled: false`. */

let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  project.notes({ pages: [[tool("read")]] }, "", {
    papers: "{ connect: [{ stdio: [node, not-there.mjs] }], enabled: false }",
  });
});
afterEach(() => project.remove());

test("one that is off isn't asked, and that is said", async () => {
  const { exit, out, err } = await project.run(["capture", "--accept"]);
  expect([exit, err]).toEqual([0, ""]);
  expect(out).toContain("papers: not asked, switched off by `enabled: false`\n");
  expect(project.has(NOTES)).toBe(true);
  expect((await project.run(["capture", "--check"])).exit).toBe(0);
});

test("by its name it is asked", async () => {
  const { exit, err } = await project.run(["capture", "papers"]);
  expect([exit, err]).toEqual([1, expect.stringContaining("papers: not captured")]);
});

test("where all are off there is nothing to do", async () => {
  project.declare({ papers: "{ connect: [{ stdio: [node, not-there.mjs] }], enabled: false }" });
  const { exit, out } = await project.run(["capture", "--accept"]);
  expect(exit).toBe(0);
  expect(out).toContain("nothing to capture: no server that is switched on stands under `servers:`");
});
