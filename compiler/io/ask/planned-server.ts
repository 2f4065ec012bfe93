import type { Server, Transport } from "../../3-plan/types.ts";
import { probeOf, type Probe } from "../../live-server/diagnosis.ts";
import { valueOf } from "../../live-server/variable-values.ts";
import { transportData } from "../../runtime-data/transport.ts";
import { openLogins } from "../login/logins.ts";
import { privateFolder } from "../login/private-file.ts";
import { openSignIn } from "../login/sign-in.ts";
import { askOver, type AskOptions } from "./ask-server.ts";

/** How rolecall itself asks a server of the project: with the variables of `env`, and the login that this machine has for it. */
export function askOptions(
  dir: string,
  env: Readonly<Record<string, string | undefined>>,
  server: Server,
  timeoutMs: number | undefined,
): AskOptions & Required<Pick<AskOptions, "login">> {
  return {
    dir,
    timeoutMs: timeoutMs ?? server.limits.timeoutMs,
    env: (name) => valueOf(name, server.variables, env),
    login: openSignIn(server.name, openLogins(privateFolder(env))),
  };
}

/** Asks over one of its transports, and says what came of it. It never rejects because of the server. */
export async function probeServer(server: Server, transport: Transport, options: AskOptions): Promise<Probe> {
  const at = new Date().toISOString();
  const { said, values, tokens, ms } = await askOver(transportData(transport), options);
  return probeOf({ server, timeoutMs: options.timeoutMs }, transport.kind, { said, values, tokens, at, ms });
}
