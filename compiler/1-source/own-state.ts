import { PROJECT_FILE } from "../base/project-layout.ts";
import { STATE_CAPABILITIES, stateTools } from "../state/tools.ts";
import type { MadeManifest } from "./read-manifests.ts";
import type { SourceDocument, StateSettings } from "./types.ts";

/** `state:` declares a server like any other, and what it offers is known without asking it. */

/** Undefined: no server of ours is declared. */
export function stateDocument({ isWritten, name, command }: StateSettings): SourceDocument | undefined {
  if (!isWritten) return undefined;
  const server = {
    description: "The team's roster, decisions and backlog, to look at.",
    connect: [{ stdio: [...command] }],
    limits: { timeout: "10s" },
    whenDown: "The team's state can't be asked for. Read its files where you may, or go on without.",
  };
  return {
    file: PROJECT_FILE,
    guard: false,
    origins: [
      [["servers", name], ["state"]],
      [["servers", name, "connect"], ["state"]],
    ],
    blocks: { servers: { [name]: server } },
  };
}

export function stateManifest({ isWritten, name }: StateSettings): MadeManifest | undefined {
  if (!isWritten) return undefined;
  const manifest = { format: 1, server: name, capabilities: STATE_CAPABILITIES, tools: stateTools(name) };
  return { pin: name, file: PROJECT_FILE, text: JSON.stringify(manifest) };
}
