import { downloadedBy, runnerOf, withoutVersion } from "../base/package-runner.ts";
import { within } from "../base/place.ts";
import type { Policy, Server } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** Two servers that reach the same tools, and a policy that names one of them: the other door stays open. */
export const checkTwins: Check = ({ model }, report) => {
  const pairs = twinsOf(model.servers);
  for (const policy of model.policies) {
    for (const [server, twin] of pairs) {
      if (!misses(policy, server, twin)) continue;
      const params = { owner: `policy \`${policy.name}\``, server: server.name, twin: twin.name };
      report.add("policy/misses-twin", within(policy.place, "tools"), params);
    }
  }
};

/** Pairs that share a manifest or a destination, in both directions. */
function twinsOf(servers: readonly Server[]): (readonly [Server, Server])[] {
  const sharing = new Map<string, Server[]>();
  for (const server of servers) {
    for (const key of new Set([`pin ${server.pin}`, ...destinations(server)])) {
      sharing.set(key, [...(sharing.get(key) ?? []), server]);
    }
  }
  const pairs = new Map<string, readonly [Server, Server]>();
  for (const group of sharing.values()) {
    for (const one of group)
      for (const other of group) if (one !== other) pairs.set(`${one.name} ${other.name}`, [one, other]);
  }
  return [...pairs.values()];
}

/** In one spelling. */
function destinations(server: Server): string[] {
  return server.connect.map((transport) =>
    transport.kind === "stdio"
      ? `stdio ${JSON.stringify(program(transport.command.map((word) => word.written)))}`
      : `url ${address(transport.url.written)}`,
  );
}

/** One that is a reference as a whole stays as it is. */
function address(written: string): string {
  if (!URL.canParse(written)) return written;
  const { origin, pathname, search } = new URL(written);
  return origin + pathname.replace(/(?<!\/)\/+$/, "") + search;
}

/** What is run, wherever its program lies; of what a runner downloads the package, whichever version. */
function program(words: readonly string[]): string[] {
  const downloaded = runnerOf(words) && downloadedBy(words);
  if (downloaded) {
    const { name, end, isOption } = downloaded;
    return [withoutVersion(name), ...words.slice(isOption ? end : end + 1)];
  }
  const [first = "", ...rest] = words;
  return [
    first.replace(/^.*[\\/]/, "").replace(/\.(?:cmd|exe)$/i, ""),
    ...rest.map((word) => word.replace(/^(?:\.\/+)+/, "")),
  ];
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
