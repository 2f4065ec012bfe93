import type { ConnectionsOptions, HostConnection } from "../api.ts";
import { expandAddress, expandStart } from "../connect/expand-entry.ts";
import { acceptingEnv, readReferences, Unusable, unusableError } from "../connect/expand.ts";
import { RolecallError } from "../errors.ts";
import type { TransportData } from "../server-data.ts";
import { refuseInPlaceOfFake } from "./fakes.ts";
import { loadServer } from "./servers.ts";
import type { ServerUse, SessionState } from "./types.ts";

/**
 * For hosts that connect by themselves: the preferred way to each server of the role, with its references expanded. A host
 * can't fall back, so there is one way, and a server whose variables aren't set is skipped with an event.
 */
export async function hostConnections(
  session: SessionState,
  { probe = false }: ConnectionsOptions = {},
): Promise<readonly HostConnection[]> {
  if (session.team.options.connections !== true) throw notChosen(session);
  const found = await Promise.all(
    [...session.role.servers].map(async ([server, { load }]) =>
      usable(session, await loadServer(session.team, server, load), probe),
    ),
  );
  return found.flatMap((connection) => connection ?? []);
}

/** Whoever has a session would have the secrets of its servers. */
function notChosen({ role }: SessionState): RolecallError {
  const words =
    "`$connections()` gives away secrets, and this team doesn't: start it with `team({ connections: true })`";
  return new RolecallError("tool-denied", words, { role: role.name });
}

async function usable(session: SessionState, use: ServerUse, probe: boolean): Promise<HostConnection | undefined> {
  const { server, connect, mustConnect } = use.data;
  refuseInPlaceOfFake(session.team, server);
  try {
    const [entry] = connect;
    if (entry === undefined) throw new Unusable("no transport is written for it");
    const connection = await expanded(session, use, entry);
    if (probe) await answers(session, use, entry);
    return connection;
  } catch (error) {
    const said = error instanceof Unusable ? unusableError(server, error) : error;
    if (!(said instanceof RolecallError) || mustConnect) throw said;
    session.team.emit({ type: "skipped", server, why: said.message });
    return undefined;
  }
}

async function expanded(
  { team, closing, handedOut }: SessionState,
  { data }: ServerUse,
  entry: TransportData,
): Promise<HostConnection> {
  const { server, timeoutMs } = data;
  // How long the host uses them it doesn't say.
  const secret = (value: string): void => {
    if (handedOut.has(value)) return;
    handedOut.add(value);
    closing.signal.addEventListener("abort", team.secrets.add(value), { once: true });
  };
  const expansion = {
    world: { root: team.root, secret },
    references: readReferences(acceptingEnv(team.env, data.acceptedNames)),
  };
  if (entry.kind === "stdio") return { server, timeoutMs, kind: entry.kind, ...(await expandStart(entry, expansion)) };
  const { url, headers } = await expandAddress(entry, expansion);
  return { server, timeoutMs, kind: entry.kind, url: url.href, headers };
}

/** By a connection of its own, which is gone before the host opens another. */
async function answers(
  { team, closing }: SessionState,
  { data, equipment }: ServerUse,
  entry: TransportData,
): Promise<void> {
  const { env, root, clock, secrets } = team;
  const world = { env, root, clock, on: () => {}, secrets };
  const link = equipment.openLink({ ...data, connect: [entry] }, world);
  const close = (): void => void link.close();
  for (const { signal } of [closing, team.closing]) signal.addEventListener("abort", close);
  try {
    await link.connect();
  } catch (error) {
    if (error instanceof RolecallError && SILENT.has(error.code)) throw error;
    // It is there, and has something to say to the host: it may ask for a sign-in.
  } finally {
    for (const { signal } of [closing, team.closing]) signal.removeEventListener("abort", close);
    await link.close();
  }
}

const SILENT: ReadonlySet<string> = new Set(["server-unavailable", "timeout"]);
