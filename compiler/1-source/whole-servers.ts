import { globMatcher } from "../base/glob.ts";
import type { Report } from "../diagnostics/report.ts";
import type { PolicyBlock, Restriction, RoleBlock, ServerBlock } from "../../schemas/types.ts";
import type { PresetDocument, SourceDocument, WholeServer } from "./types.ts";

/** Everything that could say which tools of a server are meant. */
export interface Governing {
  readonly documents: readonly SourceDocument[];
  readonly presets: ReadonlyMap<string, PresetDocument>;
  readonly presetsFound: ReadonlyMap<string, string>;
}

/**
 * A file that gives a role a server, and no word on its tools, means those within the server's scopes. Where neither the
 * server's definition nor a line about the role says anything, that would be all: then it stays at the read-only ones,
 * which is how such a file is translated.
 */
export function openWholeServers(governing: Governing, report: Report): SourceDocument[] {
  return governing.documents.map((document) => {
    const { wholeServers = [] } = document;
    if (wholeServers.length === 0) return document;
    const roles = { ...document.blocks.roles } as Record<string, RoleBlock>;
    for (const { role, server, place } of wholeServers) {
      const block = roles[role];
      if (block === undefined) continue;
      if (isGoverned({ role, server, place }, governing))
        roles[role] = { ...block, tools: { ...block.tools, [server]: "all" } };
      else report.add("role/server-alone", place, { role, server });
    }
    return { ...document, blocks: { ...document.blocks, roles } };
  });
}

function isGoverned({ role, server }: WholeServer, { documents, presets, presetsFound }: Governing): boolean {
  const blocks = documents.flatMap((document) => document.blocks.servers?.[server] ?? []);
  if (blocks.some(hasCeiling)) return true;
  const preset = blocks.flatMap((block) => block.preset ?? [])[0];
  const found = presets.get(preset ?? presetsFound.get(server) ?? "")?.preset;
  if (found && (found.server.tools !== undefined || (preset !== undefined && hasCeiling(found.server)))) return true;
  const lines: readonly Line[] = [
    ...documents.flatMap((document) => [...(document.blocks.policies ?? []).flatMap(lineOf), ...mentionsOf(document)]),
    ...(found?.policies ?? []).flatMap(lineOf),
  ];
  return lines.some(
    ({ roles, servers }) =>
      (servers.includes(server) || (found !== undefined && servers.includes(found.id))) &&
      roles.some((pattern) => globMatcher(pattern)(role)),
  );
}

function hasCeiling({ tools, scopes }: Pick<ServerBlock, "tools" | "scopes">): boolean {
  return tools !== undefined || scopes !== undefined;
}

interface Line {
  readonly roles: readonly string[];
  readonly servers: readonly string[];
}

function lineOf(policy: PolicyBlock | null): Line[] {
  return policy === null ? [] : [{ roles: policy.roles.map(textOf), servers: policy.tools.map(serverOf) }];
}

function mentionsOf({ mentions = [] }: SourceDocument): Line[] {
  return mentions.map(({ roles, selector }) => ({ roles, servers: [serverOf(selector)] }));
}

function serverOf(item: Restriction): string {
  const text = textOf(item);
  return text.slice(0, Math.max(0, text.indexOf(".")));
}

function textOf(item: Restriction): string {
  if (typeof item === "string") return item;
  return "optional" in item ? item.optional : item.absent;
}
