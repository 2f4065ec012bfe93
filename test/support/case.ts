import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { Dirent } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { matches } from "./file-pattern.ts";

/**
 * A case is a folder: `input` is a project as a user has it, `expected` is what one command wrote and printed.
 * The command runs on a copy, so a case can be read, run and rewritten without anything left behind.
 */
export interface Case {
  /** `<room>/<case>`, below test/cases. */
  readonly name: string;
  readonly folder: string;
  /** What it guards, in the words of its first comment line. */
  readonly guards: string;
  readonly settings: CaseSettings;
}

/** `case.json`: only where the command isn't a plain `build`, or not everything is to be compared. */
export interface CaseSettings {
  /** What the case guards, where there is no rolecall.yaml to say it. */
  readonly guards?: string;
  readonly command?: readonly string[];
  /** Commands that run first; what they print and write isn't compared. */
  readonly before?: readonly (readonly string[])[];
  readonly exit?: number;
  /** Patterns of the files that are compared; `output.txt` is one of them. */
  readonly only?: readonly string[];
  /** Files that can't or shouldn't lie in a repository. */
  readonly make?: Readonly<Record<string, MadeFile>>;
}

/** A symbolic link, or a text of repetition. */
export type MadeFile =
  | { readonly link: string }
  | { readonly before?: string; readonly repeat: string; readonly times: number; readonly after?: string };

/** Text by path, sorted by path. */
export type Files = Readonly<Record<string, string>>;

/** Runs one command in a folder and says what it printed, on both streams in the order of printing. */
export type Run = (
  command: readonly string[],
  folder: string,
) => Promise<{ readonly exit: number; readonly printed: string }>;

export const MOST_LINES = 200;

/** Written by every build and proven elsewhere: a case that is about one of them names it in `only`. */
const ELSEWHERE = [
  ".rolecall/**", // the cache: never needed for a right result
  "**/runtime.ts", // made of runtime/
  "**/runtime-*.ts",
  "**/files.txt", // the list of what is written, most of which is compared already
  "**/.gitattributes", // names what that list names
  "mcp/schema/**", // long; the editor schemas have cases of their own
];

const PARTS = ["input", "expected", "case.json"];
const SETTINGS = ["guards", "command", "before", "exit", "only", "make"];

/** Every case below a folder, and whatever lies there that belongs to none. */
export function findCases(root: string): { readonly cases: readonly Case[]; readonly orphans: readonly string[] } {
  const cases: Case[] = [];
  const orphans: string[] = [];
  const visit = (entries: readonly Dirent[], folder: string): void => {
    if (entries.length === 0) orphans.push(nameIn(root, folder));
    for (const entry of entries) {
      const inside = path.join(folder, entry.name);
      if (!entry.isDirectory()) orphans.push(nameIn(root, inside));
      else if (entriesOf(inside).some((e) => PARTS.includes(e.name))) take(inside);
      else visit(entriesOf(inside), inside);
    }
  };
  const take = (folder: string): void => {
    const strangers = entriesOf(folder).filter((e) => !PARTS.includes(e.name));
    orphans.push(...strangers.map((e) => nameIn(root, path.join(folder, e.name))));
    cases.push(readCase(root, folder));
  };
  visit(entriesOf(root), root);
  return { cases, orphans };
}

function readCase(root: string, folder: string): Case {
  const file = path.join(folder, "case.json");
  const settings: CaseSettings = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return {
    name: nameIn(root, folder),
    folder,
    settings,
    guards: settings.guards ?? firstComment(path.join(folder, "input", "rolecall.yaml")),
  };
}

function firstComment(file: string): string {
  if (!existsSync(file)) return "";
  return /^# *(\S.*)/.exec(readFileSync(file, "utf8"))?.[1]?.trim() ?? "";
}

