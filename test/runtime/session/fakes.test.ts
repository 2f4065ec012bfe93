import { describe, expect, test } from "vitest";
import type { Session, TeamOptions } from "../../../runtime/api.ts";
import { loadChecks } from "../../../runtime/session/schemas.ts";
import { startTeam } from "../../../runtime/session/team.ts";
import { failureOf, fakeRole, fakeServer, openFake, type AnyServers } from "../../support/fake-link.ts";

/** Fakes in a team that is handed its roles one by one: a name with a slip must not lead to the real server. */

const FAKE = "http://127.0.0.1:1/mcp";

function start(fakes: readonly string[], options: TeamOptions = {}) {
  const alpha = fakeServer("alpha", { write: {} });
  const beta = fakeServer("beta", { write: {} });
  const byName = new Map([alpha, beta].map((server) => [server.data.server, server]));
  const holding = { tools: { write: "allow" } } as const;
  const team = startTeam<Record<never, never>>(
    new Map(),
    { fakes: fakes.map((server) => ({ server, url: FAKE })), ...options },
    async () => ({
      openLink: (data, world) => openFake(byName.get(data.server)!, world),
      checks: await loadChecks(),
      telemetry: undefined,
    }),
  );
  const as = (...servers: (typeof alpha)[]): Session<AnyServers> =>
    team.as(
      fakeRole(
        servers.map(({ data }) => data.server).join("-"),
        servers.map((server) => [server, holding]),
      ),
    );
  return { alpha, beta, as };
}

describe("a fake that no role opened so far knows", () => {
  const words =
    "there is a fake of `alhpa`, and no role that was opened has that server; " +
    "the real `alpha` isn't reached before one does: correct the name, or open that role first";

  test("keeps calls away from the real servers", async () => {
    const { alpha, as } = start(["alhpa"]);
    const { code, message } = await failureOf(as(alpha).$call("alpha", "write", {}));
    expect([code, message]).toEqual(["server-unavailable", words]);
    expect(alpha.log).toEqual([]);
  });

  test("and a host that connects by itself", async () => {
    const { alpha, as } = start(["alhpa"], { connections: true });
    expect((await failureOf(as(alpha).$connections())).message).toBe(words);
  });

  test("isn't in the way of what reaches no real server", async () => {
    const { alpha, as } = start(["alpha", "beta"]);
    const session = as(alpha);
    expect(await session.$tools()).toHaveLength(1);
    await session.$call("alpha", "write", {});
    expect(alpha.log).toContain("call write");
  });
});

test("a role that has none of the faked servers works once the one that has them was opened", async () => {
  const { alpha, beta, as } = start(["alpha"]);
  const session = as(beta);
  expect(await session.$tools()).toHaveLength(1);
  await failureOf(session.$call("beta", "write", {}));
  await as(alpha).$call("alpha", "write", {});
  await session.$call("beta", "write", {});
  expect(beta.log).toContain("call write");
});
