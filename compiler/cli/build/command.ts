import {
  EXIT,
  heard,
  styleOf,
  wrongUsage,
  type Args,
  type Built,
  type Command,
  type Context,
  type Followed,
} from "../command.ts";
import { page, wrapped } from "../page.ts";
import { visibleJson } from "../../base/visible.ts";
import { jsonText } from "../../diagnostics/render-json.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { createProgress } from "../progress.ts";
import { buildJson, buildSummary, checkSummary, outOfDate } from "./page.ts";
import { noWords } from "../words.ts";

const help = `rolecall build: compile the project and write what comes out.
(\`rolecall sync\` is the same command.)

usage: rolecall build [--check | --watch] [--no-cache] [--downgrade]

Reads rolecall.yaml and the sources beside it, decides every role, server and
tool, and writes typed modules, access.json and ACCESS.md. All files are written
or, when the project has an error, none: the last good output stays as it is.
A build with nothing to change touches no file.

  rolecall build
  rolecall build --check         in CI: is the committed output up to date?
  rolecall build --watch         while you edit

flags:
  --check         write nothing; list files that are missing, different or stale
  --watch         build again whenever a source changes, until Ctrl+C
  --no-cache      read everything anew instead of trusting .rolecall/
  --downgrade     write also where a newer rolecall wrote the runtime
  --project DIR   the folder with rolecall.yaml, when it isn't here or above
  --json          diagnostics and files as JSON; with --watch one line a build
  --quiet         nothing but errors: with --check the exit code alone tells
  --no-color      no colours (NO_COLOR does the same)

Exit codes: 0 written or up to date, 1 errors in the project, 2 out of date
(with --check).
`;

export const build: Command = {
  help,
  flags: [{ name: "check" }, { name: "watch" }, { name: "no-cache" }, { name: "downgrade" }],
  run: async (context, args) => {
    const wrong = noWords("build", args, context);
    if (wrong !== undefined) return wrong;
    if (args.on.has("check") && args.on.has("watch")) {
      return wrongUsage(
        context.terminal,
        "--check and --watch can't be given together",
        "--check looks once and writes nothing; --watch goes on writing",
      );
    }
    return args.on.has("watch")
      ? buildOnChange(context, args)
      : exitCode(await buildOnce(context, args), args.on.has("check"));
  },
};

async function buildOnce(context: Context, args: Args): Promise<Built> {
  const { terminal } = context;
  const check = args.on.has("check");
  const start = terminal.now();
  const progress = createProgress(context);
  const built = await context.engine
    .build(context.dir, {
      check,
      cache: !args.on.has("no-cache"),
      downgrade: args.on.has("downgrade"),
      progress: progress.tell,
    })
    .finally(progress.done);
  if (context.json) terminal.out.write(jsonOf(built, args));
  else show(built, check, terminal.now() - start, context);
  return built;
}

function show(built: Built, check: boolean, ms: number, context: Context): void {
  const { out, err } = context.terminal;
  err.write(renderText(heard(context, built.diagnostics), styleOf(context, err)));
  if (context.quiet) return;
  if (built.outcome === undefined) err.write(page([wrapped([check ? UNCHECKED : UNWRITTEN], styleOf(context, err))]));
  else
    out.write(
      check
        ? checkSummary(built.outcome, styleOf(context, out))
        : buildSummary(built.counts, built.outcome, ms, styleOf(context, out)),
    );
}

const UNCHECKED = "not checked: the project has errors";
const UNWRITTEN = "nothing was written; what an earlier build wrote stays as it is";

function jsonOf(built: Built, args: Args): string {
  const json = buildJson(built, args.on.has("check"));
  return args.on.has("watch") ? `${visibleJson(JSON.stringify(json))}\n` : jsonText(json);
}

function exitCode(built: Built, check: boolean): number {
  if (built.outcome === undefined || built.diagnostics.some(({ severity }) => severity === "error")) return EXIT.errors;
  return check && outOfDate(built.outcome).length > 0 ? EXIT.difference : EXIT.fine;
}

/** One build at a time; changes during a build lead to one more, but not those that the build itself made. */
async function buildOnChange(context: Context, args: Args): Promise<number> {
  let wake: () => void = () => {};
  const state = { changed: true, stopped: false };
  const notice = (what: keyof typeof state) => {
    state[what] = true;
    wake();
  };
  let own: ReadonlySet<string> = new Set();
  let followed: Followed = { others: [], folder: "mcp" };
  const changed = (files: readonly string[]) => {
    if (!files.every((file) => own.has(file))) notice("changed");
  };
  const stopWatching = await context.engine.watch(context.dir, changed, () => followed);
  void context.terminal.stopped().then(() => notice("stopped"));
  while (!state.stopped) {
    if (state.changed) {
      state.changed = false;
      const built = await buildOnce(context, args);
      own = touchedBy(built);
      followed = { others: built.others, folder: built.folder };
      if (!context.json && !context.quiet && !state.changed)
        context.terminal.err.write("watching for changes; Ctrl+C stops\n");
    } else {
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  stopWatching();
  return EXIT.fine;
}

function touchedBy({ outcome }: Built): ReadonlySet<string> {
  return new Set(outcome === undefined ? [] : [...outcome.missing, ...outcome.differs, ...outcome.stale]);
}
