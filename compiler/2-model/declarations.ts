import { keyOf, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SourceDocument } from "../1-source/types.ts";
import type { RoleBlock, ServerBlock } from "../../schemas/types.ts";

export interface Declared<Block> {
  readonly name: string;
  readonly block: Block;
  readonly place: Place;
}

/** JavaScript would take an object with such a key for something else. */
const RESERVED_SERVERS = new Set(["then", "constructor"]);

export function declaredServers(
  documents: readonly SourceDocument[],
  report: Report,
): Map<string, Declared<ServerBlock>> {
  const servers = declared<ServerBlock>("servers", "server", documents, report);
  for (const { name, place } of servers.values()) {
    if (RESERVED_SERVERS.has(name))
      report.add("source/bad-name", keyOf(place), { case: "reserved", name, kind: "server" });
  }
  return servers;
}

export function declaredRoles(documents: readonly SourceDocument[], report: Report): Map<string, Declared<RoleBlock>> {
  return declared<RoleBlock>("roles", "role", documents, report);
}

/** All files are one program: a name declared twice is an error that shows both places. Sorted by name. */
function declared<Block>(
  block: "servers" | "roles",
  kind: string,
  documents: readonly SourceDocument[],
  report: Report,
): Map<string, Declared<Block>> {
  const found = new Map<string, Declared<Block>>();
  for (const document of documents) {
    for (const [name, value] of Object.entries(document.blocks[block] ?? {})) {
      const place: Place = { file: document.file, path: [block, name] };
      const first = found.get(name);
      if (first)
        report.add("source/declared-twice", keyOf(place), { kind, name }, [
          { says: "it is declared here first", at: keyOf(first.place) },
        ]);
      else found.set(name, { name, block: value as Block, place });
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
