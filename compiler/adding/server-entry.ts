import type { JsonObject } from "../base/json.ts";
import type { PackageToAdd } from "./types.ts";

/** Words that say that it is a server, and not which. */
const EMPTY: ReadonlySet<string> = new Set([
  "mcp",
  "server",
  "servers",
  "modelcontextprotocol",
  "api",
  "www",
  "app",
  "sse",
]);

/** What a server is called in the project: `@acme/mcp-server-notes` is `notes`. */
export function serverNameOf(name: string): string {
  const [, scope = "", own = name] = /^@([^/]+)\/(.*)$/.exec(name) ?? [];
  return bareName(own) ?? bareName(scope) ?? "server";
}

/** `https://mcp.acme.dev/mcp` is `acme`. */
export function serverNameOfUrl(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  if (/^[\d.]+$|^\[|^localhost$/.test(host)) return "local";
  return bareName(host.split(".").slice(0, -1).join("-")) ?? "server";
}

function bareName(text: string): string | undefined {
  const words = text.toLowerCase().split(/[^a-z0-9]+/);
  const name = words.filter((word) => word !== "" && !EMPTY.has(word)).join("-");
  return /^[a-z]/.test(name) ? name : undefined;
}

export function packageEntry({ runner, name }: PackageToAdd, version: string): JsonObject {
  const command = runner === "npx" ? ["npx", "-y", `${name}@${version}`] : ["uvx", `${name}==${version}`];
  return { connect: [{ stdio: command }] };
}

export function urlEntry(url: string): JsonObject {
  return { connect: [/\/sse\/?$/.test(url) ? { sse: url } : { http: url }] };
}
