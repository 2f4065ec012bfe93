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

/** Whoever wraps for it leaves room for what is put before a command; a line with several is broken again. */
function spelling(stream: Stream): Stream {
  return {
    write: (text) => stream.write(withNpx(text, stream.width)),
    writeAsIs: (text) => stream.write(text),
    isTerminal: stream.isTerminal,
    get width() {
      return stream.width && Math.max(NARROWEST, stream.width - NPX.length);
    },
  };
}

const NPX = "npx ";
/** Below it words are wider than lines. */
const NARROWEST = 16;

/** A line that no longer fits is broken again, and not behind `npx`. */
export function withNpx(text: string, width: number = Infinity): string {
  const before = text.split("\n");
  return text
    .replace(COMMAND, `npx${GLUE}rolecall`)
    .split("\n")
    .flatMap((line, i) => {
      if (EXCERPT.test(before[i]!.replace(PAINT, ""))) return [before[i]!];
      return line === before[i] ? [line] : brokenAgain(line, width);
    })
    .join("\n")
    .replaceAll(GLUE, " ");
}

/** Colour takes no columns. */
function brokenAgain(line: string, width: number): string[] {
  const plain = line.replace(PAINT, BRUSH);
  if (displayWidth(plain) <= width) return [line];
  const painted = line.match(PAINT) ?? [];
  const lines = wrap(plain, width, /^ */.exec(plain.replaceAll(BRUSH, ""))![0]);
  return lines.map((one) => one.replaceAll(BRUSH, () => painted.shift() ?? ""));
}

/** What `paint` adds. Neither that nor what stands in place of it and of a space is in a text that is shown: `visible` says it in words. */
const PAINT = /\u001b\[[\d;]*m/g;
const BRUSH = "\u2060";
const GLUE = "\u0000";

const NAMES = commands.flatMap(({ name, aliases }) => [name, ...aliases]);

/** Neither a name of another thing, such as a package, nor one that is spelled out already. It may stand at a line's end. */
const COMMAND = new RegExp(
  `(?<!(?<!\\u001b\\[[\\d;]*)[\\w./@:-]|npx (?:-\\S+ )*)rolecall(?=\\s+(?:--help|help|${NAMES.join("|")})(?![\\w-]))`,
  "g",
);
