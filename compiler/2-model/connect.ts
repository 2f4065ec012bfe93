import { keyOf, within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { TransportBlock } from "../../schemas/types.ts";
import { isOneReference, parseTemplate } from "./template.ts";
import type { NamedTemplate, Template, Transport } from "./types.ts";

/** The transports of a server, in order of preference, with the rules that keep a token at its origin. */
export function linkConnect(blocks: readonly TransportBlock[], place: Place, report: Report): Transport[] {
  return blocks.map((block, i) => linkTransport(block, within(place, i), report));
}

function linkTransport(block: TransportBlock, place: Place, report: Report): Transport {
  if ("stdio" in block) {
    return {
      kind: "stdio",
      command: block.stdio.map((text, i) => parseTemplate(text, within(place, "stdio", i), report)),
      env: named(block.env, within(place, "env"), report),
      cwd: block.cwd === undefined ? undefined : parseTemplate(block.cwd, within(place, "cwd"), report),
      place,
    };
  }
  const kind = "http" in block ? "http" : "sse";
  const url = parseTemplate("http" in block ? block.http : block.sse, within(place, kind), report);
  checkUrl(url, within(place, kind), report);
  const headers = named(block.headers, within(place, "headers"), report);
  for (const header of headers) checkHeader(header, within(place, "headers", header.name), report);
  return { kind, url, headers, place };
}

function named(map: Readonly<Record<string, string>> | undefined, place: Place, report: Report): NamedTemplate[] {
  return Object.entries(map ?? {})
    .map(([name, text]) => ({ name, value: parseTemplate(text, within(place, name), report) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The origin is always the written one: a reference is the whole URL or stands behind the first `/` after the host. */
function checkUrl(url: Template, place: Place, report: Report): void {
  if (isOneReference(url)) return;
  const first = url.parts[0];
  const written = typeof first === "string" ? first : "";
  const behindHost = /^[a-z]+:\/\/[^/?#]*\//i.test(written);
  if (url.parts.length > 1 && !behindHost) return report.add("reference/in-origin", place, { written: url.written });
  const parsed = parseUrl(written);
  if (!parsed || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) return report.add("server/bad-url", place, { url: url.written });
  if (parsed.protocol === "http:" && !isLoopback(parsed.hostname)) report.add("server/plain-http", place, { url: url.written });
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

function checkHeader(header: NamedTemplate, place: Place, report: Report): void {
  const badName = !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header.name);
  // oxlint-disable-next-line no-control-regex -- these are what a header can't hold
  const badValue = /[\u0000-\u0008\u000a-\u001f\u007f]/.test(header.value.written);
  if (badName || badValue) report.add("server/bad-header", keyOf(place), { header: header.name });
}
