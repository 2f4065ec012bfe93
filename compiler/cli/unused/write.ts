import type { JsonValue } from "../../base/json.ts";
import { accessOf, type Access } from "../../3-plan/access.ts";
import type { Plan } from "../../3-plan/types.ts";
import { createReport } from "../../diagnostics/report.ts";
import { keyLibraries } from "../../io/libraries.ts";
import { openProject } from "../../io/read/project-files.ts";
import { writeFiles } from "../../io/write/write-files.ts";
import { editSource } from "../../source-edits/edit-source.ts";
import type { SourceEdit } from "../../source-edits/types.ts";
import type { UsageReport } from "../../usage/judge.ts";
import { trim, valueIn, type TrimmedEntry, type Trimming } from "../../usage/trim.ts";
import type { Context } from "../command.ts";

/** What was written, and what couldn't be. */
export interface WrittenTrimming {
  readonly entries: readonly TrimmedEntry[];
  readonly files: readonly string[];
  /** With these the project wouldn't compile, or would hold something else than before without them. */
  readonly undone: readonly TrimmedEntry[];
  readonly problem?: string | undefined;
}

export function trimmingFor(dir: string, report: UsageReport): Trimming {
  const files = openProject(dir);
  const values = new Map<string, JsonValue | undefined>();
  return trim(report, ({ file, path }) => {
    if (!values.has(file)) values.set(file, parsed(textOf(files, file)));
    const document = values.get(file);
    return document === undefined ? undefined : valueIn(document, path);
  });
}

function parsed(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : (keyLibraries().yaml().parseDocument(text).toJS() as JsonValue);
  } catch {
    return undefined;
  }
}

function textOf(files: ReturnType<typeof openProject>, file: string): string | undefined {
  const answer = files.read(file);
  return answer.problem === undefined ? answer.text : undefined;
}

/** All at once where that holds, else entry by entry, and only those after which the plan is what it was without them. */
export async function writeTrimming(context: Context, plan: Plan, { entries }: Trimming): Promise<WrittenTrimming> {
  const before = accessOf(plan);
  const whole = await attempt(context, before, new Map(), entries);
  const done: TrimmedEntry[] = [];
  let texts = whole ?? new Map<string, string>();
  if (whole !== undefined) done.push(...entries);
  else
    for (const entry of entries) {
      const next = await attempt(context, before, texts, [entry], done);
      if (next === undefined) continue;
      texts = next;
      done.push(entry);
    }
  const report = createReport(() => undefined);
  const files = [...texts].map(([file, text]) => ({ path: file, text }));
  const problem = writeFiles(context.dir, files, report)
    ? undefined
    : report
        .sorted()
        .map(({ says }) => says)
        .join("; ");
  if (problem !== undefined) return { entries: [], files: [], undone: [], problem };
  return { entries: done, files: [...texts.keys()], undone: entries.filter((entry) => !done.includes(entry)) };
}

/** The texts with the entries changed, if the project then is what it is to be. */
async function attempt(
  { dir, engine }: Context,
  before: Access,
  texts: ReadonlyMap<string, string>,
  entries: readonly TrimmedEntry[],
  done: readonly TrimmedEntry[] = [],
): Promise<Map<string, string> | undefined> {
  const files = openProject(dir);
  const changed = new Map(texts);
  for (const { place, ways } of entries) {
    const text = changed.get(place.file) ?? textOf(files, place.file);
    const edited = text === undefined ? undefined : bestOf(place.file, text, ways);
    if (edited === undefined) return undefined;
    changed.set(place.file, edited);
  }
  const { plan, diagnostics } = await engine.compile(dir, changed);
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  return rolesText(accessOf(plan), []) === rolesText(before, [...done, ...entries]) ? changed : undefined;
}

function bestOf(file: string, text: string, ways: readonly (readonly SourceEdit[])[]): string | undefined {
  const edited = ways.flatMap((edits) => editSource(file, text, edits, keyLibraries().yaml()).text ?? []);
  return edited.find((one) => commentsIn(one) >= commentsIn(text)) ?? edited.at(-1);
}

function commentsIn(text: string): number {
  return text.split("\n").filter((line) => /(?:^|\s)#/.test(line)).length;
}

function rolesText({ roles }: Access, gone: readonly TrimmedEntry[]): string {
  const out = new Set(
    gone.flatMap((entry) => entry.gone.map(({ role, server, tool }) => `${role}\n${server}\n${tool}`)),
  );
  return JSON.stringify(
    roles.map((role) => ({
      ...role,
      servers: role.servers
        .map(({ name, tools }) => ({
          name,
          tools: tools.filter((tool) => !out.has(`${role.name}\n${name}\n${tool.name}`)),
        }))
        .filter(({ tools }) => tools.length > 0),
    })),
  );
}
