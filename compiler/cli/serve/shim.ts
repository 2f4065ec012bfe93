import { visible } from "../../base/visible.ts";
import type { Hello } from "../../serve/hello.ts";
import { isTrouble } from "../../io/login/types.ts";
import { servePlace } from "../../io/serve/place.ts";
import { openToDaemon } from "../../io/serve/reach-daemon.ts";
import { runShim } from "../../io/serve/shim.ts";
import { EXIT, type Context } from "../command.ts";
import { version } from "../version.ts";
import { unsaidProject } from "./of-project.ts";

/** `rolecall serve --role`: standard output is the protocol's, so all that is said goes to standard error. */
export async function serveRole(context: Context, asked: Omit<Hello, "version">): Promise<number> {
  const exit = await passLines(context, asked);
  // What nobody reads would keep the process until somebody does.
  if (process.stdout.writableLength > 0) process.exit(exit);
  return exit;
}

async function passLines(context: Context, asked: Omit<Hello, "version">): Promise<number> {
  const { dir, terminal } = context;
  const hello = { ...asked, version };
  try {
    const place = servePlace(dir, terminal.env);
    const refused = await runShim({
      host: { input: process.stdin, output: process.stdout },
      open: async () => unsaidProject(asked) ?? openToDaemon(place, hello, dir),
      parent: () => process.ppid,
    });
    if (refused === undefined) return EXIT.fine;
    terminal.err.write(`rolecall: ${refused.says}\n${refused.next === "" ? "" : `  ${refused.next}\n`}`);
    return refused.exit;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    terminal.err.write(`rolecall: ${visible(problem.says)}\n  ${visible(problem.next)}\n`);
    return EXIT.errors;
  }
}
