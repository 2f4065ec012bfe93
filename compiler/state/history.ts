import type { JsonObject } from "../base/json.ts";
import { shortText, withinBounds } from "./bounds.ts";
import { sectionsOf } from "./markdown.ts";
import type { FileText, TeamMember, RecordedRun } from "./types.ts";

const MOST_NOTES = 20;

/** A member's notes and newest calls, the newest first. The record knows roles: members of one role share its calls. */
export async function historyOf(
  { name, role }: TeamMember,
  pattern: string,
  run: RecordedRun | undefined,
  read: (file: string) => Promise<FileText>,
): Promise<JsonObject> {
  const file = pattern.replaceAll("{name}", name);
  const found = await read(file);
  const calls = run === undefined ? null : (run.newest.get(role) ?? []).map((call) => ({ ...call }));
  const about = { name, role, file };
  if (found.problem !== undefined) return { ...about, notes: null, problem: found.problem, calls };
  const sections = sectionsOf(found.text, 2).toReversed();
  const whole = found.text.trim();
  // Without headings it is one note, and its end is what is new.
  const notes =
    sections.length > 0
      ? sections.map(({ heading, body }) => ({ title: heading, text: body }))
      : whole === ""
        ? []
        : [{ title: "", text: shortText(endOf(whole)) }];
  const { kept, leftOut } = withinBounds(notes, MOST_NOTES);
  return { ...about, notes: kept.map(({ title, text }) => ({ title, text })), leftOut, calls };
}

const END = 20_000;

function endOf(text: string): string {
  return text.length <= END ? text : text.slice(-END).replace(/^[\udc00-\udfff]/, "");
}
