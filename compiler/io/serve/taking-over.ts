import { own, type JsonObject } from "../../base/json.ts";
import { compareVersions, isVersion } from "../../base/versions.ts";
import { visible } from "../../base/visible.ts";
import { trouble } from "../login/types.ts";
import { order, SHORT_ANSWER_MS } from "./orders.ts";
import { knownAddresses, type ServePlace } from "./place.ts";
import { reach } from "./talk.ts";

/** When one process begins to serve a project that another one serves. */

export function isOlder(theirs: string, ours: string): boolean {
  return isVersion(theirs) && isVersion(ours) && compareVersions(theirs, ours) < 0;
}

/** What the one says of itself that new clients come to: nothing where it gives no answer. Undefined: there is none. */
export async function whoServes(place: ServePlace): Promise<JsonObject | undefined> {
  const address = knownAddresses(place)?.clients;
  const socket = address === undefined ? undefined : await reach(address);
  socket?.destroy();
  return socket && ((await order(place, "status", SHORT_ANSWER_MS)) ?? {});
}

/** An older version makes room, and for roles over HTTP any that isn't reached so: of two doors nobody would know which is meant. */
export function makesRoom(there: JsonObject, ours: string, isForHttp: boolean): boolean {
  const { http, version } = there;
  if (typeof http !== "string") return isForHttp || (typeof version === "string" && isOlder(version, ours));
  if (!isForHttp) return false;
  throw trouble(`the project is served over HTTP already, at ${visible(http)}`, "rolecall serve --stop ends that one");
}

/** Of whoever is there, by one that can serve: it goes on for the clients that it has. */
export async function handedOver(place: ServePlace): Promise<void> {
  const told = await order(place, "hand-over");
  if (told !== undefined && own(told, "done") !== true)
    throw trouble("what serves the project now doesn't make room", "rolecall serve --stop, then start this one again");
}
