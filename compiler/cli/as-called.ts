import { displayWidth } from "../base/display-width.ts";
import { wrap } from "../base/wrap.ts";
import { commands } from "./commands.ts";
import type { Stream, Terminal } from "./terminal.ts";

/**
 * The terminal of somebody who can't type `rolecall`, since it lies in a project's node_modules or in npx's cache alone:
 * commands in what is shown are spelled as they can be typed. Not so in what another program reads, or is published; nor in
 * pages of help, where `rolecall` is the command's name.
 */
export async function asCalled(terminal: Terminal, outIsForPrograms = false): Promise<Terminal> {
  if (!(await isByNpxAlone(terminal))) return terminal;
  return { ...terminal, out: outIsForPrograms ? terminal.out : spelling(terminal.out), err: spelling(terminal.err) };
}

/** What npm and npx put on the path is there for this run only. */
async function isByNpxAlone({ script = "", env, cwd }: Terminal): Promise<boolean> {
  if (!IN_MODULES.test(script)) return false;
  const { isOnPath } = await import("../io/start/find-program.ts");
  const by = env["PATH"] === undefined ? "Path" : "PATH";
  const between = process.platform === "win32" ? ";" : ":";
  const lasting = (env[by] ?? "").split(between).filter((folder) => !/[\\/]node_modules[\\/]/.test(`${folder}/`));
  return !isOnPath("rolecall", { ...env, [by]: lasting.join(between) }, cwd);
}

const IN_MODULES = /[\\/]node_modules[\\/]/;

/** Lines of sources are shown as they are. */
const EXCERPT = /^ *\d* \| /;

function spelling(stream: Stream): Stream {
  return {
    write: (text) => stream.write(withNpx(text, stream.width)),
    isTerminal: stream.isTerminal,
    get width() {
      return stream.width;
    },
  };
}

/** A line that no longer fits is broken again. */
export function withNpx(text: string, width: number = Infinity): string {
  const before = text.split("\n");
  return text
    .replace(COMMAND, "npx rolecall")
    .split("\n")
    .flatMap((line, i) => {
      if (EXCERPT.test(line)) return [before[i]!];
      return line === before[i] || displayWidth(line) <= width ? [line] : wrap(line, width, /^ */.exec(line)![0]);
    })
    .join("\n");
}

const NAMES = commands.flatMap(({ name, aliases }) => [name, ...aliases]);

/** Neither a name of another thing, such as a package, nor one that is spelled out already. It may stand at a line's end. */
const COMMAND = new RegExp(`(?<![\\w./@:-]|npx )rolecall(?=\\s+(?:--help|help|${NAMES.join("|")})(?![\\w-]))`, "g");
