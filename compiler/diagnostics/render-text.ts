import { padToWidth } from "../base/display-width.ts";
import type { Span } from "../base/place.ts";
import { visible } from "../base/visible.ts";
import { wrap } from "../base/wrap.ts";
import { excerpt } from "./excerpt.ts";
import { hostPage, TO_WRITE, type HostBlock, type HostPage } from "./host-blocks.ts";
import { paintWith, type Look, type Paint } from "./paint.ts";
import type { Diagnostic, Severity } from "./types.ts";

/** How text is to look: the width is undefined where nobody counts columns, in a pipe or a file. */
export interface Style {
  readonly colour: boolean;
  readonly width: number | undefined;
  /** The terminal can't show more than ASCII. */
  readonly ascii?: boolean;
}

/** Lines in files and logs may be long, but not without end. */
const LONGEST_LINE = 160;

/**
 * Diagnostics for people, in the order given, then those of hosts, a block a host, and a line that counts the blocks.
 * Empty when there are none.
 */
export function renderText(diagnostics: readonly Diagnostic[], style: Style): string {
  if (diagnostics.length === 0) return "";
  const paint = paintWith(style.colour);
  const hosts = hostPage(diagnostics);
  const others = toldTogether(diagnostics.filter(({ host }) => host === undefined));
  const sections = [
    ...others.map(([first, ...like]) => [...block(first, style, paint), ...likeLines(first, like, style, paint)]),
    ...(hosts.blocks.length === 0 ? [] : [hostSection(hosts, style, paint)]),
    [summary([...others.map(([first]) => first), ...hosts.blocks])],
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** `2 errors, 1 warning`. */
export function summary(diagnostics: readonly { readonly severity: Severity }[]): string {
  const severities: readonly Severity[] = ["error", "warning", "note"];
  return severities
    .map((severity) => [diagnostics.filter((d) => d.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} ${severity}${count === 1 ? "" : "s"}`)
    .join(", ");
}

function block(diagnostic: Diagnostic, style: Style, paint: Paint): string[] {
  const spans = [diagnostic.at, ...diagnostic.also.map((also) => also.at)];
  const gutter = Math.max(...spans.map((span) => String(span?.line ?? 1).length));
  const related = diagnostic.also.flatMap((also) => [
    ...sentence("and ", also.says, style.width, paint, "quiet"),
    ...shown(also.at, gutter, style, paint, "quiet"),
  ]);
  return [
    ...headline(diagnostic, style.width, paint),
    ...shown(diagnostic.at, gutter, style, paint, diagnostic.severity),
    ...sentence("help: ", diagnostic.help, style.width, paint, "good"),
    ...related,
  ];
}

/** Of a code whose diagnostics are told together, the first in its place, with all others; of other codes each by itself. */
function toldTogether(diagnostics: readonly Diagnostic[]): [Diagnostic, ...Diagnostic[]][] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  diagnostics.forEach((one, i) => {
    const key = one.together === undefined ? String(i) : one.code;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  });
  return [...groups.values()];
}

const MOST_ALIKE = 12;

/** Each by its name, its line, and its help where that is another one. */
function likeLines(first: Diagnostic, like: readonly Diagnostic[], style: Style, paint: Paint): string[] {
  const more = like.length - MOST_ALIKE;
  const lines = like.slice(0, MOST_ALIKE).map(({ together, at, help }) => {
    const place = at === undefined ? "" : `, ${at.file}:${at.line}`;
    return `\`${together}\`${place}${help === first.help ? "" : `: ${help}`}`;
  });
  const lead = " ".repeat("  likewise: ".length);
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].flatMap((line, i) =>
    i === 0
      ? sentence("likewise: ", line, style.width, paint, "quiet")
      : wrap(lead + visible(line), style.width, `${lead}  `),
  );
}

/** The blocks without a gap, and below them what is to be done about any of them. */
function hostSection({ blocks, help, more }: HostPage, style: Style, paint: Paint): string[] {
  return [
    ...blocks.flatMap((one) => hostLines(one, style, paint)),
    ...help.flatMap((one) => sentence("help: ", one, style.width, paint, "good")),
    ...sentence("all of it: ", more, undefined, paint, "good"),
  ];
}

function hostLines({ severity, codes, titles, facts }: HostBlock, style: Style, paint: Paint): string[] {
  const labels = Math.max(...facts.map(([label]) => label.length));
  const told = facts.flatMap(([label, lines]) =>
    lines.flatMap((line, i) => {
      const lead = `  ${(i === 0 ? label : "").padEnd(labels)}  `;
      // What is to be written is to be copied.
      const width = label === TO_WRITE ? undefined : style.width;
      const [first = "", ...rest] = wrap(lead + visible(line), width, " ".repeat(lead.length));
      return [paint("quiet", lead) + first.slice(lead.length), ...rest];
    }),
  );
  return [...headline({ severity, code: codes.join(", "), says: titles.join(", ") }, style.width, paint), ...told];
}

function headline(
  { severity, code, says }: Pick<Diagnostic, "severity" | "code" | "says">,
  width: number | undefined,
  paint: Paint,
): string[] {
  const label = `${severity}[${code}]:`;
  const lines = wrap(`${label} ${visible(says)}`, width, "  ");
  return lines.map((line, i) => {
    if (i > 0 || !line.startsWith(label)) return paint("strong", line);
    return paint(severity, label) + paint("strong", line.slice(label.length));
  });
}

/** The place, the line, and the marker under the characters that are meant. */
function shown(span: Span | undefined, gutter: number, style: Style, paint: Paint, look: Look): string[] {
  if (span === undefined) return [];
  const place = `  ${visible(span.file)}:${span.line}:${span.column}`;
  if (span.text.trim() === "") return [place];
  const bar = (label: string) => paint("quiet", `  ${padToWidth(label, gutter, "right")} | `);
  const room = Math.max(20, Math.min(style.width ?? LONGEST_LINE, LONGEST_LINE) - gutter - 5);
  const line = excerpt(span, room, style.ascii ? "..." : "…");
  return [
    place,
    bar(String(span.line)) + line.text,
    bar("") + " ".repeat(line.indent) + paint(look, "^".repeat(line.marked)),
  ];
}

function sentence(
  label: string,
  text: string | undefined,
  width: number | undefined,
  paint: Paint,
  look: Look,
): string[] {
  if (text === undefined || text === "") return [];
  const lines = wrap(`  ${label}${visible(text)}`, width, " ".repeat(label.length + 2));
  return lines.map((line, i) => (i === 0 ? `  ${paint(look, label)}${line.slice(label.length + 2)}` : line));
}
