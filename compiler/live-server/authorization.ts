import type { TransportData } from "../../runtime/server-data.ts";

/** Who logs in at a server: the project, by a header `Authorization` that it writes, or a login of rolecall's. */
export type HttpTransport = Extract<TransportData, { readonly kind: "http" | "sse" }>;

export function isHttp(entry: TransportData): entry is HttpTransport {
  return entry.kind !== "stdio";
}

export function withoutAuthorization(entry: HttpTransport): HttpTransport {
  return { ...entry, headers: entry.headers.filter(isOther) };
}

/** The header is there whatever is set, so a login would never be used. */
export function isAlwaysAuthorized(entry: HttpTransport): boolean {
  return authorizationOf(entry)?.some((part) => typeof part === "string" || part.form !== "if-set") ?? false;
}

/** The variable that is set, and whose header is then sent instead of a login's token. */
export function winningVariable(
  entries: readonly HttpTransport[],
  isSet: (name: string) => boolean,
): string | undefined {
  const parts = entries.flatMap((entry) => authorizationOf(entry) ?? []);
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part.name])).find(isSet);
}

function isOther([name]: HttpTransport["headers"][number]): boolean {
  return name.toLowerCase() !== "authorization";
}

function authorizationOf(entry: HttpTransport): HttpTransport["headers"][number][1] | undefined {
  return entry.headers.find((header) => !isOther(header))?.[1];
}
