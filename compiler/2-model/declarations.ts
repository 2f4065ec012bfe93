import { keyOf, within, type Place } from "../base/place.ts";
import { nearest } from "../base/nearest.ts";
import type { Report } from "../diagnostics/report.ts";
import { documentPlace, type SourceDocument } from "../1-source/types.ts";
import type { RoleBlock, ServerBlock } from "../../schemas/types.ts";

export interface Declared<Block> {
  readonly name: string;
  readonly block: Block;
  readonly place: Place;
  /** What it lies over, the lowest first: the layers before it, and what `from` refines. */
  readonly under: readonly Written<Block>[];
  /** It is of layers alone. */
  readonly layer: boolean;
}

interface Written<Block> {
  readonly block: Block;
  readonly place: Place;
}

/** JavaScript would take an object with such a key for something else. */
const RESERVED_SERVERS = new Set(["then", "constructor"]);

export function declaredServers(
  documents: readonly SourceDocument[],
  report: Report,
): Map<string, Declared<ServerBlock>> {
  const layers = documents.filter(({ layer }) => layer === true);
  const servers = declared<ServerBlock>("servers", "server", documents, report, ({ from }, document) => {
    const isFromLayers = document.layer === true && layers.some(({ file }) => file === from);
    return from === document.file || isFromLayers;
  });
  for (const one of servers.values()) {
    const { name, block, place, under } = one;
    if (takesOutNothing(one, servers, report)) servers.delete(name);
    if (RESERVED_SERVERS.has(name))
      report.add("source/bad-name", keyOf(place), { case: "reserved", name, kind: "server" });
    if (block.from !== undefined && !under.some((one) => one.place.file === block.from)) {
      const brought = documents.flatMap(({ file, blocks }) =>
        file === block.from ? Object.keys(blocks.servers ?? {}) : [],
      );
      const params = { file: block.from, server: name, nearest: nearest(name, brought) };
      report.add("import/from-nothing", within(place, "from"), params);
    }
  }
  return servers;
}

/** A layer takes a server out that no layer below it brings: where the name is a slip, the one that was meant stays. */
function takesOutNothing(
  { name, block, place, under }: Declared<ServerBlock>,
  servers: ReadonlyMap<string, Declared<ServerBlock>>,
  report: Report,
): boolean {
  const written = [...under, { block, place }];
  const [lowest] = written;
  if (lowest === undefined || lowest.place.origins === undefined || !takesOut(lowest)) return false;
  const others = [...servers.keys()].filter((other) => other !== name);
  report.add("import/takes-out-nothing", keyOf(lowest.place), { server: name, nearest: nearest(name, others) });
  return written.every(takesOut);
}

/** What `null` under a server's name comes to. */
function takesOut({ block: { enabled, connect, preset } }: Written<ServerBlock>): boolean {
  return enabled === false && connect === undefined && preset === undefined;
}

export function declaredRoles(documents: readonly SourceDocument[], report: Report): Map<string, Declared<RoleBlock>> {
  return declared<RoleBlock>("roles", "role", documents, report, () => false);
}

/** A format without roles has one, and the entry that lists its file says what that is called. */
function entryNaming(block: string, name: string, { file, origins }: SourceDocument): string | undefined {
  return block === "roles" && name === "agent" && origins !== undefined ? `{ file: ${file}, role: NAME }` : undefined;
}

/**
 * All files are one program: a name declared twice is an error that shows both places, unless one lies over the other.
 * `refines`: whether a block is written over the one of that document. Sorted by name.
 */
function declared<Block>(
  block: "servers" | "roles",
  kind: string,
  documents: readonly SourceDocument[],
  report: Report,
  refines: (block: Block, document: SourceDocument) => boolean,
): Map<string, Declared<Block>> {
  const found = new Map<string, Declared<Block> & { readonly addsUp: boolean }>();
  for (const document of documents) {
    const layer = document.layer === true;
    const addsUp = block === "roles" && document.rolesAddUp === true;
    for (const [name, value] of Object.entries(document.blocks[block] ?? {})) {
      const place = within(documentPlace(document), block, name);
      const one = { block: value as Block, place };
      const first = found.get(name);
      if (first === undefined) found.set(name, { name, ...one, under: [], layer, addsUp });
      else if ((first.layer && layer) || (first.addsUp && addsUp))
        found.set(name, {
          name,
          ...one,
          under: [...first.under, { block: first.block, place: first.place }],
          layer,
          addsUp,
        });
      else if (refines(first.block, document)) found.set(name, { ...first, under: [...first.under, one] });
      else
        report.add("source/declared-twice", keyOf(place), { kind, name, entry: entryNaming(block, name, document) }, [
          { says: "it is declared here first", at: keyOf(first.place) },
        ]);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
