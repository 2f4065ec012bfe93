import type { KeyPath } from "./types.ts";
import type { ManagedKeys } from "../types.ts";

/**
 * Where a build may take keys out that nothing makes any more. What an earlier build wrote is told by a list, and a
 * list could name anything: outside of these it is believed nothing.
 */
const PLACES: readonly {
  readonly file: RegExp;
  readonly format: ManagedKeys["format"];
  /** First parts of paths; the empty one is the text below front matter. */
  readonly heads: readonly string[];
}[] = [
  { file: /^\.claude\/agents\/[^/]+\.md$/, format: "front-matter", heads: ["", "name", "description", "tools"] },
  {
    file: /^\.github\/agents\/[^/]+\.agent\.md$/,
    format: "front-matter",
    heads: ["", "name", "description", "tools", "agents", "mcp-servers", "target"],
  },
  { file: /^\.cursor\/rules\/[^/]+\.mdc$/, format: "front-matter", heads: ["", "description", "alwaysApply"] },
  { file: /^\.mcp\.json$/, format: "json", heads: ["mcpServers"] },
  { file: /^\.vscode\/mcp\.json$/, format: "json", heads: ["servers"] },
  { file: /^\.cursor\/mcp\.json$/, format: "json", heads: ["mcpServers"] },
  { file: /^\.cursor\/cli\.json$/, format: "json", heads: ["permissions"] },
  { file: /^\.gemini\/settings\.json$/, format: "json", heads: ["mcpServers", "mcp", "context"] },
  { file: /^(?:[^/]+\/)*opencode\.jsonc?$/, format: "json", heads: ["mcp", "permission", "agent"] },
];

/** Undefined: no host keeps keys there. */
export function formatAt(file: string): ManagedKeys["format"] | undefined {
  return PLACES.find((place) => place.file.test(file))?.format;
}

export function mayHaveBeenOurs(file: string, at: KeyPath): boolean {
  return PLACES.some((place) => place.file.test(file) && place.heads.includes(at[0] ?? ""));
}
