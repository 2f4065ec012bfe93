import { globMatcher } from "../base/glob.ts";
import { slug } from "../base/slug.ts";
import type { Report } from "../diagnostics/report.ts";
import type { RoleBlock, ServerBlock } from "../../schemas/types.ts";
import type { Manifest, Mention, PresetDocument, SourceDocument, WholeServer } from "./types.ts";

/** Everything that could say which tools of a server are meant. */
export interface Governing {
  readonly documents: readonly SourceDocument[];
  readonly presets: ReadonlyMap<string, PresetDocument>;
  readonly presetsFound: ReadonlyMap<string, string>;
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/**
 * A file that gives a role a server, and no word on its tools, means those within the server's scopes or its ceiling. Where
 * the server's definition says neither, that would be all: then it stays at the read-only ones, which is how such a file is
 * translated, and at those that a line about the role names to let them through or to ask. A line says nothing of other tools.
 */
export function openWholeServers(governing: Governing, report: Report): SourceDocument[] {
  const used = new Set<Mention>();
  const titled = byTitle(governing.documents);
  const opened = governing.documents.map((document) => {
    const { wholeServers = [] } = document;
    if (wholeServers.length === 0) return document;
    const roles = { ...document.blocks.roles } as Record<string, RoleBlock>;
    for (const { role, server, theirs, place } of wholeServers) {
      const block = roles[role];
      if (block === undefined) continue;
      const other = otherMeant({ server, theirs }, governing, titled);
      if (other !== undefined) {
        const { [server]: _, ...tools } = block.tools ?? {};
        roles[role] = { ...block, tools };
        report.add("import/same-name", place, { one: theirs, other, name: server, key: "imports" });
        continue;
      }
      if (hasBounds(server, governing)) {
        roles[role] = { ...block, tools: { ...block.tools, [server]: "all" } };
        continue;
      }
      const lines = isOthersTitle(server, titled) ? [] : linesAbout({ role, server }, governing);
      lines.forEach((line) => used.add(line));
      const named = [...new Set(lines.map(({ selector }) => selector.slice(server.length + 1)))];
      roles[role] = { ...block, tools: { ...block.tools, [server]: ["is:read-only", ...named] } };
      if (isDeclared(server, governing)) report.add("role/server-alone", place, { role, server });
    }
    return { ...document, blocks: { ...document.blocks, roles } };
  });
  // A line that let a tool through did something: it is said of no such line that it grants nothing.
  return opened.map((document) => {
    const { mentions } = document;
    return mentions?.some((line) => used.has(line))
      ? { ...document, mentions: mentions.filter((line) => !used.has(line)) }
      : document;
  });
}

function hasBounds(server: string, { documents, presets, presetsFound }: Governing): boolean {
  const blocks = blocksOf(server, documents);
  if (blocks.some(isBound)) return true;
  const preset = blocks.flatMap((block) => block.preset ?? [])[0];
  const found = presets.get(preset ?? presetsFound.get(server) ?? "")?.preset;
  return found !== undefined && (found.server.tools !== undefined || (preset !== undefined && isBound(found.server)));
}

/** Of one that nobody declares more is to be said, elsewhere. */
function isDeclared(server: string, { documents }: Governing): boolean {
  return blocksOf(server, documents).length > 0;
}

function blocksOf(server: string, documents: readonly SourceDocument[]): ServerBlock[] {
  return documents.flatMap((document) => document.blocks.servers?.[server] ?? []);
}

function isBound({ tools, scopes }: Pick<ServerBlock, "tools" | "scopes">): boolean {
  return tools !== undefined || scopes !== undefined;
}

/** Servers of the project, by what their files call them in our letters. */
type ByTitle = ReadonlyMap<string, ReadonlySet<string>>;

function byTitle(documents: readonly SourceDocument[]): ByTitle {
  const found = new Map<string, Set<string>>();
  for (const { blocks } of documents)
    for (const [name, block] of Object.entries(blocks.servers ?? {})) {
      const title = block?.title;
      if (title === undefined) continue;
      const theirs = slug(title);
      found.set(theirs, (found.get(theirs) ?? new Set()).add(name));
    }
  return found;
}

/** Whether another is called so in its file, and otherwise in the project. */
function isOthersTitle(server: string, titled: ByTitle): boolean {
  const named = titled.get(server) ?? new Set();
  return named.size > (named.has(server) ? 1 : 0);
}

/** What the server is called in its file, where the name that was given is rather another's. */
function otherMeant(
  { server, theirs }: Pick<WholeServer, "server" | "theirs">,
  { documents }: Governing,
  titled: ByTitle,
): string | undefined {
  const [declared] = blocksOf(server, documents);
  const own = declared?.title ?? server;
  const isClear = declared === undefined || own === theirs || !isOthersTitle(server, titled);
  return isClear ? undefined : own;
}

/**
 * Those that name the server itself, and none that may name another. Of a name that no tool has, the line is an error
 * already.
 */
function linesAbout(
  { role, server }: Pick<WholeServer, "role" | "server">,
  { documents, manifests }: Governing,
): Mention[] {
  const pin = blocksOf(server, documents).flatMap(({ manifest }) => manifest ?? [])[0] ?? server;
  const known = manifests.get(pin)?.tools ?? [];
  const mayFind = (tool: string): boolean => /[*?\\:]/.test(tool) || known.some(({ name }) => tool.endsWith(name));
  return documents
    .flatMap(({ mentions = [], asks = [] }) => [...mentions, ...asks])
    .filter(
      ({ selector, roles }) =>
        selector.startsWith(`${server}.`) &&
        mayFind(selector.slice(server.length + 1)) &&
        roles.some((pattern) => globMatcher(pattern)(role)),
    );
}
