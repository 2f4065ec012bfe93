/**
 * Runs agent hosts offline against a model on loopback, with a project of eight servers and six roles, and says for each
 * what holds: npm run test:hosts [-- options] [host...]. What can't be run here is said and isn't counted as failed.
 *
 *   --prove            each check has to fail where everything is open, too
 *   --verbose          with what it found there
 *   --within SECONDS   nothing is begun after that
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { CHECKS as PLAIN_CHECKS, overruledOpensNothing } from "./checks.ts";
import { SERVED_CHECKS } from "./served-checks.ts";
import type { Bench, Problems } from "./checks.ts";
import type { Host } from "./host.ts";
import { HOSTS } from "./hosts.ts";
import { cacheFolder, install } from "./install.ts";
import type { Installed, Needed } from "./install.ts";
import { atOnce } from "./at-once.ts";
import { runBounded } from "./bounded-process.ts";
import { CONFORMANCE, openConformance, REVISIONS } from "./conformance.ts";
import { observe } from "./observe.ts";
import type { Seen } from "./observe.ts";
import { readPlan } from "./plan.ts";
import { CLI } from "./cli.ts";
import { typeProblems, TYPED_HOSTS, TYPED_PACKAGES } from "./types.ts";
import { wideFiles, writeFiles } from "./wide.ts";

const HERE = import.meta.dirname;
const CHECKS = [...PLAIN_CHECKS, ...SERVED_CHECKS, overruledOpensNothing];
const MOST_SHOWN = 8;
const WIDE_ROLES = ["lead", "tester", "nobody"];
const RESOURCES = 4;
/** Twelve sessions, one after the other. */
const TEAM_STATE_MS = 400_000;
/** The bundled command; and variables from a file of its own, since hosts hand on few, and each others. */
const SERVING = `serve: { command: [${process.execPath}, ${CLI}], env: serve.env, idle: 20s, askHold: 3s, approvers: [program] }\n`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { prove: { type: "boolean" }, verbose: { type: "boolean" }, within: { type: "string" } },
});
const [TYPES, TEAM_STATE] = ["types", "team-state"];
const names = [...HOSTS.map((host) => host.id), TYPES, TEAM_STATE, CONFORMANCE.id];
const unknown = positionals.filter((name) => !names.includes(name));
const seconds = Number(values.within ?? Infinity);
if (unknown.length > 0 || !(seconds > 0)) {
  if (unknown.length > 0) console.error(`no such host: ${unknown.join(", ")}; there are ${names.join(", ")}`);
  else console.error("--within takes a number of seconds");
  process.exit(64);
}
const isChosen = (name: string) => positionals.length === 0 || positionals.includes(name);
const chosen = HOSTS.filter((host) => isChosen(host.id));
const root = mkdtempSync(path.join(tmpdir(), "rolecall-battery-"));
const started = Date.now();
const tooLate = () => Date.now() - started > seconds * 1000;
const installing = new Map<string, Promise<Installed>>();
let [passed, failed] = [0, 0];
try {
  // It takes seconds, and the hosts what time is left.
  if (isChosen(CONFORMANCE.id)) await conformance();
  for (const [index, host] of chosen.entries()) {
    const installed = await installedOnce(host);
    // The next one arrives while this one runs.
    for (const next of chosen.slice(index + 1, index + 2)) void installedOnce(next);
    await battery(host, installed);
  }
  if (isChosen(TYPES)) await types();
  if (isChosen(TEAM_STATE)) await teamState();
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`\nin ${Math.round((Date.now() - started) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : passed === 0 ? 3 : 0;

function installedOnce(needed: Needed): Promise<Installed> {
  const known = installing.get(needed.id);
  if (known !== undefined) return known;
  const late: Installed = { why: `no time was left of ${seconds} s` };
  const begun = tooLate() ? Promise.resolve(late) : install(needed, cacheFolder(process.env));
  installing.set(needed.id, begun);
  return begun;
}

async function battery(host: Host, installed: Installed): Promise<void> {
  const version = Object.values(host.packages)[0] ?? "";
  const why = "why" in installed ? installed.why : tooLate() ? `no time was left of ${seconds} s` : undefined;
  if (why !== undefined || "why" in installed) return console.log(`\n${host.id} ${version}: couldn't be run: ${why}`);
  console.log(`\n${host.id} ${version}`);
  const began = Date.now();
  const project = builtFor(host);
  if (typeof project !== "string") return report("rolecall build", [project.said], Date.now() - began);
  const bench = benchOf(host, project, installed.folder);
  for (const [index, check] of CHECKS.entries()) {
    if (check.isFor?.(host) === false) continue;
    const began = Date.now();
    const roles = check.roles === "each" ? [...bench.plan.roles.keys()] : check.roles;
    const found = await Promise.all(
      roles.map(async (role) => (await check.problems(bench, role)).map((one) => `${role}: ${one}`)),
    );
    report(`(${index + 1}) ${check.title}`, found.flat(), Date.now() - began);
  }
  // Behind a gateway nothing can be opened in the host.
  if (values.prove === true && host.served === undefined) await seenFailing(host, installed.folder);
}

