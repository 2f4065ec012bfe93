import { resolve } from "node:path";
import type { EnvLookup } from "../api.ts";
import { acceptingEnv, readReferences, Unusable, unusableError } from "../connect/expand.ts";
import type { ServerData } from "../server-data.ts";

/** The directory that paths in conditions are relative to; undefined when the server names none. */
export async function rootOf(
  data: Pick<ServerData, "server" | "connect" | "root" | "acceptedNames">,
  env: EnvLookup,
  teamRoot: string,
): Promise<string | undefined> {
  const [cwd] = data.connect.flatMap((transport) => (transport.kind === "stdio" ? [transport.cwd] : []));
  const template = data.root ?? cwd;
  if (template === undefined) return undefined;
  const text = await readReferences(acceptingEnv(env, data.acceptedNames))
    .gather((expand) => expand(template))
    .catch((error: unknown) => {
      throw error instanceof Unusable ? unusableError(data.server, error) : error;
    });
  return text === undefined ? undefined : resolve(teamRoot, text);
}
