import { visible } from "../../base/visible.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { trouble, type Endpoints, type Login, type SecretPlace, type LoginSecrets } from "./types.ts";

/** One login as the file has it. */
export type LoginEntry =
  | { readonly login: Login; readonly place: Extract<SecretPlace, "keychain"> }
  | { readonly login: Login; readonly place: Extract<SecretPlace, "file">; readonly secrets: LoginSecrets };

const FORMAT = 1;

export function loginsText(entries: readonly LoginEntry[]): string {
  const logins = entries.map((entry) => ({
    ...entry.login,
    place: entry.place,
    ...(entry.place === "file" && { secrets: entry.secrets }),
  }));
  return `${JSON.stringify({ format: FORMAT, logins }, undefined, 1)}\n`;
}

/** Nothing that was cut off or written by something else is taken for logins: a person looks at it first. */
export function parseLogins(text: string, file: string): readonly LoginEntry[] {
  if (text === "") return [];
  const value = parsed(text);
  const logins = isObject(value) && own(value, "format") === FORMAT ? own(value, "logins") : undefined;
  const entries = Array.isArray(logins) ? (logins as readonly JsonValue[]).map(entryOf) : undefined;
  if (entries === undefined || entries.includes(undefined))
    throw trouble(
      `\`${visible(file)}\` isn't a list of logins that this version can read`,
      "delete it, and log in again",
    );
  return entries as readonly LoginEntry[];
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** What a keychain gave back; undefined when it isn't what was put there. */
export function parseSecrets(text: string): LoginSecrets | undefined {
  return secretsOf(parsed(text));
}

function entryOf(value: JsonValue): LoginEntry | undefined {
  if (!isObject(value)) return undefined;
  const login = loginOf(value);
  const place = own(value, "place");
  if (login === undefined) return undefined;
  if (place === "keychain") return { login, place };
  const secrets = secretsOf(own(value, "secrets"));
  return place === "file" && secrets !== undefined ? { login, place, secrets } : undefined;
}

function loginOf(value: JsonObject): Login | undefined {
  const endpoints = endpointsOf(own(value, "endpoints"));
  const scopes = own(value, "scopes");
  const expiresAt = own(value, "expiresAt");
  const [server, resource, issuer, clientId] = ["server", "resource", "issuer", "clientId"].map((key) =>
    own(value, key),
  );
  if (typeof server !== "string" || typeof issuer !== "string" || typeof clientId !== "string") return undefined;
  if (!URL.canParse(issuer) || endpoints === undefined) return undefined;
  if (typeof resource !== "string" || !URL.canParse(resource)) return undefined;
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === "string")) return undefined;
  return {
    server,
    resource,
    declared: own(value, "declared") === true,
    issuer,
    clientId,
    scopes: scopes as readonly string[],
    expiresAt: typeof expiresAt === "number" ? expiresAt : undefined,
    endpoints,
  };
}

function endpointsOf(value: JsonValue | undefined): Endpoints | undefined {
  if (!isObject(value)) return undefined;
  const [token, method, revocation] = [own(value, "token"), own(value, "method"), own(value, "revocation")];
  if (typeof token !== "string" || (method !== "none" && !isSecretMethod(method))) return undefined;
  return { token, method, revocation: typeof revocation === "string" ? revocation : undefined };
}

function isSecretMethod(method: unknown): method is "client_secret_basic" | "client_secret_post" {
  return method === "client_secret_basic" || method === "client_secret_post";
}

function secretsOf(value: JsonValue | undefined): LoginSecrets | undefined {
  if (!isObject(value)) return undefined;
  const text = (key: string) => {
    const found = own(value, key);
    return typeof found === "string" ? found : undefined;
  };
  const accessToken = text("accessToken");
  if (accessToken === undefined) return undefined;
  return { accessToken, refreshToken: text("refreshToken"), clientSecret: text("clientSecret") };
}
