import type { Document, Node, ParsedNode } from "yaml";
import { isOverlong } from "../../base/plain-lines.ts";
import type { HeaderEntries, HeaderEntry, KeyLibraries } from "./types.ts";

type Yaml = ReturnType<KeyLibraries["yaml"]>;

/** Any YAML, as long as its keys stand at the start of their lines. */
export function yamlEntries(header: string, yaml: Yaml): HeaderEntries {
  const document = parsed(header, yaml);
  const [error] = document?.errors ?? [];
  if (error) return { problem: { case: "bad-yaml", line: String(lineOf(header, error.pos[0])) } };
  if (document === undefined) return { problem: { case: "deep-header" } };
  const root: ParsedNode | null = document.contents as ParsedNode | null;
  if (root === null) return isBare(header) ? { entries: [] } : NO_LIST;
  if (!yaml.isMap(root) || root.flow || root.anchor !== undefined || root.tag !== undefined || !isBare(header))
    return NO_LIST;
  const entries: HeaderEntry[] = [];
  for (const { key, value } of root.items as { key: ParsedNode; value: ParsedNode | null }[]) {
    const start = key.range[0];
    if (!yaml.isScalar(key) || (start > 0 && header[start - 1] !== "\n")) return NO_LIST;
    const content = header.slice(0, lastOf(value, yaml) ?? key.range[1]).trimEnd().length;
    const lineEnd = header.indexOf("\n", Math.max(content, key.range[1]) - 1);
    entries.push({
      key: String(key.value),
      start,
      end: lineEnd === -1 ? header.length : lineEnd + 1,
      json: jsonOf(value, yaml),
    });
  }
  return { entries };
}

const NO_LIST = { problem: { case: "no-list" } } as const;

function parsed(header: string, yaml: Yaml): Document.Parsed | undefined {
  if (isOverlong(header)) return undefined;
  try {
    return yaml.parseDocument(header, { prettyErrors: false, logLevel: "silent" });
  } catch {
    return undefined;
  }
}

/** Without directives and without the end of a document, behind which a new key would be another document's. */
function isBare(header: string): boolean {
  return !/^(?:%|\.\.\.(?:\s|$))/m.test(header);
}

/** Where the last thing in a value ends, so that comments behind it stay. */
export function lastOf(node: Node | null | undefined, yaml: Yaml): number | undefined {
  if (!node) return undefined;
  if (!(yaml.isMap(node) || yaml.isSeq(node)) || node.flow) return node.range?.[1];
  const last = node.items.at(-1) as Node | { readonly key: Node; readonly value: Node | null } | undefined;
  if (last === undefined) return node.range?.[1];
  return "key" in last ? (lastOf(last.value, yaml) ?? last.key.range?.[1]) : lastOf(last, yaml);
}

/** What is shared with another place of the file, or tagged, is never what we wrote. */
function jsonOf(node: ParsedNode | null, yaml: Yaml): string {
  if (node === null) return "null";
  if (yaml.isAlias(node) || node.anchor !== undefined || node.tag?.startsWith("!")) return "shared";
  if (yaml.isScalar(node)) return JSON.stringify(node.value) ?? "null";
  if (yaml.isSeq(node)) return `[${(node.items as ParsedNode[]).map((item) => jsonOf(item, yaml)).join(",")}]`;
  const pairs = (node.items as { key: ParsedNode; value: ParsedNode | null }[]).map(
    ({ key, value }) => `${yaml.isScalar(key) ? JSON.stringify(String(key.value)) : "shared"}:${jsonOf(value, yaml)}`,
  );
  return `{${pairs.join(",")}}`;
}

/** In the file, whose first line is `---`. What has no end is told where the text ends. */
function lineOf(header: string, offset: number): number {
  return header.slice(0, Math.min(offset, header.trimEnd().length)).split("\n").length + 1;
}
