import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { knownAddresses, type ServePlace } from "./place.ts";
import { firstLine, reach } from "./talk.ts";

/** What is said to a daemon over its inbox. */
export type Order = "status" | "stop" | "hand-over";
const ORDERS: readonly Order[] = ["status", "stop", "hand-over"];

const FORMAT = 1;
/** To end, servers get their time. */
const LONGEST_ANSWER_MS = 30_000;

export function readOrder(line: string): Order | undefined {
  const told = readJson(line);
  if (told === undefined || own(told, "rolecall") !== FORMAT) return undefined;
  return ORDERS.find((order) => order === own(told, "do"));
}

/** Its answer; undefined: no daemon is there. */
export async function order(place: ServePlace, what: Order): Promise<JsonObject | undefined> {
  const address = knownAddresses(place)?.inbox;
  const socket = address === undefined ? undefined : await reach(address);
  if (socket === undefined) return undefined;
  socket.write(`${JSON.stringify({ rolecall: FORMAT, do: what })}\n`);
  const line = await firstLine(socket, LONGEST_ANSWER_MS);
  socket.destroy();
  return readJson(line ?? "{}");
}

function readJson(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
