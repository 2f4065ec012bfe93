import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";
import { hostDoctor, type HostDoctor } from "../../support/host-doctor.ts";

/** What lies above a project counts from the repository's root down, whenever that came to be and by whatever way. */
const ROLES = "roles:\n  tester: { tools: { notes: { include: [find, list], ask: [list] } } }\n";
let above: CaptureProject;
let doctor: HostDoctor;
const app = () => path.join(above.dir, "team/app");
beforeAll(async () => {
  above = captureProject();
  doctor = hostDoctor(above);
  await doctor.built("codex", `{ connect: ${doctor.fake()} }`, ROLES);
  doctor.install("codex");
  for (const name of ["rolecall.yaml", "mcp"])
    cpSync(path.join(above.dir, name), path.join(app(), name), { recursive: true });
  rmSync(path.join(above.dir, "rolecall.yaml"));
  above.write(".codex/config.toml", 'sandbox_mode = "danger-full-access"\n');
});
beforeEach(() => {
  for (const one of [".git", "team/.git", "link"]) rmSync(path.join(above.dir, one), { recursive: true, force: true });
});
afterAll(() => above.remove());

const built = async (project = app()) => {
  const { exit, err } = await above.run(["build", "--project", project]);
  return [exit, err.includes("output/joined")];
};

test("a build that stands looks again once there is a repository", async () => {
  expect([await built(), await built()]).toEqual([
    [0, false],
    [0, false],
  ]);
  mkdirSync(path.join(above.dir, ".git"));
  expect(await built()).toEqual([1, true]);
});

test.each([
  ["HEAD", "team/.git/HEAD", "ref: refs/heads/main\n"],
  ["a file in its place", "team/.git", "gitdir: elsewhere\n"],
])("and once the nearest is gone, known by %s", async (_, file, text) => {
  mkdirSync(path.join(above.dir, ".git"));
  above.write(file, text);
  expect(await built()).toEqual([0, false]);
  rmSync(path.join(above.dir, "team/.git"), { recursive: true });
  expect(await built()).toEqual([1, true]);
});

test("what is above a project that is named by a link is what is above where it leads", async () => {
  mkdirSync(path.join(above.dir, "link"));
  const link = path.join(above.dir, "link/app");
  symlinkSync(app(), link);
  mkdirSync(path.join(above.dir, "team/.git"));
  expect(await built(link)).toEqual([0, false]);
  above.write("team/.codex/config.toml", 'sandbox_mode = "danger-full-access"\n');
  expect(await built(link)).toEqual([1, true]);
  const named = ["--project", link, "--host", "codex"];
  const env = { PATH: doctor.bin };
  expect((await above.run(["build", "--check", "--project", link])).exit).toBe(1);
  expect((await above.run(["doctor", "--role", "tester", ...named], { env })).out).toContain(
    "`sandbox_mode` in ../.codex",
  );
  expect((await above.run(["start", "tester", ...named], { env })).exit).toBe(1);
  expect(above.has("was-run")).toBe(false);
  rmSync(path.join(above.dir, "team/.codex"), { recursive: true });
});
