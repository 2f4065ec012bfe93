import type { FakedServer, TeamOptions } from "../api.ts";
import { RolecallError } from "../errors.ts";
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

/**
 * Where a team is handed its roles one by one, a name may be that of a role still to come. Until then no real server is
 * reached: it may be the one that the fake was for.
 */
export function refuseInPlaceOfFake(
  { options, loaders }: Pick<TeamState, "options" | "loaders">,
  server: string,
): void {
  if (fakeOf(options, server) !== undefined) return;
  const unknown = options.fakes?.find((fake) => !loaders.has(fake.server));
  if (unknown === undefined) return;
  const words = `there is a fake of \`${unknown.server}\`, and no role that was opened has that server`;
  const next = `the real \`${server}\` isn't reached before one does: correct the name, or open that role first`;
  throw new RolecallError("server-unavailable", `${words}; ${next}`);
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
