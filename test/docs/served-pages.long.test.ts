import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { blocksOf } from "../support/markdown.ts";
import { ROOT } from "../support/root.ts";
import { servedProject, type ServedProject } from "../support/served-project.ts";

/** What docs/serve.md and docs/deploy.md show of a door is so, on a real one. */
let cli: BundledCli;
let project: ServedProject;
beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(
    cli.entry,
    {
      "rolecall.yaml":
        "version: 1\nproject: harbor\nenvExample: .env.example\nstate: { name: squad }\nroles: { tester: { tools: { squad: all } } }\n",
      ".env": "SECRET=x\n",
    },
    [["build"]],
  );
}, 120_000);
afterAll(() => {
  project.remove();
  cli.remove();
});

const page = (name: string) => blocksOf(readFileSync(path.join(ROOT, "docs", `${name}.md`), "utf8"));
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

test.skipIf(!hasCurl)(
  "a request by hand is answered as the page shows it",
  async () => {
    const blocks = page("serve");
    const at = blocks.findIndex(({ marks }) => marks["needs"] === "door");
    const door = await project.serveHttp();
    const TOKENS = /^tokens: (.*)$/m.exec(door.said)![1]!;
    const typed = blocks[at]!.text.replaceAll("http://127.0.0.1:8080", door.address);
    expect(typed).not.toBe(blocks[at]!.text);
    const { stdout, stderr } = spawnSync("sh", ["-c", typed], { env: { ...process.env, TOKENS }, encoding: "utf8" });
    await door.end();
    for (const line of blocks[at + 1]!.text.trimEnd().split("\n")) expect(stdout + stderr).toContain(line);
    expect(stdout).toContain('"name":"squad__squad_status"');
  },
  60_000,
);

test("an image without what .dockerignore names is served, and has no secret", async () => {
  const ignored = page("deploy").find(({ marks }) => marks["file"] === ".dockerignore")!.text;
  const image = path.join(project.dir, "../image");
  cpSync(project.dir, image, { recursive: true });
  for (const folder of ["apps/web/node_modules/x", ".runs/1"]) mkdirSync(path.join(image, folder), { recursive: true });
  for (const file of ["apps/web/node_modules/x/index.js", "apps/web/.env.local", ".runs/1/calls.jsonl"])
    writeFileSync(path.join(image, file), "");
  // Git reads such lines as Docker does, and takes away what they name.
  const git = (...words: string[]) => expect(spawnSync("git", words, { cwd: image }).status).toBe(0);
  git("init", "--quiet");
  appendFileSync(path.join(image, ".git/info/exclude"), ignored);
  git("clean", "--quiet", "-ffdX");
  for (const gone of [".env", "apps/web/.env.local", "apps/web/node_modules", "node_modules", ".runs", ".rolecall"])
    expect([gone, existsSync(path.join(image, gone))]).toEqual([gone, false]);
  const door = await project.serveHttp({ dir: image });
  expect(door.said).toContain("roles: tester");
  await door.end();
}, 60_000);
