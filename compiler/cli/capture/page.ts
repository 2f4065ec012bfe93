import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { firstSentence, wrap, wrapWithin } from "../../base/wrap.ts";
import type { AccessChange } from "../../3-plan/compare-access.ts";
import { nameOf, type AboutChange, type ToolChange } from "../../capture/compare-manifests.ts";
import type { BadAnswer, Captured, Consequences, GoodAnswer, NoAnswer, Settled } from "../../capture/types.ts";
import { paintWith, type Look } from "../../diagnostics/paint.ts";
import { renderText, summary, type Style } from "../../diagnostics/render-text.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import { wrapped } from "../page.ts";
import { accessLines } from "./access-page.ts";
import { contradictionLines, hintText, textDifference, toolText, warningLines } from "./words.ts";

type Changed = Captured & GoodAnswer;

/** More lines than this are counted; `--json` has all. */
const MOST = 40;

/** `github: 2 tools new, 1 changed`, and below it what, who holds it, and what to look at. */
export function changePage(
  captured: Changed,
  consequences: Consequences,
  style: Style,
  state: "done" | "proposed",
): string {
  const paint = paintWith(style.colour);
  const { changes } = captured;
  const sections: readonly (readonly [string, Look, readonly string[]])[] = [
    [changes.first ? "tools" : "new", "strong", capped(changes.added.map((tool) => newLine(tool, captured)))],
    ["gone", "strong", capped(changes.removed.map((tool) => `- ${toolText(nameOf(tool), captured.redact)}`))],
    ["renamed", "warning", renamedLines(captured)],
    [
      "changed",
      "strong",
      capped(
        changes.changed.flatMap((change) => changedLines(change, captured, consequences)),
        120,
      ),
    ],
    ["the server", "strong", changes.about.flatMap((change) => aboutLines(change, captured))],
    ["roles", "strong", accessSection(consequences.access, captured, state)],
    [
      "look at this",
      "warning",
      capped([...contradictionLines(consequences.contradictions, captured.redact), ...warningLines(captured)]),
    ],
  ];
  const body = sections.flatMap(([title, look, lines]) =>
    lines.length === 0 ? [] : [`  ${paint(look, title)}`, ...lines.flatMap((line) => indented(line, style))],
  );
  return (
    [
      headline(captured, style),
      ...triedLines(captured, style),
      ...body,
      ...errorLines(consequences, style, state),
      "",
    ].join("\n") + "\n"
  );
}

/** Before the pages of several servers, so that nobody answers the first question without knowing of the third. */
export function overviewLines(found: readonly Captured[], style: Style): string {
  const paint = paintWith(style.colour);
  const width = Math.max(...found.map(({ server }) => server.length));
  const lines = found.map(
    (captured) => `  ${paint("strong", captured.server.padEnd(width))}  ${overviewWords(captured)}\n`,
  );
  return `${found.length} servers\n${lines.join("")}\n`;
}

function overviewWords(captured: Captured): string {
  if (captured.state === "changed") return changeWords(captured);
  return captured.state === "same" ? "the same" : "not captured";
}

export function sameLine(captured: Changed, style: Style): string {
  const line = `${paintWith(style.colour)("strong", captured.server)}: the same, ${toolCount(captured.toolCount)}\n`;
  const warnings = warningLines(captured).flatMap((words) => indented(words, style));
  return line + warnings.map((words) => `${words}\n`).join("");
}

/** Why there is nothing to compare, and the next step. */
export function failureLines(captured: Captured & (NoAnswer | BadAnswer), style: Style): string {
  const paint = paintWith(style.colour);
  const name = paint("strong", captured.server);
  if (captured.state === "refused")
    return `${name}: ${paint("error", "its answer can't be pinned")}\n${renderText(
      captured.diagnostics.map((d) => masked(d, captured)),
      style,
    )}\n`;
  const { failure, tried } = captured;
  const says = (text: string) => visible(captured.redact(text));
  const lines = [...tried.map((one) => `${one.transport}: ${says(one.failure.says)}`), `help: ${says(failure.next)}`];
  const head = headed(`${captured.server}: not captured:`, says(failure.says), style);
  return `${[...head, ...lines.flatMap((line) => indented(line, style))].join("\n")}\n\n`;
}