/** What is wrong with the case itself, before it runs. */
export function flawsOf(one: Case): string[] {
  const unknown = Object.keys(one.settings).filter((key) => !SETTINGS.includes(key));
  const long = Object.entries(expectedOf(one)).filter(([, text]) => text.split("\n").length - 1 > MOST_LINES);
  return [
    ...(one.guards === "" ? ["the first line of input/rolecall.yaml doesn't say in a comment what it guards"] : []),
    ...(existsSync(path.join(one.folder, "input")) ? [] : ["it has no input folder"]),
    ...unknown.map((key) => `case.json doesn't know \`${key}\``),
    ...long.map(
      ([file]) => `expected/${file} is longer than ${MOST_LINES} lines: nobody would read it, name less in \`only\``,
    ),
  ];
}

export function expectedOf(one: Case): Files {
  const folder = path.join(one.folder, "expected");
  return existsSync(folder) ? filesOf(folder) : {};
}

/** What the command wrote, and printed (`output.txt`), as far as the case is about it. */
export async function runCase(one: Case, run: Run): Promise<Files> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-case-")));
  try {
    prepare(one, folder);
    for (const command of one.settings.before ?? []) await run(command, folder);
    const before = filesOf(folder);
    const { exit, printed } = await run(one.settings.command ?? ["build"], folder);
    refuseSurprise(one, exit, printed, folder);
    const after = filesOf(folder);
    const gone = Object.keys(before).filter((file) => !(file in after) && !file.startsWith(".rolecall/"));
    const output = [
      printed,
      ...gone.map((file) => `(removed ${file})\n`),
      ...(exit === 0 ? [] : [`(exit ${exit})\n`]),
    ].join("");
    const wrote = Object.entries(after).filter(([file, text]) => before[file] !== text);
    return pick({ ...Object.fromEntries(wrote), "output.txt": output }, one.settings.only);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepare(one: Case, folder: string): void {
  cpSync(path.join(one.folder, "input"), folder, { recursive: true, verbatimSymlinks: true });
  for (const [file, made] of Object.entries(one.settings.make ?? {})) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    if ("link" in made) symlinkSync(made.link, target);
    else writeFileSync(target, (made.before ?? "") + made.repeat.repeat(made.times) + (made.after ?? ""));
  }
}

/** These can't be expected, so no update may write them down. */
function refuseSurprise(one: Case, exit: number, printed: string, folder: string): void {
  const said = one.settings.exit;
  if (said !== undefined && exit !== said)
    throw new Error(`${one.name}: exit ${exit}, and case.json says ${said}; it printed:\n${printed}`);
  if (printed.includes(folder)) throw new Error(`${one.name}: the output names the folder it ran in:\n${printed}`);
  if (printed.includes("a mistake of its own")) throw new Error(`${one.name}: the compiler itself failed:\n${printed}`);
  if (printed.includes("\u001B[")) throw new Error(`${one.name}: the output is coloured:\n${printed}`);
}

function pick(files: Files, only: readonly string[] | undefined): Files {
  const useless = (only ?? []).filter((pattern) => !Object.keys(files).some((file) => matches(file, pattern)));
  if (useless.length > 0) throw new Error(`\`only\` names what wasn't written: ${useless.join(", ")}`);
  const wanted = (file: string) =>
    only ? only.some((p) => matches(file, p)) : !ELSEWHERE.some((p) => matches(file, p));
  return sortedFiles(Object.entries(files).filter(([file]) => wanted(file)));
}

/** Rewrites `expected`. On a build machine nobody would look at what changed. */
export function update(one: Case, actual: Files): void {
  if (process.env["CI"]) throw new Error("expected files are updated by a person who reads the change, not in CI");
  const folder = path.join(one.folder, "expected");
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries(actual)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

/** Every file below a folder; a link is its target's name, never followed. */
function filesOf(folder: string): Files {
  const found: [string, string][] = [];
  const visit = (at: string): void => {
    for (const entry of entriesOf(at)) {
      const full = path.join(at, entry.name);
      if (entry.isDirectory()) visit(full);
      else
        found.push([
          nameIn(folder, full),
          entry.isSymbolicLink() ? `-> ${readlinkSync(full)}` : readFileSync(full, "utf8"),
        ]);
    }
  };
  visit(folder);
  return sortedFiles(found);
}

function sortedFiles(files: readonly (readonly [string, string])[]): Files {
  return Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function nameIn(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join("/");
}
