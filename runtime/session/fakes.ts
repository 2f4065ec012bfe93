import type { FakedServer, TeamOptions } from "../api.ts";
import { isLoopback } from "../loopback.ts";
import type { ServerData, TransportData } from "../server-data.ts";
import type { TeamState } from "./types.ts";

/**
 * For tests: servers that answer in place of the real ones. A fake takes the place of the wire alone. What is judged before
 * and after it is the real server's: its pins, conditions, asking, limits and breaker.
 */

/** Such an option in an app that is at work must not lead a call to another machine, and one with a slip would lead to the real one. */
export function refuseUnsoundFakes({ fakes = [] }: TeamOptions, servers: ReadonlySet<string>): void {
  for (const { server, url } of fakes) {
    if (!isFakeAddress(url))
      throw new TypeError(`the fake of \`${server}\` is at \`${url}\`: a fake has an http address of this machine`);
    if (servers.size > 0 && !servers.has(server))
      throw new TypeError(
        `there is a fake of \`${server}\`, and no role has that server: the roles have ${[...servers].join(", ")}`,
      );
  }
}

function isFakeAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && isLoopback(hostname);
}

export function fakeOf({ fakes }: TeamOptions, server: string): FakedServer | undefined {
  return fakes?.find((fake) => fake.server === server);
}

/** No header and no variable of the real connection goes to a fake. Paths in conditions begin where they did. */
export function withFake({ options, emit }: Pick<TeamState, "options" | "emit">, data: ServerData): ServerData {
  const fake = fakeOf(options, data.server);
  if (fake === undefined) return data;
  emit({ type: "faked", server: data.server, url: fake.url });
  const [cwd] = data.connect.flatMap((transport) => (transport.kind === "stdio" ? [transport.cwd] : []));
  const root = data.root ?? cwd;
  const connect: readonly TransportData[] = [{ kind: "http", url: [fake.url], headers: [] }];
  return { ...data, connect, ...(root !== undefined && { root }) };
}
