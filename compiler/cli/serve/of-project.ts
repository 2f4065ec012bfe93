import { wrongUsage, type Args, type Context } from "../command.ts";

/** Hosts whose files a start copies into a person's home: from there any project's could be started. */
export const LIES_IN_A_HOME: ReadonlySet<string> = new Set(["codex"]);

/** An exit code where whose entry it is isn't said as it has to be. */
export function wrongOf({ terminal }: Context, { on, values }: Args): number | undefined {
  const [role, host] = [values.get("role"), values.get("host")];
  if (values.has("of")) {
    const way = ["http", "decide", "status", "stop", "accept"].find((flag) => on.has(flag) || values.has(flag));
    if (way === undefined) return undefined;
    return wrongUsage(terminal, "--of goes with --role", "rolecall serve --role ... --of ...");
  }
  if (role === undefined || host === undefined || !LIES_IN_A_HOME.has(host)) return undefined;
  return wrongUsage(
    terminal,
    `an entry for ${host} lies in your home, and this one doesn't say which project it is for (--of)`,
    `run this in that project, which writes it anew: rolecall start ${role} --host ${host}`,
  );
}
