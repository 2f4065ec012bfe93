import type { Hello, Refused } from "../../serve/hello.ts";
import { EXIT } from "../command.ts";

/** Hosts whose files a start copies into a person's home: from there any project's could be started. */
export const LIES_IN_A_HOME: ReadonlySet<string> = new Set(["codex"]);

/** An entry that doesn't say whose it is, where it has to. One that an earlier build wrote into the project itself may. */
export function unsaidProject({ role, host, project }: Omit<Hello, "version">): Refused | undefined {
  if (project !== undefined || host === undefined || !LIES_IN_A_HOME.has(host)) return undefined;
  return {
    exit: EXIT.wrongUsage,
    says: `an entry for ${host} lies in your home, and this one doesn't say which project it is for (--of)`,
    next: `in that project, \`rolecall build\`, then \`rolecall start ${role} --host ${host}\`, which writes it anew`,
  };
}
