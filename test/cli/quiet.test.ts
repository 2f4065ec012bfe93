import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { captureProject, NOTES, READER, tool, type CaptureProject } from "../support/capture-project.ts";
import { hostDoctor } from "../support/host-doctor.ts";

/** `--quiet`: nothing but errors, and what a command was asked to print. */
let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

const nothing = { out: "", err: "" };
const gone = { small: "{ connect: [{ stdio: [no-such-command-anywhere] }] }" };

describe("capture", () => {
  test("writes without a word, and says what can't be captured", async () => {
    project.notes({ pages: [[tool("read")]] });
    expect(await project.run(["capture", "--accept", "--quiet"])).toMatchObject({ exit: 0, ...nothing });
    expect(project.has(NOTES)).toBe(true);
    expect(await project.run(["capture", "--quiet"])).toMatchObject({ exit: 0, ...nothing });
    project.declare(gone);
    const { exit, out, err } = await project.run(["capture", "--quiet"]);
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toContain("small: not captured");
  });

  test("drift is told by the exit code alone", async () => {
    project.notes({ pages: [[tool("read")]] });
    await project.run(["capture", "--accept"]);
    project.notes({ pages: [[tool("read"), tool("more")]] });
    expect(await project.run(["capture", "--check", "--quiet"])).toMatchObject({ exit: 2, ...nothing });
  });

  test("who is asked sees what the question is about", async () => {
    project.notes({ pages: [[tool("read")]] });
    const { out } = await project.run(["capture", "--quiet"], { types: ["y"] });
    expect(out).toContain("+ read");
    expect(out).toContain(`write ${NOTES}?`);
    expect(project.has(NOTES)).toBe(true);
  });
});

describe("doctor", () => {
  test("shows the servers that can't be used, and no others", async () => {
    project.notes({ pages: [[tool("read")]] }, READER);
    expect(await project.run(["doctor", "--quiet"])).toMatchObject({ exit: 0, ...nothing });
    project.notes({ pages: [[tool("read")]] }, READER, gone);
    const { exit, out } = await project.run(["doctor", "--quiet"]);
    expect(exit).toBe(1);
    expect(out).toContain("small: unreachable");
    expect(out).not.toContain("notes");
  });

  test("of a host says nothing of a role that is ready, and all of one that isn't", async () => {
    const doctor = hostDoctor(project);
    await doctor.built("opencode", `{ connect: ${doctor.fake()} }`);
    const { out } = await doctor.look("opencode", {}, "tester", "--quiet");
    expect(out).toContain("not ready to start");
    doctor.install("opencode");
    expect(await doctor.look("opencode", {}, "tester", "--quiet")).toMatchObject({ exit: 0, ...nothing });
  });
});

describe("build", () => {
  test("says neither what it warns of nor what it wrote; --check tells by its exit code, --json has all", async () => {
    project.declare({ small: "{ connect: [{ stdio: [x] }] }" }, "roles: { reader: { tools: { small: [a] } } }\n");
    expect(await project.run(["build", "--check", "--quiet"])).toMatchObject({ exit: 2, ...nothing });
    expect(await project.run(["build", "--quiet"])).toMatchObject({ exit: 0, ...nothing });
    expect((await project.run(["build"])).err).toContain("warning[");
    expect((await project.run(["build", "--quiet", "--json"])).out).toContain('"severity": "warning"');
  });
});

test("what a command is asked to print is printed", async () => {
  project.notes({ pages: [[tool("read")]] }, READER);
  await project.run(["capture", "--accept", "--quiet"]);
  for (const argv of [
    ["ls"],
    ["report"],
    ["plan"],
    ["hosts"],
    ["explain", "reader", "notes.read"],
    ["inspect", "notes"],
  ]) {
    const aloud = await project.run(argv);
    expect(aloud.out).not.toBe("");
    expect(await project.run([...argv, "--quiet"])).toEqual(aloud);
  }
});
