/**
 * Runs agent hosts offline against a model on loopback, with a project of four servers and six roles, and says for each
 * what holds: npm run test:hosts [-- --by-hand] [host...]. What can't be run here is said and isn't counted as failed.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { writeByHand, writeFiles } from "./by-hand/write.ts";
import { CHECKS } from "./checks.ts";
import type { Bench, Problems } from "./checks.ts";
import type { Host } from "./host.ts";
import { HOSTS } from "./hosts.ts";
import { cacheFolder, install } from "./install.ts";
import { atOnce } from "./at-once.ts";
import { observe } from "./observe.ts";
import type { Seen } from "./observe.ts";
import { readPlan } from "./plan.ts";
import { wideFiles } from "./wide.ts";

const HERE = import.meta.dirname;
const MOST_SHOWN = 8;
const WIDE_ROLES = ["lead", "tester", "nobody"];
const RESOURCES = 4;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "by-hand": { type: "boolean" }, verbose: { type: "boolean" } },
});
const unknown = positionals.filter((name) => HOSTS.every((host) => host.id !== name));
if (unknown.length > 0) {
  console.error(`no such host: ${unknown.join(", ")}; there are ${HOSTS.map((host) => host.id).join(", ")}`);
  process.exit(64);
}
const chosen = HOSTS.filter((host) => positionals.length === 0 || positionals.includes(host.id));
const root = mkdtempSync(path.join(tmpdir(), "rolecall-battery-"));
const started = Date.now();
let [passed, failed] = [0, 0];
try {
  for (const host of chosen) await battery(host);
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`\nin ${Math.round((Date.now() - started) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

async function battery(host: Host): Promise<void> {
  const installed = await install(host, cacheFolder(process.env));
  const version = Object.values(host.packages)[0] ?? "";
  if ("why" in installed) return console.log(`\n${host.id} ${version}: couldn't be run: ${installed.why}`);
  console.log(`\n${host.id} ${version}`);
  const began = Date.now();
  const project = built(host, values["by-hand"] === true);
  if (typeof project !== "string") return report("rolecall build", [project.said], Date.now() - began);
  const bench = benchOf(host, project, installed.folder);
  for (const [index, check] of CHECKS.entries()) {
    const began = Date.now();
    const roles = check.roles === "each" ? [...bench.plan.roles.keys()] : check.roles;
    const found = await Promise.all(
      roles.map(async (role) => (await check.problems(bench, role)).map((one) => `${role}: ${one}`)),
    );
    report(`(${index + 1}) ${check.title}`, found.flat(), Date.now() - began);
  }
  await seenFailing(host, installed.folder);
}

/** A check that can't fail proves nothing: each has to find something where everything is open. */
async function seenFailing(host: Host, packages: string): Promise<void> {
  const began = Date.now();
  const project = built(host, true);
  if (typeof project !== "string") return;
  for (const role of WIDE_ROLES) writeFiles(wideFiles(host.id, readPlan(project), role), project);
  const bench = benchOf(host, project, packages);
  const blind = await Promise.all(
    CHECKS.map(async (check, index) => {
      if (index === RESOURCES && host.resources === "none") return [];
      const found = await check.problems(bench, check.roles === "each" ? "lead" : (check.roles[0] ?? ""));
      if (values.verbose === true) console.log(index + 1, found);
      return found.length > 0 ? [] : [`(${index + 1}) found nothing where everything is open`];
    }),
  );
  report("each check fails where everything is open", blind.flat(), Date.now() - began);
}

function report(title: string, problems: Problems, ms: number): void {
  if (problems.length === 0) passed++;
  else failed++;
  console.log(`  ${problems.length === 0 ? "passed" : "FAILED"}  ${title} (${(ms / 1000).toFixed(1)} s)`);
  for (const problem of problems.slice(0, MOST_SHOWN)) {
    console.log(`            ${problem.split("\n").slice(0, 4).join("\n            ")}`);
  }
  if (problems.length > MOST_SHOWN) console.log(`            and ${problems.length - MOST_SHOWN} more`);
}

/** A copy of the project with the host's files: as rolecall writes them, or by hand from its plan. */
function built(host: Host, byHand: boolean): string | { readonly said: string } {
  const project = mkdtempSync(path.join(root, `${host.id}-`));
  cpSync(path.join(HERE, "project"), project, { recursive: true });
  const main = path.join(project, "rolecall.yaml");
  const hosts = byHand ? "" : `hosts: [${host.id}]`;
  writeFileSync(main, readFileSync(main, "utf8").replace(/^hosts:.*$/m, hosts));
  const cli = path.join(HERE, "..", "..", "dist", "cli.js");
  const build = spawnSync(process.execPath, [cli, "build", "--project", project], { encoding: "utf8" });
  if (build.status !== 0) return { said: build.stderr.trim() };
  if (byHand) writeByHand(host, readPlan(project), project);
  return project;
}

function benchOf(host: Host, project: string, packages: string): Bench {
  const watched = new Map<string, Promise<Seen>>();
  return {
    host,
    plan: readPlan(project),
    watch(setting) {
      const key = JSON.stringify(setting);
      const seen = watched.get(key) ?? atOnce(() => observe(host, { ...setting, project, packages }));
      watched.set(key, seen);
      return seen;
    },
  };
}
