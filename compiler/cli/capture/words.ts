import { isObject, own, type JsonValue } from "../../base/json.ts";
import { firstOf } from "../../base/list-words.ts";
import { visible } from "../../base/visible.ts";
import type { Redact } from "../../live-server/redact.ts";
import type { Suspicion } from "../../capture/poison.ts";
import type { Captured, Contradiction, GoodAnswer } from "../../capture/types.ts";

/** Small pieces of capture's pages. Every text of a server goes through its redaction and `visible`. */
export function toolText(name: string, redact: Redact): string {
  return name === "" ? '""' : visible(redact(name));
}

/** What a tool says it does, by the protocol's defaults where it says nothing. */
export function hintText(annotations: JsonValue | undefined): string {
  if (!isObject(annotations)) return "";
  const readOnly = own(annotations, "readOnlyHint") === true;
  const destructive = own(annotations, "destructiveHint");
  if (readOnly && destructive !== true) return "read-only";
  return destructive === false ? "writes" : "destructive";
}

const AROUND = 40;
const LONGEST = 240;

/** Two lines with the part that differs and a little around it. Half a secret isn't known as one: it goes before the cut. */
export function textDifference(was: string, is: string, redact: Redact): string[] {
  const [before, after] = [redact(was), redact(is)];
  const [start, end] = sameEnds(before, after);
  const from = Math.max(0, start - AROUND);
  const part = (text: string) => {
    const to = Math.min(text.length, text.length - end + AROUND);
    const shown = text.slice(from, Math.min(to, from + LONGEST));
    return `${from > 0 ? "..." : ""}${visible(shown)}${from + shown.length < text.length ? "..." : ""}`;
  };
  return [...(before === "" ? [] : [`- ${part(before)}`]), ...(after === "" ? [] : [`+ ${part(after)}`])];
}

/** How many characters are the same at the start, and then at the end. */
function sameEnds(one: string, other: string): [start: number, end: number] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return [start, end];
}

const SUSPICIONS: Readonly<Record<Suspicion["kind"], string>> = {
  overrides: "speaks to the model, not about the tool",
  secrecy: "wants something kept from the user",
  secrets: "asks for secrets or private files",
  conversation: "asks for the conversation",
  detour: "wants to be used whenever others are",
  hidden: "holds characters that can't be seen",
  imitates: "looks like a tool of another server",
  token: "holds what looks like a secret, which would be committed",
  steers: "tells how another server's tool is to be used",
};

export function suspicionWords(kind: Suspicion["kind"]): string {
  return SUSPICIONS[kind];
}

export function contradictionLines(found: readonly Contradiction[], redact: Redact): string[] {
  return found.map(
    ({ tool, word }) =>
      `${toolText(tool, redact)} says that it only reads, and its name says \`${word}\`: \`is:read-only\` would hold it, unless \`hints\` say otherwise`,
  );
}

/** Asked apart from the question whether to write: `is:read-only` will believe what the server says of these tools. */
export function contradictionQuestion(found: readonly Contradiction[], { redact }: Captured): string {
  const names = firstOf(found.map(({ tool }) => toolText(tool, redact)));
  return `take ${names} as read-only, although ${found.length === 1 ? "its name says" : "their names say"} otherwise?`;
}

/** What a person should look at before saying yes. */
export function warningLines({ warnings, redact }: Captured & GoodAnswer): string[] {
  const { suspicions, unsteady, askedOnce, machine } = warnings;
  return [
    ...suspicions.map(
      ({ tool, kind, excerpt }) =>
        `${tool === undefined ? "its instructions:" : toolText(tool, redact)} ${suspicionWords(kind)}: "${visible(redact(excerpt))}"`,
    ),
    ...unsteady.map((tool) => `${toolText(tool, redact)} was another one when asked again: its pin won't hold`),
    ...(askedOnce === undefined ? [] : [`it was asked once only; the second time ${visible(redact(askedOnce))}`]),
    ...machine.map((name) => `its answer holds the value of \`${name}\`: on another machine the pins won't hold`),
  ];
}
