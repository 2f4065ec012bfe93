import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { runBounded } from "./bounded-process.ts";
import type { Host } from "./host.ts";

/** Exact versions, the first its own. */
export type Needed = Pick<Host, "id" | "packages" | "installedAs">;
export type Installed = { readonly folder: string } | { readonly why: string };

/** Outside every repository: about 1.7 GB that no clean checkout should fetch twice. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const caches = env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache");
  return env["ROLECALL_HOSTS_CACHE"] ?? path.join(caches, "rolecall-hosts");
}

/** Installs a host at its pinned versions, once. What can't be installed is said, not thrown. */
export async function install(host: Needed, cache: string): Promise<Installed> {
  const [[main, version] = ["", ""]] = Object.entries(host.packages);
  const folder = path.join(cache, `${host.installedAs ?? host.id}-${version}`);
  if (existsSync(folder)) return { folder };
  const begun = `${folder}.${process.pid}`;
  mkdirSync(begun, { recursive: true });
  writeFileSync(path.join(begun, "package.json"), JSON.stringify({ private: true, dependencies: host.packages }));
  const npm = await runBounded({
    file: "npm",
    // Node 20 is older than some hosts ask for; they run all the same, and npm only warns where a version is exact.
    args: ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"],
    cwd: begun,
    env: Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ""])),
    timeoutMs: 300_000,
  });
  const problem = npm.exit === 0 ? notPinned(begun, main, version) : npm.err.trim().split("\n").slice(0, 2).join(", ");
  if (problem === undefined) renameSync(begun, folder);
  rmSync(begun, { recursive: true, force: true });
  return problem === undefined ? { folder } : { why: `${main}@${version}: ${problem}` };
}

/** A registry may give an older release that fits the Node at hand, and say nothing. */
function notPinned(folder: string, main: string, version: string): string | undefined {
  const file = path.join(folder, "node_modules", main, "package.json");
  const found = (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  return found === version ? undefined : `got ${found}`;
}
