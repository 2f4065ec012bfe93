import { isLoopback } from "../../runtime/loopback.ts";

/** What is read of a request before anything is believed of it; pure. */

/** Names by which the door is reached: those of this machine, and the ones that the project gives. */
export interface DoorNames {
  readonly hosts: readonly string[];
  /** Where clients reach it from outside. */
  readonly url: string | undefined;
}

/** A page whose own name was bound to this machine is told by the name that it sends. */
export function isOwnHost(host: string, { hosts, url }: DoorNames): boolean {
  const name = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::[0-9]{1,5})?$/.exec(host.toLowerCase())?.[1];
  if (name === undefined) return false;
  return isLoopback(name) || hosts.includes(name) || (url !== undefined && new URL(url).hostname === name);
}

/** The door serves no page, so only what would be its own is taken. */
export function isOwnOrigin(origin: string, host: string, { url }: DoorNames): boolean {
  const authority = host.toLowerCase();
  return (
    origin === `http://${authority}` ||
    origin === `https://${authority}` ||
    (url !== undefined && new URL(url).origin === origin)
  );
}

/** Undefined: none was sent, or not as one sends it. What stands in an address is never looked at. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? "")?.[1];
}

export type HttpPlace =
  | { readonly kind: "health" | "ready" | "metrics" | "elsewhere" }
  /** A role, or what would be one: whether there is such a role isn't known here. */
  | { readonly kind: "role" | "about"; readonly role: string };

const ABOUT = "/.well-known/oauth-protected-resource";

/** `base`: the path of the address outside, below which a proxy may leave it. */
export function placeOf(target: string, base: string): HttpPlace {
  const [path = ""] = target.split("?", 1);
  if (path === "/healthz") return { kind: "health" };
  if (path === "/readyz") return { kind: "ready" };
  if (path === "/metrics") return { kind: "metrics" };
  if (path.startsWith(`${ABOUT}/`)) {
    const role = roleIn(path.slice(ABOUT.length), base);
    return role === undefined ? { kind: "elsewhere" } : { kind: "about", role };
  }
  const role = roleIn(path, base);
  return role === undefined ? { kind: "elsewhere" } : { kind: "role", role };
}

function roleIn(path: string, base: string): string | undefined {
  const own = base !== "" && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  return /^\/mcp\/([a-z][a-z0-9_-]*)$/.exec(own)?.[1];
}

/** Undefined: it is none. 0 is a port that is free. */
export function readAddress(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, name = "", digits = ""] = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):([0-9]{1,5})$/.exec(text) ?? [];
  if (name === "" || Number(digits) > 65_535) return undefined;
  // Whatever the machine's own table makes of that name, this is meant.
  const host = name === "localhost" ? "127.0.0.1" : name.replace(/^\[|\]$/g, "");
  return { host, port: Number(digits) };
}

/** The path of the address outside; empty where it has none. */
export function basePath(url: string | undefined): string {
  return url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");
}

/** What a token of the issuer has to be made out for, and what metadata speak of. */
export function resourceOf(role: string, base: string): string {
  return `${base}/mcp/${role}`;
}

/** Where a client reads who gives tokens for a role (RFC 9728). */
export function aboutAddress(role: string, base: string): string {
  const { origin, pathname } = new URL(base);
  return `${origin}${ABOUT}${pathname.replace(/\/$/, "")}/mcp/${role}`;
}
