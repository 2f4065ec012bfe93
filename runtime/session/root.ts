import { resolve } from "node:path";
import type { EnvLookup } from "../api.ts";
import { readReferences } from "../connect/expand.ts";
import type { ServerData } from "../server-data.ts";

/** The directory that paths in conditions are relative to; undefined when the server names none. */
export async function rootOf(data: ServerData, env: EnvLookup, teamRoot: string): Promise<string | undefined> {
  const [cwd] = data.connect.flatMap((transport) => (transport.kind === "stdio" ? [transport.cwd] : []));
  const template = data.root ?? cwd;
  if (template === undefined) return undefined;
  const text = await readReferences(data.server, env).expand(template);
  return text === undefined ? undefined : resolve(teamRoot, text);
}
