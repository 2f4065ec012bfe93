import { within } from "../base/place.ts";
import type { Policy, Server } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** Two servers that reach the same tools, and a policy that names one of them: the other door stays open. */
export const checkTwins: Check = ({ model }, report) => {
  for (const policy of model.policies) {
    for (const server of model.servers) {
      for (const twin of model.servers) {
        if (server === twin || !areTwins(server, twin) || !misses(policy, server, twin)) continue;
        report.add("policy/misses-twin", within(policy.place, "tools"), {
          owner: `policy \`${policy.name}\``,
          server: server.name,
          twin: twin.name,
        });
      }
    }
  }
};

function areTwins(a: Server, b: Server): boolean {
  return a.pin === b.pin || destinations(a).some((destination) => destinations(b).includes(destination));
}

function destinations(server: Server): string[] {
  return server.connect.map((transport) =>
    transport.kind === "stdio"
      ? `stdio ${JSON.stringify(transport.command.map((word) => word.written))}`
      : transport.url.written,
  );
}

/** The policy matches a tool of the one and leaves the tool of that name on the other. */
function misses(policy: Policy, server: Server, twin: Server): boolean {
  const matched = namesMatched(policy, server);
  const matchedOnTwin = namesMatched(policy, twin);
  return twin.tools.some((tool) => matched.has(tool.name) && !matchedOnTwin.has(tool.name));
}

function namesMatched(policy: Policy, server: Server): Set<string> {
  return new Set(
    policy.selections
      .flatMap((selection) => selection.tools.get(server.name) ?? [])
      .map((index) => server.tools[index]!.name),
  );
}
