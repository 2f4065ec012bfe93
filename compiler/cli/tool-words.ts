import type { Hints, Limits, Tool, Transport } from "../3-plan/types.ts";
import { visible } from "../base/visible.ts";
import { firstSentence } from "../base/wrap.ts";

/** Small facts of the plan in words. The open world is what the protocol takes for granted: only the closed one is said. */
export function hintWords(hints: Hints): string[] {
  const does = hints.readOnly ? "read-only" : hints.destructive ? "destructive" : "writes";
  return [does, ...(hints.idempotent ? ["idempotent"] : []), ...(hints.openWorld ? [] : ["closed world"])];
}

export function limitWords(limits: Limits): string[] {
  return [
    ...(limits.ratePerMinute === undefined ? [] : [`${limits.ratePerMinute}/min`]),
    ...(limits.concurrency === undefined ? [] : [`${limits.concurrency} at once`]),
    durationWords(limits.timeoutMs),
  ];
}

export function durationWords(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000} m`;
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

/** How a server is reached, as written, names of headers and variables only. */
export function transportWords(transport: Transport): string {
  if (transport.kind !== "stdio")
    return `${transport.kind} ${visible(transport.url.written)}${namesOf("headers", transport.headers)}`;
  return `stdio ${transport.command.map((word) => visible(word.written)).join(" ")}${namesOf("env", transport.env)}`;
}

function namesOf(kind: string, entries: readonly { readonly name: string }[]): string {
  return entries.length === 0 ? "" : ` (${kind} ${entries.map((entry) => visible(entry.name)).join(", ")})`;
}

/** A tool for people; an empty name is a name too. */
export function toolWords(tool: Tool): string {
  return tool.name === "" ? '""' : visible(tool.name);
}

/** What a tool does, in the first sentence that its server says of it. */
export function aboutOf(tool: Tool): string {
  const { description, title } = tool.texts();
  return firstSentence(description ?? title ?? "");
}
