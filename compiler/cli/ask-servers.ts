import type { Server, Transport } from "../3-plan/types.ts";
import { askOptions, probeServer } from "../io/ask/planned-server.ts";
import type { AskOptions } from "../io/ask/ask-server.ts";
import { diagnose, type Diagnosis } from "../live-server/diagnosis.ts";
import type { Context } from "./command.ts";
import { inParallel } from "./in-parallel.ts";

/** A server, and the transports that are to be tried, in order. */
interface Asked {
  readonly server: Server;
  readonly ways: readonly Transport[];
}

/** Asks all of them over every transport, several at once. In the order given. */
export async function probeServers(
  context: Context,
  servers: readonly Asked[],
  timeoutMs: number | undefined,
  change: (options: AskOptions) => AskOptions = (options) => options,
): Promise<Diagnosis[]> {
  const { dir, terminal } = context;
  const all = servers.flatMap((asked) => asked.ways.map((way) => ({ asked, way })));
  const probes = await inParallel(
    context,
    "asking",
    all,
    ({ asked }) => asked.server.name,
    ({ asked: { server }, way }) => probeServer(server, way, change(askOptions(dir, terminal.env, server, timeoutMs))),
  );
  return servers.map((asked) =>
    diagnose(
      asked.server.name,
      probes.filter((_, i) => all[i]!.asked === asked),
    ),
  );
}