/** The words behind what failed, broken where they don't fit. */
function headed(label: string, says: string, style: Style): string[] {
  const [first = "", ...rest] = wrapWithin(`${label} ${says}`, style.width, "  ");
  if (!first.startsWith(label)) return [first, ...rest];
  const paint = paintWith(style.colour);
  const [name = "", state = ""] = label.split(/(?<=:) /, 2);
  return [`${paint("strong", name.slice(0, -1))}: ${paint("error", state)}${first.slice(label.length)}`, ...rest];
}

/** What was written and what is to be done next. */
export function summaryLines(outcomes: readonly Settled[], check: boolean, style: Style): string {
  const written = outcomes.filter((outcome) => outcome.written);
  const left = outcomes.filter(({ captured, written }) => captured.state === "changed" && !written);
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  const lines = [
    ...(outcomes.length === 0 ? ["nothing to capture: no server that is switched on stands under `servers:`"] : []),
    ...written.map(({ captured }) => `wrote ${visible(captured.file)}`),
    ...(problems.length > 0 ? [renderText(problems, style).trimEnd()] : []),
    ...wrapped(leftLines(left, check), style),
    ...(written.length > 0 ? [nextLine(written)] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A build would only tell again what stands above. */
function nextLine(written: readonly Settled[]): string {
  const hasErrors = written.some(({ consequences }) => (consequences?.errors.length ?? 0) > 0);
  return `next: ${hasErrors ? "mend what stands above, then " : ""}rolecall build`;
}

function leftLines(left: readonly Settled[], check: boolean): string[] {
  if (left.length === 0) return [];
  const names = left.map(({ captured }) => captured.server).join(" ");
  return check
    ? [`changed since the last capture: ${names}; look at it with rolecall capture ${names}`]
    : [`not written: ${names}; look at the changes above, then rolecall capture ${names} --accept`];
}

function headline(captured: Changed, style: Style): string {
  const paint = paintWith(style.colour);
  return `${paint("strong", captured.server)}: ${changeWords(captured)} ${paint("quiet", `(${captured.transport})`)}`;
}

function changeWords({ changes, toolCount: count }: Changed): string {
  if (changes.first) return `first capture, ${toolCount(count)}`;
  const { added, removed, changed, about } = changes;
  return [
    ...(added.length > 0 ? [`${toolCount(added.length)} new`] : []),
    ...(removed.length > 0 ? [`${toolCount(removed.length)} gone`] : []),
    ...(changed.length > 0 ? [`${toolCount(changed.length)} changed`] : []),
    ...(about.length > 0 && added.length + removed.length + changed.length === 0 ? ["the tools are the same"] : []),
  ].join(", ");
}

function triedLines({ tried, redact }: Changed, { width }: Style): string[] {
  return tried.flatMap((one) =>
    wrapWithin(`  ${one.transport} didn't work: ${visible(redact(one.failure.says))}`, width, "    "),
  );
}

function newLine(tool: JsonObject, { redact }: Changed): string {
  const description = own(tool, "description");
  const about = typeof description === "string" ? firstSentence(redact(description)) : "";
  const words = [hintText(own(tool, "annotations")), cut(visible(about), 100)].filter((word) => word !== "");
  return `+ ${toolText(nameOf(tool), redact)}${words.length > 0 ? `: ${words.join("; ")}` : ""}`;
}

function renamedLines({ changes, redact }: Changed): string[] {
  return changes.renamed.map(
    ({ from, to }) =>
      `${toolText(from, redact)} looks renamed to ${toolText(to, redact)}: its pin is lost, and rules that name the old one don't speak of the new one`,
  );
}

function changedLines(change: ToolChange, captured: Changed, { holders }: Consequences): string[] {
  const { redact } = captured;
  const kinds = [
    ...(change.texts.length > 0 || change.schema?.direction === "text" ? ["text"] : []),
    ...(change.schema && change.schema.direction !== "text" ? [`arguments ${change.schema.direction}`] : []),
    ...(change.result ? [`result ${change.result.direction}`] : []),
    ...(change.hints.length > 0 ? ["hints"] : []),
    ...(change.other.length > 0 ? [`${change.other.map((key) => visible(redact(key))).join(", ")} (not pinned)`] : []),
  ];
  const roles = holders.get(change.name) ?? [];
  return [
    `~ ${toolText(change.name, redact)}: ${kinds.join(", ")}${roles.length > 0 ? `; held by ${roles.join(", ")}` : ""}`,
    ...change.texts.flatMap(({ before, after }) => textDifference(before, after, redact).map((line) => `  ${line}`)),
    ...(change.schema?.what ?? []).slice(0, MOST).map((words) => `  ${visible(redact(words))}`),
    ...(change.result?.what ?? []).slice(0, MOST).map((words) => `  in the result ${visible(redact(words))}`),
    ...change.hints.map(
      ({ hint, before, after }) =>
        `  ${visible(redact(hint))}: ${shown(before, captured)} -> ${shown(after, captured)}`,
    ),
  ];
}

function aboutLines(change: AboutChange, captured: Changed): string[] {
  if (change.what === "instructions")
    return [
      "its instructions changed",
      ...textDifference(textOf(change.before), textOf(change.after), captured.redact).map((line) => `  ${line}`),
    ];
  const before = change.what === "serverInfo" ? versionOf(change.before) : change.before;
  const after = change.what === "serverInfo" ? versionOf(change.after) : change.after;
  return [`${change.what}: ${shown(before, captured)} -> ${shown(after, captured)}`];
}

function versionOf(info: JsonValue | undefined): JsonValue | undefined {
  return isObject(info) && typeof own(info, "version") === "string"
    ? `${textOf(own(info, "name"))} ${textOf(own(info, "version"))}`.trim()
    : info;
}

function accessSection(access: readonly AccessChange[], captured: Changed, state: "done" | "proposed"): string[] {
  const lines = accessLines(access, captured.redact, state);
  return lines.length === 0 ? ["no role gains or loses a tool"] : capped(lines);
}

function errorLines({ errors, mended }: Consequences, style: Style, state: "done" | "proposed"): string[] {
  const { width } = style;
  const [gone, have] = state === "done" ? [mended === 1 ? "is" : "are", "has"] : ["would be", "would have"];
  return [
    ...(mended > 0 ? wrap(`  with it, ${counted(mended, "error")} of the project ${gone} gone`, width, "    ") : []),
    ...(errors.length > 0
      ? [
          ...wrap(`  with it, the project ${have} ${summary(errors)} more:`, width, "    "),
          "",
          renderText(errors, style).trimEnd(),
        ]
      : []),
  ];
}

function masked(diagnostic: Diagnostic, { redact }: Captured): Diagnostic {
  return { ...diagnostic, says: redact(diagnostic.says) };
}

function shown(value: JsonValue | undefined, { redact }: Captured): string {
  return value === undefined
    ? "nothing"
    : cut(visible(redact(typeof value === "string" ? value : JSON.stringify(value))), 100);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function indented(line: string, style: Style): string[] {
  const depth = /^ */.exec(line)![0].length + 4;
  return wrapWithin(" ".repeat(depth) + line.trimStart(), style.width, " ".repeat(depth + 2));
}

function capped(lines: readonly string[], most = MOST): string[] {
  return lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), `and ${lines.length - most} more; --json has them all`];
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text;
}

function toolCount(count: number): string {
  return counted(count, "tool");
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