/** The modules and files of hosts that publish types, whether they run here or not. */
async function types(): Promise<void> {
  const folders: string[] = [];
  for (const needed of TYPED_PACKAGES) {
    const installed = await installedOnce(needed);
    if ("why" in installed) return console.log(`\n${TYPES}: couldn't be checked: ${installed.why}`);
    folders.push(installed.folder);
  }
  const began = Date.now();
  console.log(`\n${TYPES}`);
  const project = built(TYPES, TYPED_HOSTS);
  const problems = typeof project === "string" ? typeProblems(project, folders) : [project.said];
  report("what is written fits the hosts' own types", problems, Date.now() - began);
}

/** A project of its own, in four of the hosts. */
async function teamState(): Promise<void> {
  if (tooLate()) return console.log(`\n${TEAM_STATE}: couldn't be run: no time was left of ${seconds} s`);
  console.log(`\n${TEAM_STATE}`);
  const began = Date.now();
  const args = [path.join("scripts", "run.mjs"), path.join("test", "hosts", "team-state.ts")];
  const own = { cwd: path.join(HERE, "..", ".."), env: process.env as Record<string, string> };
  const { exit, out, err } = await runBounded({ file: process.execPath, args, ...own, timeoutMs: TEAM_STATE_MS });
  const said = out.split("\n");
  for (const line of said) if (line.includes(" skipped: ")) console.log(`  ${line}`);
  const found = said.filter((line) => line.startsWith("FAIL")).map((line) => line.slice("FAIL ".length));
  const problems = exit === 0 || found.length > 0 ? found : [exit === null ? "it came to no end" : err.trim()];
  report("a role reads its team's state through the entry, and nothing that it may not", problems, Date.now() - began);
}

/** The door over HTTP, as the protocol's own suite sees it. */
async function conformance(): Promise<void> {
  const installed = await installedOnce(CONFORMANCE);
  const why = "why" in installed ? installed.why : tooLate() ? `no time was left of ${seconds} s` : undefined;
  if (why !== undefined || "why" in installed) return console.log(`\n${CONFORMANCE.id}: couldn't be run: ${why}`);
  console.log(`\n${CONFORMANCE.id} ${Object.values(CONFORMANCE.packages)[0]}`);
  const door = await openConformance(root, installed.folder);
  for (const revision of REVISIONS) {
    const began = Date.now();
    report(`what isn't closed on purpose is as ${revision} has it`, await door.problems(revision), Date.now() - began);
  }
  door.close();
}

/** A check that can't fail proves nothing: each has to find something where everything is open. */
async function seenFailing(host: Host, packages: string): Promise<void> {
  const began = Date.now();
  const project = built(host.id, host.id);
  if (typeof project !== "string") return;
  for (const role of WIDE_ROLES) writeFiles(wideFiles(host.id, readPlan(project), role), project);
  const bench = benchOf(host, project, packages);
  const blind = await Promise.all(
    CHECKS.map(async (check, index) => {
      if (check.isFor?.(host) === false || (index === RESOURCES && host.resources === "none")) return [];
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

function builtFor({ id, installedAs, entry, served }: Host): ReturnType<typeof built> {
  const name = installedAs ?? id;
  return built(id, entry?.(name) ?? name, served !== undefined ? SERVING : "");
}

/** A copy of the project with the files that rolecall writes for hosts. */
function built(name: string, hosts: string, settings = ""): string | { readonly said: string } {
  const project = mkdtempSync(path.join(root, `${name}-`));
  cpSync(path.join(HERE, "project"), project, { recursive: true });
  const main = path.join(project, "rolecall.yaml");
  writeFileSync(main, readFileSync(main, "utf8").replace(/^hosts:.*$/m, `hosts: [${hosts}]`) + settings);
  writeFileSync(path.join(project, "serve.env"), "TRACKER_TOKEN=test-tracker\nVAULT_TOKEN=test-vault\n");
  const build = spawnSync(process.execPath, [CLI, "build", "--project", project], { encoding: "utf8" });
  if (build.status !== 0) return { said: build.stderr.trim() };
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
