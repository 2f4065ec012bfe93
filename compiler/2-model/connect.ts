import { keyOf, within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import { isLoopback } from "../../runtime/loopback.ts";
import type { TextBlock, TransportBlock } from "../../schemas/types.ts";
import { isOneReference, literalTemplate, parseTemplate } from "./template.ts";
import type { NamedTemplate, Template, Transport } from "./types.ts";

/** The transports of a server, in order of preference, with the rules that keep a token at its origin. */
export function linkConnect(blocks: readonly TransportBlock[], place: Place, report: Report): Transport[] {
  return blocks.map((block, i) => linkTransport(block, within(place, i), report));
}

function linkTransport(block: TransportBlock, place: Place, report: Report): Transport {
  if ("stdio" in block) {
    return {
      kind: "stdio",
      command: block.stdio.map((word, i) => templateOf(word, within(place, "stdio", i), report)),
      env: named(block.env, within(place, "env"), report),
      cwd: block.cwd === undefined ? undefined : parseTemplate(block.cwd, within(place, "cwd"), report),
      place,
    };
  }
  const kind = "http" in block ? "http" : "sse";
  const url = parseTemplate("http" in block ? block.http : block.sse, within(place, kind), report);
  checkUrl(url, within(place, kind), report);
  const headers = named(block.headers, within(place, "headers"), report);
  sayRepeated(headers, within(place, "headers"), report);
  for (const header of headers) checkHeader(header, within(place, "headers", header.name), report);
  return { kind, url, headers, place };
}

function named(map: Readonly<Record<string, TextBlock>> | undefined, place: Place, report: Report): NamedTemplate[] {
  return Object.entries(map ?? {})
    .map(([name, text]) => ({ name, value: templateOf(text, within(place, name), report) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function templateOf(text: TextBlock, place: Place, report: Report): Template {
  return typeof text === "string" ? parseTemplate(text, place, report) : literalTemplate(text.literal);
}

/** The origin is always the written one: a reference is the whole URL or stands behind the first `/` after the host. */
function checkUrl(url: Template, place: Place, report: Report): void {
  if (url.parts.length === 0) return;
  if (isOneReference(url)) return checkDefault(url, place, report);
  const first = url.parts[0];
  const written = typeof first === "string" ? first : "";
  const behindHost = /^https?:\/\/[^/?#\\\s]+\//i.test(written);
  if (url.parts.length > 1 && !behindHost) return report.add("reference/in-origin", place, { written: url.written });
  const parsed = parseUrl(written);
  if (/[\\\s]/.test(written) || !parsed || (parsed.protocol !== "http:" && parsed.protocol !== "https:"))
    return report.add("server/bad-url", place, { url: url.written });
  if (parsed.protocol === "http:" && !isLoopback(parsed.hostname))
    report.add("server/plain-http", place, { url: url.written });
}

/** The text that stands in for a variable is an address like any other. */
function checkDefault(url: Template, place: Place, report: Report): void {
  const [reference] = url.parts;
  if (
    typeof reference === "string" ||
    (reference?.form !== "default" && reference?.form !== "if-set") ||
    reference.word.length === 0
  )
    return;
  checkUrl({ written: url.written, parts: reference.word }, place, report);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Header names know no case: two spellings of one name are sent as two values. */
function sayRepeated(headers: readonly NamedTemplate[], place: Place, report: Report): void {
  const seen = new Map<string, string>();
  for (const { name } of headers) {
    const first = seen.get(name.toLowerCase());
    if (first === undefined) seen.set(name.toLowerCase(), name);
    else
      report.add("source/declared-twice", keyOf(within(place, name)), { kind: "header", name }, [
        { says: "it is written here first", at: keyOf(within(place, first)) },
      ]);
  }
}

function checkHeader(header: NamedTemplate, place: Place, report: Report): void {
  const badName = !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header.name);
  const badValue = /[\u0000-\u0008\u000a-\u001f\u007f]/.test(header.value.written);
  if (badName || badValue) report.add("server/bad-header", keyOf(place), { header: header.name });
}
