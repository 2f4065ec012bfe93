import { commandWords } from "../../base/command-words.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { connectOf, isPastedServer, maskedTransport } from "./pasted.ts";

/** Connections in another form, as they are written here. What may be a secret isn't repeated. */

/** A server that says its own name, in a list. */
export function serverMeant(name: string, server: JsonValue): JsonValue {
  if (!isObject(server)) return server;
  const connect = isPastedServer(server) ? connectOf(name, server)?.connect : maskedConnect(name, server);
  if (connect === undefined) return server;
  return isPastedServer(server) ? { connect } : { ...(server as JsonObject), connect };
}

function maskedConnect(name: string, server: JsonObject): JsonValue | undefined {
  const { connect } = server;
  if (!Array.isArray(connect)) return undefined;
  return (connect as readonly JsonValue[]).map((one) => (isObject(one) ? maskedTransport(name, one).connect[0]! : one));
}

export function connectMeant(found: JsonValue, server: string): JsonValue | undefined {
  if (isObject(found)) return maskedTransport(server, found).connect;
  if (typeof found !== "string") return undefined;
  const transport = transportOf(found, server);
  return transport && [transport];
}

export function transportOf(found: string, server: string): JsonObject | undefined {
  const isUrl = /^https?:\/\//i.test(found) || /^\$\{[^}]*\}$/.test(found);
  const written = isUrl ? { [/\/sse\/?$/.test(found) ? "sse" : "http"]: found } : { stdio: commandWords(found) };
  return maskedTransport(server, written).connect[0];
}

/** `[KEY=value]` or `["Name: value"]` as a map. */
export function pairsMeant(found: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  if (!Array.isArray(found)) return undefined;
  const key = String(path.at(-1));
  const pairs = (found as readonly JsonValue[]).map((item): [string, JsonValue] | undefined => {
    const [, name, value] = (typeof item === "string" && /^([\w-]+)(?:=|:\s*)(.*)$/s.exec(item)) || [];
    if (name !== undefined) return [name, value!];
    if (typeof item === "string" && /^[A-Za-z_]\w*$/.test(item) && key === "env") return [item, `\${${item}}`];
    const entries = isObject(item) ? Object.entries(item) : [];
    return entries.length === 1 ? entries[0] : undefined;
  });
  if (!pairs.every((pair) => pair !== undefined)) return undefined;
  return maskedTransport(String(path[0] === "server" ? "preset" : path[1]), { [key]: Object.fromEntries(pairs) })
    .connect[0]![key];
}

export function stdioMeant(found: JsonValue, server: string): JsonValue | undefined {
  if (typeof found === "string") return commandWords(found);
  return isPastedServer(found) ? connectOf(server, found)?.connect[0]!["stdio"] : undefined;
}
