import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { Present } from "../../state/types.ts";
import { isTrouble } from "../login/types.ts";
import { askDaemon } from "../serve/orders.ts";
import { doorFolder } from "../serve/place.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Who is at work, by the project's daemon; undefined: there is none, and none is started. */
export async function whoIsPresent(dir: string, env: Env): Promise<readonly Present[] | undefined> {
  const folder = folderOf(dir, env);
  const status = folder === undefined ? undefined : await askDaemon({ folder }, "status");
  const clients = status === undefined ? undefined : own(status, "clients");
  return Array.isArray(clients) ? (clients as readonly JsonValue[]).filter(isObject).flatMap(presentIn) : undefined;
}

/** Undefined: nobody knows where to look, and the rest of a team's state is told all the same. */
function folderOf(dir: string, env: Env): string | undefined {
  try {
    return doorFolder(dir, env);
  } catch (problem) {
    if (isTrouble(problem)) return undefined;
    throw problem;
  }
}

function presentIn(client: JsonObject): readonly Present[] {
  const text = (key: string): string | null => {
    const value = own(client, key);
    return typeof value === "string" ? value : null;
  };
  const number = (key: string): number | null => {
    const value = own(client, key);
    return typeof value === "number" ? value : null;
  };
  const role = text("role");
  if (role === null) return [];
  return [
    {
      role,
      member: text("member"),
      client: text("client"),
      host: text("host"),
      since: timeOf(number("since")),
      lastCall: timeOf(number("lastCall")),
      asksWaiting: number("asks"),
    },
  ];
}

function timeOf(ms: number | null): string | null {
  return ms === null || !(Math.abs(ms) < 8.64e15) ? null : new Date(ms).toISOString();
}
