import { COPILOT_NAMES } from "../copilot-names.ts";
import { LISTED_APART, sanitised } from "../host-text.ts";
import type { HostDoor } from "../host-door.ts";
import { inProcess } from "../in-process.ts";
import type { Host } from "../../target.ts";
import type { RuntimeFile } from "../../runtime-file.ts";
import { OWN_TOOLS } from "./own-tools.ts";

/**
 * A part of a session's configuration for a role. Copilot connects by itself; the session's hooks judge each call before
 * it is made. Nothing stands at session level: there it would win over the agent's narrower entry.
 */
export function copilotSdk(runtime: readonly RuntimeFile[]): Host {
  const host = inProcess(
    {
      id: "copilot-sdk",
      title: "Copilot SDK",
      signs: { package: "@github/copilot-sdk" },
      use: (session) => `client.createSession({ ...yours, ...(await copilotSession(${session})) })`,
      options: "{ connections: true }",
      ownTools: undefined,
      kept: COPILOT_NAMES,
      door: DOOR,
    },
    runtime,
  );
  return {
    ...host,
    gateway: "may",
    ownTools: OWN_TOOLS,
    joinedName: (server, tool) => `${sanitised(server, "-")}-${sanitised(tool, "-")}`,
    abilities: {
      ...host.abilities,
      hide: { holds: "enforced" },
      ask: { holds: "asked", but: "by the `ask` that you hand over; without one it is refused" },
      delegation: { holds: "enforced", but: "closed: your program hands work on, with a session of its own" },
      builtins: { holds: "enforced" },
      pins: { holds: "none", but: "it connects by itself: run `rolecall capture --check`" },
      limits: { holds: "enforced", but: "the time-out alone" },
      longestName: 64,
      splitsNames: LISTED_APART,
    },
  };
}

const DOOR: HostDoor = {
  make: "copilotHost",
  functions: {
    copilotSession:
      "Spread it into `createSession`, after your own settings: a server or handler of yours would win over the role's. A list of yours of what is offered goes into the choices.",
  },
  types: ["AskedCall", "CopilotChoices", "CopilotHostSession", "CopilotSession"],
};
