import { sanitised } from "../fitting/host-text.ts";
import { inProcess, type HostSource } from "../fitting/in-process.ts";
import type { Host } from "../fitting/types.ts";

/**
 * A part of a session's configuration for a role. Copilot connects by itself; the session's hooks judge each call before
 * it is made. Nothing stands at session level: there it would win over the agent's narrower entry.
 */
export function copilotSdk(sources: readonly HostSource[]): Host {
  const host = inProcess(
    {
      id: "copilot-sdk",
      title: "Copilot SDK",
      use: (session) => `client.createSession({ ...yours, ...(await copilotSession(${session})) })`,
      ownTools: undefined,
    },
    sources,
  );
  return {
    ...host,
    joinedName: (server, tool) => `${sanitised(server, "-")}-${sanitised(tool, "-")}`,
    abilities: {
      ...host.abilities,
      ask: { holds: "asked", but: "by the `ask` that you hand over; without one it is refused" },
      delegation: { holds: "enforced", but: "closed: your program hands work on, with a session of its own" },
      builtins: { holds: "enforced" },
      pins: { holds: "none", but: "it connects by itself: run `rolecall capture --check`" },
      limits: { holds: "enforced", but: "the time-out alone" },
      longestName: 64,
      keptNames: ["*"],
      closedTools: ["task"],
    },
  };
}
