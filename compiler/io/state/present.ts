import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { Present } from "../../state/types.ts";
import { orderAll, SHORT_ANSWER_MS } from "../serve/orders.ts";
import { knownFolder } from "../serve/place.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Who is at work, by what serves the project; undefined: there is none, and none is started. */
export async function whoIsPresent(dir: string, env: Env): Promise<readonly Present[] | undefined> {
  const folder = knownFolder(dir, env);
  const told = folder === undefined ? [] : await orderAll({ folder }, "status", SHORT_ANSWER_MS);
  const clients = told.map((status) => own(status, "clients")).filter((listed) => Array.isArray(listed));
  if (clients.length === 0) return undefined;
  return (clients.flat() as readonly JsonValue[]).filter(isObject).flatMap(presentIn);
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
