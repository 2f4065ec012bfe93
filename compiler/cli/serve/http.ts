import { visible } from "../../base/visible.ts";
import { readAddress } from "../../serve/http-request.ts";
import { wrongUsage, type Context } from "../command.ts";

/** `rolecall serve --http`. */
export async function serveHttp(context: Context, address: string, roles: string | undefined): Promise<number> {
  const asked = readAddress(address);
  if (asked === undefined)
    return wrongUsage(
      context.terminal,
      `\`${visible(address)}\` is no address`,
      "rolecall serve --http 127.0.0.1:8080",
    );
  const { runDaemon } = await import("./daemon.ts");
  return runDaemon(context, { ...asked, only: roles?.split(",").map((role) => role.trim()) });
}
