import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./root.ts";

/** `rolecall` as somebody has it who linked the package: bundled, on the path, far from the sources. */
export interface BundledCli {
  /** An empty folder for a project. */
  folder(name: string): string;
  /** One command line of a shell, with the CLI on its path. */
  run(line: string, folder: string): { readonly exit: number; readonly out: string; readonly err: string };
  /** What Node runs: for whoever starts it otherwise. */
  readonly entry: string;
  remove(): void;
}

/** A copy of the package is bundled, so that dist/ of the repository stays what it is. `version`: as if it were that one. */
export function bundledCli(version?: string): BundledCli {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-newcomer-")));
  const pack = path.join(home, "package");
  for (const part of ["compiler", "runtime", "schemas", "scripts", "package.json"]) {
    cpSync(path.join(ROOT, part), path.join(pack, part), { recursive: true });
  }
  const about = path.join(pack, "package.json");
  if (version !== undefined)
    writeFileSync(about, readFileSync(about, "utf8").replace(/"version": "[^"]+"/, `"version": "${version}"`));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(pack, "node_modules"), "dir");
  execFileSync(process.execPath, [path.join(pack, "scripts", "bundle.mjs")]);
  const bin = path.join(home, "bin");
  mkdirSync(bin);
  const command = `#!/bin/sh\nexec "${process.execPath}" "${path.join(pack, "dist", "cli.js")}" "$@"\n`;
  writeFileSync(path.join(bin, "rolecall"), command, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env["PATH"]}`, NO_COLOR: "1", COLUMNS: "80" };
  return {
    folder(name) {
      const folder = path.join(home, name);
      mkdirSync(folder);
      return folder;
    },
    run(line, folder) {
      const ended = spawnSync("sh", ["-c", line], { cwd: folder, env, encoding: "utf8" });
      return { exit: ended.status ?? -1, out: ended.stdout, err: ended.stderr };
    },
    entry: path.join(pack, "dist", "cli.js"),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
