import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refuseSharedSecrets } from "../../compiler/cli/serve/open-http.ts";
import { temporaryFolder } from "../support/git-project.ts";

let dir: string;
beforeEach(() => (dir = temporaryFolder()));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("a file of variables that git tracks is taken out by one word of a shell", () => {
  const file = "v;touch PWN.env";
  writeFileSync(path.join(dir, file), "TOKEN=x\n");
  execFileSync("git", ["init", "-q", dir]);
  execFileSync("git", ["-C", dir, "add", "-A"]);
  const settings = { env: { file }, http: { auth: { tokens: [["tester", "TOKEN"]] } } };
  const served = { settings } as unknown as Parameters<typeof refuseSharedSecrets>[1];
  expect(() => refuseSharedSecrets(dir, served, { env: {}, from: () => "file" })).toThrow(
    expect.objectContaining({ next: expect.stringContaining("(git rm --cached 'v;touch PWN.env')") }),
  );
});
