/** The stretch of a text that is another, with what stands around it. */
export interface ChangedStretch {
  readonly before: string;
  readonly after: string;
}

const AROUND = 60;
/** More than a person reads of one text; what is left out is counted, so that nothing hides behind its length. */
const MOST = 3000;

export function textChange(before: string, after: string): ChangedStretch {
  const [was, is] = [[...before], [...after]];
  const most = Math.min(was.length, is.length);
  let start = 0;
  while (start < most && was[start] === is[start]) start++;
  let end = 0;
  while (end < most - start && was[was.length - 1 - end] === is[is.length - 1 - end]) end++;
  const cut = (text: readonly string[]): string => {
    const from = Math.max(0, start - AROUND);
    const to = Math.min(text.length, text.length - end + AROUND);
    const whole = text.slice(from, to);
    const left = whole.length - MOST;
    const middle = left > 0 ? `${whole.slice(0, MOST).join("")}… (${left} more characters)` : whole.join("");
    return `${from > 0 ? "… " : ""}${middle}${to < text.length ? " …" : ""}`;
  };
  return { before: cut(was), after: cut(is) };
}
