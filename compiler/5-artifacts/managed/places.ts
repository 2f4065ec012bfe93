import { textOfPath } from "./path-text.ts";
import type { NamePath } from "./types.ts";
import type { ManagedKeys } from "../types.ts";

/**
 * Where a build may take keys out that nothing makes any more. What an earlier build wrote is told by a list, and a
 * list could name anything: outside of these it is believed nothing.
 */
const PLACES: readonly {
  readonly file: RegExp;
  readonly format: ManagedKeys["format"];
  /** Whole paths as text; never what holds keys of the user's too. The empty one is the text below front matter. */
  readonly keys: RegExp;
}[] = [
  { file: /^\.claude\/agents\/[^/]+\.md$/, format: "front-matter", keys: /^(?:|name|description|tools)$/ },
  {
    file: /^\.github\/agents\/[^/]+\.agent\.md$/,
    format: "front-matter",
    keys: /^(?:|name|description|tools|agents|mcp-servers|target)$/,
  },
  { file: /^\.cursor\/rules\/[^/]+\.mdc$/, format: "front-matter", keys: /^(?:|description|alwaysApply)$/ },
  { file: /^\.mcp\.json$/, format: "json", keys: /^mcpServers\/[^/]+$/ },
  { file: /^\.vscode\/mcp\.json$/, format: "json", keys: /^servers\/[^/]+$/ },
  { file: /^\.cursor\/mcp\.json$/, format: "json", keys: /^mcpServers\/[^/]+$/ },
  { file: /^\.cursor\/cli\.json$/, format: "json", keys: /^permissions\/allow$/ },
  {
    file: /^\.gemini\/settings\.json$/,
    format: "json",
    keys: /^(?:mcpServers\/[^/]+|mcp\/excluded|context\/fileName)$/,
  },
  {
    file: /^(?:[^/]+\/)*opencode\.jsonc?$/,
    format: "json",
    keys: /^(?:(?:mcp|agent)\/[^/]+|permission\/(?:[^/]+_\*|task|read\/mcp:\*))$/,
  },
];

/** Undefined: no host keeps keys there. */
export function formatAt(file: string): ManagedKeys["format"] | undefined {
  return PLACES.find((place) => place.file.test(file))?.format;
}

export function mayHaveBeenOurs(file: string, at: NamePath): boolean {
  const key = textOfPath(at);
  return PLACES.some((place) => place.file.test(file) && place.keys.test(key));
}
