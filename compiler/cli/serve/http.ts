import { visible } from "../../base/visible.ts";
import { wrongUsage, type Context } from "../command.ts";
import { runDaemon } from "./daemon.ts";

/** `rolecall serve --http`. */
export async function serveHttp(context: Context, address: string, roles: string | undefined): Promise<number> {
  const asked = readAddress(address);
  if (asked === undefined)
    return wrongUsage(
      context.terminal,
      `\`${visible(address)}\` is no address`,
      "rolecall serve --http 127.0.0.1:8080",
    );
  return runDaemon(context, { ...asked, only: roles?.split(",").map((role) => role.trim()) });
}

/** Undefined: it is none. 0 is a port that is free. */
export function readAddress(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, name = "", digits = ""] = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):([0-9]{1,5})$/.exec(text) ?? [];
  if (name === "" || Number(digits) > 65_535) return undefined;
  // Whatever the machine's own table makes of that name, this is meant.
  const host = name === "localhost" ? "127.0.0.1" : name.replace(/^\[|\]$/g, "");
  return { host, port: Number(digits) };
}
