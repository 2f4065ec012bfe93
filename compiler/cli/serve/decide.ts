import type { JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { isTrouble, trouble } from "../../io/login/types.ts";
import { openDecisions } from "../../io/serve/decisions.ts";
import { openDecisionDoor } from "../../io/serve/http/decision-door.ts";
import { readVariables } from "../../io/serve/variables.ts";
import { isOwnHost, readAddress } from "../../serve/http-request.ts";
import { EXIT, printJson, wrongUsage, type Context } from "../command.ts";
import { decisionLines } from "./page.ts";

/** `rolecall serve --decide`: by the build that lies there when it starts; no upstream, and nothing kept. */
export async function serveDecisions(context: Context, address: string): Promise<number> {
  const { dir, terminal } = context;
  const listening = readAddress(address);
  if (listening === undefined)
    return wrongUsage(terminal, `\`${visible(address)}\` is no address`, "rolecall serve --decide 127.0.0.1:9000");
  try {
    const { host } = listening;
    if (!isOwnHost(host.includes(":") ? `[${host}]` : host, { hosts: [], url: undefined }))
      throw trouble(
        `\`${visible(host)}\` is open to others, and who asks here shows no credential`,
        "listen on 127.0.0.1, beside the gateway",
      );
    const { readBuilt } = await import("./built.ts");
    const built = await readBuilt(context);
    if ("exit" in built) return built.exit;
    const { served } = built;
    const { env } = readVariables(dir, served.settings.env, terminal.env);
    const door = await openDecisionDoor(listening, await openDecisions(served, { dir, env }));
    if (context.json) printJson(context, gatewaySettings(door.address));
    else terminal.out.write(decisionLines(served, door.address, JSON.stringify(gatewaySettings(door.address))));
    await terminal.stopped();
    await door.close(LAST_MS);
    return EXIT.fine;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    terminal.err.write(`rolecall: ${visible(problem.says)}\n  ${visible(problem.next)}\n`);
    return EXIT.errors;
  }
}

const LAST_MS = 5_000;

/** What ToolHive is given as its authorization: without the arguments no condition could be judged. */
function gatewaySettings(address: string): JsonObject {
  return {
    version: "1.0",
    type: "httpv1",
    pdp: {
      http: { url: address },
      claim_mapping: "standard",
      context: { include_args: true, include_operation: true },
    },
  };
}
