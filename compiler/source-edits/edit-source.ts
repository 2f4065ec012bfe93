import { isObject, type JsonValue } from "../base/json.ts";
import type { KeyPath } from "../base/place.ts";
import { addSplices } from "./add.ts";
import { find, parsed, type Found } from "./find.ts";
import { removeSplices } from "./remove.ts";
import { replaceSplices } from "./replace.ts";
import type { Edited, EditProblem, SourceEdit, Splice, YamlLibrary } from "./types.ts";

/**
 * The one way to change a source that a person wrote: text in, text out, comments and layout kept. The result is read
 * again: a text that doesn't say exactly what was meant is never given. `file` tells JSON from YAML.
 */
export function editSource(file: string, text: string, edits: readonly SourceEdit[], yaml: YamlLibrary): Edited {
  let current = text;
  for (const edit of edits) {
    const edited = editOnce(file, current, edit, yaml);
    if (edited.problem !== undefined) return edited;
    current = edited.text;
  }
  return { text: current };
}

function editOnce(file: string, raw: string, edit: SourceEdit, yaml: YamlLibrary): Edited {
  const mark = raw.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = raw.slice(mark.length);
  // Readers see no carriage returns: places are found in the text as they see it.
  const text = body.replaceAll("\r\n", "\n");
  const document = parsed(text, yaml);
  if (document === undefined) return { problem: "unreadable", path: [] };
  const found = find(document, edit.path, yaml);
  const problem = problemOf(edit, found, yaml);
  if (problem !== undefined) return { problem, path: edit.path.slice(0, found.depth) };
  const splices = splicesFor(edit, found, { file, text, yaml });
  const meant = valueAfter(document.value, edit.path, edit);
  const said = parsed(spliced(text, splices), yaml)?.value;
  if (JSON.stringify(said) !== JSON.stringify(meant)) return { problem: "unsafe", path: edit.path };
  return { text: mark + spliced(body, inBody(splices, body)) };
}

function problemOf({ kind }: SourceEdit, found: Found, yaml: YamlLibrary): EditProblem | undefined {
  if (found.shared) return "shared";
  if (kind !== "add") {
    if (found.rest.length > 0) return "missing";
    return kind === "append" && !yaml.isSeq(found.node) ? "no-list" : undefined;
  }
  if (found.rest.length === 0) return "taken";
  return found.isOpen && typeof found.rest[0] === "string" ? undefined : "no-map";
}

interface Text {
  readonly file: string;
  readonly text: string;
  readonly yaml: YamlLibrary;
}

function splicesFor(edit: SourceEdit, found: Found, about: Text): readonly Splice[] {
  switch (edit.kind) {
    case "add":
    case "append":
      return addSplices(found, edit, about);
    case "remove":
      return removeSplices(found, about);
    case "replace":
      return replaceSplices(found, edit.value, about);
  }
}

/** What the document is to say. */
function valueAfter(value: JsonValue, [step, ...rest]: KeyPath, edit: SourceEdit): JsonValue {
  if (step === undefined) return edit.kind === "append" ? [...(value as JsonValue[]), edit.value] : valueOf(edit);
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    if (rest.length === 0 && edit.kind === "remove") return items.filter((_, i) => i !== step);
    return items.map((item, i) => (i === step ? valueAfter(item, rest, edit) : item));
  }
  const entries = isObject(value) ? Object.entries(value) : [];
  if (rest.length === 0 && edit.kind === "remove") return Object.fromEntries(entries.filter(([key]) => key !== step));
  if (!entries.some(([key]) => key === step))
    return Object.fromEntries([...entries, [step, valueAfter(null, rest, edit)]]);
  return Object.fromEntries(entries.map(([key, held]) => [key, key === step ? valueAfter(held, rest, edit) : held]));
}

function valueOf(edit: SourceEdit): JsonValue {
  return edit.kind === "remove" ? null : edit.value;
}

function spliced(text: string, splices: readonly Splice[]): string {
  let at = 0;
  let result = "";
  for (const { start, end, text: inserted } of splices) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

/** The same where lines may end in a carriage return too; new lines end as the first one does. */
function inBody(splices: readonly Splice[], body: string): Splice[] {
  const eol = /\r?\n/.exec(body)?.[0] ?? "\n";
  const offsetOf = offsetsIn(body);
  return splices.map(({ start, end, text }) => ({
    start: offsetOf(start),
    end: offsetOf(end),
    text: text.replaceAll("\n", eol),
  }));
}

function offsetsIn(body: string): (offset: number) => number {
  const returns = Array.from(body.matchAll(/\r\n/g), ({ index }, before) => index - before);
  return (offset) => offset + returns.filter((at) => at < offset).length;
}
