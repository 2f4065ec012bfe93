import type { HostConnection } from "../api.ts";
import { expandAddress, expandStart } from "../connect/expand-entry.ts";
import { readReferences, Unusable, unusableError } from "../connect/expand.ts";
import type { ServerData } from "../server-data.ts";
import { loadServer } from "./servers.ts";
import type { SessionState } from "./types.ts";

/**
 * For hosts that connect by themselves: the preferred way to each server of the role, with its references expanded. A host
 * can't fall back, so there is one way, and a server whose variables aren't set is skipped with an event.
 */
export async function hostConnections(session: SessionState): Promise<readonly HostConnection[]> {
  const found: HostConnection[] = [];
  for (const [server, { load }] of session.role.servers) {
    const { data } = await loadServer(session.team, server, load);
    const connection = await expanded(session, data);
    if (connection !== undefined) found.push(connection);
  }
  return found;
}

async function expanded({ team }: SessionState, data: ServerData): Promise<HostConnection | undefined> {
  const { server, timeoutMs, connect } = data;
  const expansion = {
    world: { root: team.root, secret: (value: string) => team.secrets.add(value) },
    references: readReferences(team.env),
  };
  try {
    const [entry] = connect;
    if (entry === undefined) throw new Unusable("no transport is written for it");
    if (entry.kind === "stdio")
      return { server, timeoutMs, kind: entry.kind, ...(await expandStart(entry, expansion)) };
    const { url, headers } = await expandAddress(entry, expansion);
    return { server, timeoutMs, kind: entry.kind, url: url.href, headers };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    const said = unusableError(server, error);
    if (data.mustConnect) throw said;
    team.emit({ type: "skipped", server, why: said.message });
    return undefined;
  }
}
