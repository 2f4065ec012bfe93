import type { JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { paintWith, type Look } from "../../diagnostics/paint.ts";
import { diagnosticsJson } from "../../diagnostics/render-json.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import { sortedBy } from "../../base/order.ts";
import type { Built, Counts, Outcome } from "../command.ts";
import { page } from "../page.ts";

/** What `rolecall build` says when it is done. */
const MOST_PATHS = 10;

interface Change {
  readonly path: string;
  readonly sign: string;
  readonly look: Look;
}

export function buildSummary(counts: Counts, outcome: Outcome, ms: number, style: Style): string {
  const changes = sortedBy(
    [
      ...outcome.missing.map((path): Change => ({ path, sign: "+", look: "good" })),
      ...outcome.differs.map((path): Change => ({ path, sign: "~", look: "good" })),
      ...outcome.stale.map((path): Change => ({ path, sign: "-", look: "warning" })),
    ],
    (change) => change.path,
  );
  const paint = paintWith(style.colour);
  const more = changes.length - MOST_PATHS;
  return page([
    [
      writtenWords(outcome),
      ...changes.slice(0, MOST_PATHS).map((change) => `  ${paint(change.look, change.sign)} ${visible(change.path)}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...movedLines(outcome, "is removed"),
      `${countWords(counts)}, in ${timeWords(ms)}`,
    ],
  ]);
}

/** `build --check`: every file that a build would touch, with a word on each. */
export function checkSummary(outcome: Outcome, style: Style): string {
  const late = outOfDate(outcome);
  if (late.length === 0) return `up to date: ${counted(outcome.unchanged, "file")}\n`;
  const paint = paintWith(style.colour);
  return page([
    [
      paint("strong", `${counted(late.length, "file")} out of date`),
      ...late.map(({ path, how }) => `  ${paint("warning", how.padEnd(7))}  ${visible(path)}`),
      ...movedLines(outcome, "would be removed"),
      ...respacedLines(outcome, late.length),
      outcome.blocked?.length
        ? "some of them aren't rolecall's, or can't be read: `rolecall build` writes nothing, and says what stands in its way"
        : "run `rolecall build`, and commit what it writes",
    ],
  ]);
}

export function buildJson(built: Built, check: boolean): JsonObject {
  const { outcome } = built;
  return {
    format: 1,
    diagnostics: diagnosticsJson(built.diagnostics),
    ...(check
      ? { outOfDate: outcome === undefined ? null : outOfDate(outcome).map(({ path, how }) => ({ path, how })) }
      : {
          written: outcome === undefined ? null : sortedBy([...outcome.missing, ...outcome.differs], (path) => path),
          removed: outcome?.stale ?? null,
        }),
    unchanged: outcome?.unchanged ?? null,
  };
}

export function outOfDate(
  outcome: Outcome,
): { readonly path: string; readonly how: "missing" | "differs" | "stale" }[] {
  const all = (["missing", "differs", "stale"] as const).flatMap((how) => outcome[how].map((path) => ({ path, how })));
  return sortedBy(all, (late) => late.path);
}

function respacedLines({ respaced = [] }: Outcome, late: number): string[] {
  if (respaced.length === 0) return [];
  const which = respaced.length < late ? `${respaced.length} of them` : late === 1 ? "it" : "they";
  return [
    `${which} ${respaced.length === 1 ? "is" : "are"} the same but for layout: a formatter?`,
    "keep it away: what builds write belongs into .prettierignore, or what your formatter has for it",
  ];
}

/** A slip in such a setting looks like a whole new output. */
function movedLines({ moved = [] }: Outcome, becomes: string): string[] {
  return moved.map(
    ({ key, before }) =>
      `\`${key}\` was \`${visible(before)}\` at the last build: what rolecall wrote there ${becomes}`,
  );
}

function writtenWords(outcome: Outcome): string {
  const written = outcome.missing.length + outcome.differs.length;
  if (written === 0 && outcome.stale.length === 0)
    return `nothing to do: ${counted(outcome.unchanged, "file")} up to date`;
  return [
    written === 0 ? "" : `wrote ${counted(written, "file")}`,
    outcome.stale.length === 0 ? "" : `removed ${counted(outcome.stale.length, "file")}`,
    outcome.unchanged === 0 ? "" : `${outcome.unchanged} unchanged`,
  ]
    .filter((words) => words !== "")
    .join(", ");
}

function countWords(counts: Counts): string {
  return [counted(counts.roles, "role"), counted(counts.servers, "server"), counted(counts.tools, "tool")].join(", ");
}

function timeWords(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
