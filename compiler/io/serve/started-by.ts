import type { ServerData, TransportData } from "../../../runtime/server-data.ts";
import type { ToldState } from "../../serve/told-state.ts";
import { readToldState } from "../../serve/told-state.ts";
import { orderAll, SHORT_ANSWER_MS } from "./orders.ts";
import { knownFolder } from "./place.ts";

/**
 * The folder of the project that the process serves, told to what it starts: a `rolecall state` of that project tells what
 * was accepted. One that a person starts follows the build.
 */
export const SERVED_HERE = "ROLECALL_SERVED_HERE";

/** The text of ServerData, with that variable for what it starts. */
export function startedFrom(data: string, dir: string): string {
  const server = JSON.parse(data) as ServerData;
  if (server.connect.every(({ kind }) => kind !== "stdio")) return data;
  return JSON.stringify({ ...server, connect: server.connect.map((one) => withFolder(one, dir)) });
}

function withFolder(transport: TransportData, dir: string): TransportData {
  if (transport.kind !== "stdio") return transport;
  return { ...transport, env: [...transport.env.filter(([name]) => name !== SERVED_HERE), [SERVED_HERE, [dir]]] };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Of the process that new clients come to, or of one that has handed over. Undefined: none gives an answer. */
export async function askToldState(dir: string, env: Env): Promise<ToldState | undefined> {
  const folder = knownFolder(dir, env);
  const answers = folder === undefined ? [] : await orderAll({ folder }, "state", SHORT_ANSWER_MS);
  return answers.map(readToldState).find((told) => told !== undefined);
}
