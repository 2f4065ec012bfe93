import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { captureProject, type CaptureProject, type Ran } from "../capture-project.ts";
import { startOAuthServer, type OAuthServer, type OAuthSettings } from "./oauth-server.mjs";

/** A project with the protected server `notes`, a home of its own, and a browser that goes where it is led. */
export interface LoginProject extends CaptureProject {
  readonly server: OAuthServer;
  /** Where logins are kept; below the home. */
  readonly file: string;
  readonly env: Record<string, string>;
  /** Runs a command in this home, and sees to it that no token of the server's is in what it printed. */
  rolecall(line: string, env?: Record<string, string>): Promise<Ran>;
  /** Addresses that the browser was given. */
  browsed(): string[];
  /** Logins as the file has them. */
  kept(): { readonly server: string; readonly place: string; readonly secrets?: Record<string, string> }[];
  end(): Promise<void>;
}

export async function loginProject(settings: Partial<OAuthSettings> = {}): Promise<LoginProject> {
  const server = await startOAuthServer(settings);
  const project = captureProject();
  const home = path.join(project.dir, "home");
  const history = path.join(home, "history");
  const file = path.join(home, ".config", "rolecall", "logins.json");
  mkdirSync(path.join(home, "bin"), { recursive: true });
  writeFileSync(history, "");
  project.declare(
    { notes: `{ connect: [{ http: "${server.resource}" }] }` },
    "roles: { reader: { tools: { notes: all } } }\n",
  );
  // The program that Linux opens an address with.
  const opener = path.join(home, "bin", "xdg-open");
  const script = path.join(import.meta.dirname, "browse.mjs");
  writeFileSync(opener, `#!/bin/sh\nexec "${process.execPath}" "${script}" "${history}" "$1"\n`);
  chmodSync(opener, 0o755);
  const env = { HOME: home, DISPLAY: ":0", PATH: `${path.dirname(opener)}${path.delimiter}/bin` };
  return Object.assign(project, {
    server,
    file,
    env,
    rolecall: async (line: string, more: Record<string, string> = {}) => {
      const ran = await project.run(line.split(" "), { env: { ...env, ...more } });
      for (const token of server.tokens()) expect(`${ran.out}${ran.err}`).not.toContain(token);
      return ran;
    },
    browsed: () => readFileSync(history, "utf8").split("\n").filter(Boolean),
    kept: () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).logins : []),
    end: async () => {
      await server.close();
      rmSync(project.dir, { recursive: true, force: true });
    },
  });
}

export function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}
