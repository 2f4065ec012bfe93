import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
import { readObject } from "../../serve/inbox-lines.ts";
import { knownAddresses, knownInboxes, type ServePlace } from "./place.ts";
import { firstLine, reach } from "./talk.ts";

/** What is said to a daemon over its inbox. */
export type Order = "status" | "state" | "stop" | "hand-over" | "accept";
const ORDERS: readonly Order[] = ["status", "state", "stop", "hand-over", "accept"];

/** From where a person answers. */
export type ApproverKind = (typeof APPROVERS)[number];
const APPROVERS = ["terminal", "page", "program"] as const;

export interface Attending {
  readonly as: ApproverKind;
  /** It hears what comes as well: calls may wait for it. */
  readonly stays: boolean;
}

const FORMAT = 1;
/** It tells of every client, role and member there is. */
const LONGEST_ANSWER = 16 * 1024 * 1024;
/** To end, servers get their time. */
export const LONGEST_ANSWER_MS = 30_000;
/** For whoever doesn't wait for one that says nothing. */
export const SHORT_ANSWER_MS = 2_000;

export function readOrder(line: string): Order | Attending | undefined {
  const told = readObject(line);
  if (told === undefined || own(told, "rolecall") !== FORMAT) return undefined;
  const what = own(told, "do");
  if (what === "asks") {
    const as = APPROVERS.find((kind) => kind === own(told, "as"));
    return as && { as, stays: own(told, "stays") === true };
  }
  return ORDERS.find((order) => order === what);
}

/** The answer of the daemon that new clients come to; undefined: there is none. */
export async function order(
  place: ServePlace,
  what: Order,
  withinMs: number = LONGEST_ANSWER_MS,
): Promise<JsonObject | undefined> {
  return askAt(knownAddresses(place)?.inbox, what, withinMs);
}

/** The answers of all that serve the project: of that one first, then of those that have handed over. */
export async function orderAll(
  place: Pick<ServePlace, "folder">,
  what: Order,
  withinMs: number = LONGEST_ANSWER_MS,
): Promise<readonly JsonObject[]> {
  const answers = await Promise.all(knownInboxes(place).map((inbox) => askAt(inbox, what, withinMs)));
  return answers.filter((answer) => answer !== undefined);
}

/** Empty: it is there, and gave none in time. */
async function askAt(inbox: string | undefined, what: Order, withinMs: number): Promise<JsonObject | undefined> {
  const socket = await reachInbox(inbox, { do: what });
  if (socket === undefined) return undefined;
  const line = await firstLine(socket, withinMs, LONGEST_ANSWER);
  socket.destroy();
  return readObject(line ?? "{}");
}

/** To see what waits at one of them, and to answer: its first line says how many, or why not. */
export function attendAt(inbox: string, { as, stays }: Attending): Promise<Socket | undefined> {
  return reachInbox(inbox, { do: "asks", as, stays });
}

async function reachInbox(address: string | undefined, said: JsonObject): Promise<Socket | undefined> {
  const socket = address === undefined ? undefined : await reach(address);
  socket?.write(`${JSON.stringify({ rolecall: FORMAT, ...said })}\n`);
  return socket;
}
