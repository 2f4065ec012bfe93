import type { Plan } from "../3-plan/types.ts";
import { createAuditor, type SaidToChange } from "./audit.ts";
import { createSieve, type CallFilter, type Stranger } from "./filter.ts";
import { readCall } from "./read-call.ts";
import { readReport } from "./read-report.ts";
import { createTally } from "./tally.ts";
import type { Audit, Call, CallsSummary } from "./types.ts";

/** What was read of a record, and what came of it. */
export interface CallsRead {
  readonly files: readonly string[];
  readonly lines: number;
  readonly unreadable: UnreadableLines;
  readonly filter: CallFilter;
  /** Names that the filter asks for and nobody has, with those that there are. */
  readonly strangers: readonly Stranger[];
  readonly summary: CallsSummary;
  readonly audit: Audit | undefined;
}

export interface UnreadableLines {
  readonly count: number;
  /** The first few, as `file:line`. */
  readonly first: readonly string[];
}

/** A part of a record; undefined stands for a line that is too long to be one. */
export interface NamedLines {
  readonly name: string;
  lines(): AsyncIterable<readonly (string | undefined)[]>;
}

const SHOWN = 3;

/** `pinned`: makes an audit too. `tell` hears now and then how far it is. Rejects when the lines can't be had. */
export async function readRecord(
  parts: readonly NamedLines[],
  filter: CallFilter,
  pinned: SaidToChange | undefined,
  tell: (doing: string) => void,
): Promise<CallsRead> {
  const tally = createTally();
  const auditor = pinned && createAuditor(pinned);
  const sieve = createSieve(filter);
  const take = (call: Call): void => {
    if (!sieve.lets(call)) return;
    tally.add(call);
    auditor?.add(call);
  };
  const read = await readEachCall(parts, take, tell);
  return { ...read, filter, strangers: sieve.strangers(), summary: tally.summary(), audit: auditor?.audit() };
}

/** Every call of a record, one after the other, to whoever counts them. */
export async function readEachCall(
  parts: readonly NamedLines[],
  take: (call: Call) => void,
  tell: (doing: string) => void,
): Promise<Pick<CallsRead, "files" | "lines" | "unreadable">> {
  const counted: Counted = { lines: 0, unreadable: 0, first: [] };
  for (const part of parts) await readPart(part, counted, take, tell);
  return {
    files: parts.map(({ name }) => name),
    lines: counted.lines,
    unreadable: { count: counted.unreadable, first: counted.first },
  };
}

/** By what the pinned hints of the project's servers say. */
export function pinnedHints({ servers }: Plan): SaidToChange {
  const changes = new Map(
    servers.map(({ name, tools }) => [
      name as string,
      new Map(tools.map((tool) => [tool.name as string, tool.changes])),
    ]),
  );
  return (server, tool) => changes.get(server)?.get(tool);
}

interface Counted {
  lines: number;
  unreadable: number;
  readonly first: string[];
}

async function readPart(
  { name, lines }: NamedLines,
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
      // What an app told of its models is no call.
      if (line !== undefined && readReport(line) !== undefined) continue;
      counted.unreadable++;
      if (counted.first.length < SHOWN) counted.first.push(`${name}:${number}`);
    }
    tell(`read ${counted.lines} lines, now ${name}`);
  }
}
