/**
 * What a process said on standard error of why it ended: whole lines, the telling ones first, then the last ones. Secrets
 * must have been replaced before, since a line that is cut could show half of one.
 */
export function lastWords(stderr: string, most: number): string {
  const lines = withoutColour(stderr)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  const spoken = lines.filter((line) => !NEVER.test(line));
  const causes = spoken.filter((line) => !AROUND_A_CAUSE.test(line));
  const kept = causes.length > 0 ? causes : spoken;
  const telling = kept.filter((line) => TELLING.test(line));
  return wholeLines(
    telling,
    kept.filter((line) => !telling.includes(line)),
    most,
  ).join("\n");
}

/**
 * Before control characters go: what is left of a colour without its first one is text. Of colours within colours nothing
 * is left that a second look would take, and so put a secret together that was parted when it was looked for.
 */
export function withoutColour(text: string): string {
  return text.replace(COLOUR, "").replaceAll("\u001b", "");
}

const COLOUR = /\u001b\[[0-9;]*[A-Za-z]/g;
/** npm's talk beside the matter; the place of its log is nobody's business. */
const NEVER = /^npm (?:warn|notice)\b|^npm (?:error|ERR!) A complete log of this run|^npm (?:error|ERR!)(?: \d+)?$/i;
/** A stack, and what Node shows beside it. */
const AROUND_A_CAUSE = /^\s+at |^\s*\^+$|^Node\.js v\d|^node:internal/;
const TELLING = /^npm (?:error|ERR!) (?:404 (?!Note|tarball)|could not determine executable)/i;

/** From the end as many as there is room for; one alone that is too long is cut. */
function wholeLines(first: readonly string[], rest: readonly string[], most: number): string[] {
  const taken: string[] = [];
  let room = most;
  const fits = (line: string): boolean => {
    const isFirst = taken.length === 0;
    const needs = line.length + (isFirst ? 0 : 1);
    if (needs > room && !isFirst) return false;
    taken.push(needs > room ? `${line.slice(0, room - 1)}…` : line);
    room -= needs;
    return room > 0;
  };
  for (const line of first) if (!fits(line)) return taken;
  const head = taken.length;
  let at = rest.length;
  while (at > 0 && fits(rest[at - 1]!)) at--;
  // What fitted stands from its end, and one that was cut stands as it was cut.
  const last = taken.slice(head);
  return [...taken.slice(0, head), ...last.map((_, i) => last[last.length - 1 - i]!)];
}
