import path from "node:path";
import { createAuditor, type SaidToChange } from "../../calls/audit.ts";
import { readCall } from "../../calls/read-call.ts";
import { createTally } from "../../calls/tally.ts";
import type { Audit, Call, Summary } from "../../calls/types.ts";
import { visible } from "../../base/visible.ts";
import { hasProject } from "../../io/read/find-project.ts";
import { newestRecord, RECORDS } from "../../io/read/find-record.ts";
import { openRecord, standardInput, type RecordPart } from "../../io/read/record-lines.ts";
import { createSieve, type CallFilter, type Stranger } from "./filter.ts";
import type { Context } from "../command.ts";
import { createProgress } from "../progress.ts";

export interface CallsQuestion {
  /** None: the newest record of the project. */
  readonly files: readonly string[];
  readonly audit: boolean;
  readonly filter: CallFilter;
}

/** What was read, and what came of it. */
export interface Reading {
  readonly files: readonly string[];
  readonly lines: number;
  readonly unreadable: Unreadable;
  readonly filter: CallFilter;
  /** Names that the filter asks for and nobody has, with those that there are. */
  readonly strangers: readonly Stranger[];
  readonly summary: Summary;
  readonly audit: Audit | undefined;
}

export interface Unreadable {
  readonly count: number;
  /** The first few, as `file:line`. */
  readonly first: readonly string[];
}

/** Why there is nothing to show, and the next step. */
export interface Problem {
  readonly problem: string;
  readonly next: string;
}

const HOW = 'an app writes one with team({ record: ".runs/{run}/calls.jsonl" })';

export async function readCalls(context: Context, question: CallsQuestion): Promise<Reading | Problem> {
  const parts = await partsOf(context, question.files);
  return "problem" in parts ? parts : readParts(context, parts, question);
}

async function partsOf(context: Context, files: readonly string[]): Promise<readonly RecordPart[] | Problem> {
  if (files.length === 0) {
    context.opened();
    const found = newestRecord(path.join(context.dir, RECORDS));
    if (found === undefined)
      return {
        problem: `no file below ${RECORDS}/ ends in calls.jsonl`,
        next: `name the record: rolecall calls FILE; ${HOW}`,
      };
    return open(found, shortName(found, context), new Set());
  }
  const known = new Set<string>();
  const parts: RecordPart[] = [];
  for (const file of new Set(files)) {
    const opened = file === "-" ? [standardInput()] : await open(path.resolve(context.terminal.cwd, file), file, known);
    if ("problem" in opened) return opened;
    parts.push(...opened);
  }
  return parts;
}

/** A folder stands for its newest record. */
async function open(file: string, name: string, known: Set<string>): Promise<readonly RecordPart[] | Problem> {
  try {
    return await openRecord(file, name, known);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "an error";
    if (code !== "EISDIR")
      return { problem: `\`${visible(name)}\` can't be read: ${WHY[code] ?? `the system answers ${code}`}`, next: HOW };
    const newest = newestRecord(file);
    if (newest !== undefined) return open(newest, path.join(name, path.relative(file, newest)), known);
    return { problem: `no file in \`${visible(name)}\` ends in calls.jsonl`, next: "name the file itself" };
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "the system doesn't allow it",
  EPERM: "the system doesn't allow it",
};

function shortName(file: string, { terminal }: Context): string {
  const below = path.relative(terminal.cwd, file);
  return below.startsWith("..") ? path.basename(file) : below;
}

const SHOWN = 3;

async function readParts(
  context: Context,
  parts: readonly RecordPart[],
  { audit, filter }: CallsQuestion,
): Promise<Reading | Problem> {
  const tally = createTally();
  const auditor = audit ? createAuditor(await pinnedHints(context)) : undefined;
  const sieve = createSieve(filter);
  const take = (call: Call): void => {
    if (!sieve.lets(call)) return;
    tally.add(call);
    auditor?.add(call);
  };
  const progress = createProgress(context);
  const counted: Counted = { lines: 0, unreadable: 0, first: [] };
  try {
    for (const part of parts) await readPart(part, counted, take, (doing) => progress.tell(doing));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "an error";
    return { problem: `the record can't be read to its end: the system answers ${code}`, next: "try again" };
  } finally {
    progress.done();
  }
  const { lines, unreadable, first } = counted;
  const files = parts.map(({ name }) => name);
  if (lines > 0 && unreadable === lines)
    return { problem: `no line of \`${visible(files[0]!)}\` is the record of a call`, next: HOW };
  return {
    files,
    lines,
    unreadable: { count: unreadable, first },
    filter,
    strangers: sieve.strangers(),
    summary: tally.summary(),
    audit: auditor?.audit(),
  };
}

/** Of the project, where there is one and it can be read so far: an audit is worth having without. */
async function pinnedHints({ dir, engine }: Context): Promise<SaidToChange> {
  if (!hasProject(dir)) return () => undefined;
  const { plan } = await engine.compile(dir);
  const servers = new Map(
    plan.servers.map(({ name, tools }) => [
      name as string,
      new Map(tools.map((tool) => [tool.name as string, tool.changes])),
    ]),
  );
  return (server, tool) => servers.get(server)?.get(tool);
}

interface Counted {
  lines: number;
  unreadable: number;
  readonly first: string[];
}

async function readPart(
  { name, lines }: RecordPart,
  counted: Counted,
  take: (call: Call) => void,
  tell: (doing: string) => void,
): Promise<void> {
  let number = 0;
  for await (const some of lines()) {
    for (const line of some) {
      number++;
      if (line === "" || line === "\r") continue;
      counted.lines++;
      const call = line === undefined ? undefined : readCall(number === 1 ? line.replace(/^\ufeff/, "") : line);
      if (call !== undefined) {
        take(call);
        continue;
      }
      counted.unreadable++;
      if (counted.first.length < SHOWN) counted.first.push(`${name}:${number}`);
    }
    tell(`read ${counted.lines} lines, now ${name}`);
  }
}
