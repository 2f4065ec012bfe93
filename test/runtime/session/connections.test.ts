import { describe, expect, test } from "vitest";
import type { RuntimeEvent, TeamOptions } from "../../../runtime/api.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import type { ServerData } from "../../../runtime/server-data.ts";
import { failureOf, fakeRole, fakeServer, fakeTeam, lost, type FakeServer } from "../../support/fake-link.ts";

/** What a host that connects by itself is handed, and how the runtime finds out what answers. */

const way = (command: string): ServerData["connect"][number] =>
  ({
    kind: "stdio",
    command: [[command]],
    env: [],
    values: "sha256:x",
  }) as unknown as ServerData["connect"][number];

function started(more: Partial<ServerData> = {}, options: TeamOptions = {}) {
  const servers = ["alpha", "beta"].map((name) =>
    fakeServer(name, { read: {} }, { connect: [way(name), way("other")], ...more }),
  ) as [FakeServer, FakeServer];
  const events: RuntimeEvent[] = [];
  const role = fakeRole(
    "tester",
    servers.map((server) => [server, { tools: { read: "allow" } }]),
  );
  const { as } = fakeTeam(servers, [role], { connections: true, on: (event) => void events.push(event), ...options });
  return { servers, events, session: as("tester") };
}

const names = (found: readonly { readonly server: string }[]) => found.map(({ server }) => server);

describe("connections for a host", () => {
  test.each([undefined, false, "yes" as never])(
    "are handed out by nobody who didn't choose to (%s)",
    async (connections) => {
      const { servers, session } = started({}, { connections });
      const error = await failureOf(session.$connections({ probe: true }));
      expect(error).toMatchObject({ code: "tool-denied", role: "tester" });
      expect(error.message).toContain("team({ connections: true })");
      expect(servers.map(({ log, loads }) => [log, loads])).toEqual([
        [[], 0],
        [[], 0],
      ]);
    },
  );

  test("nothing is opened unless the host would wait for what is silent", async () => {
    const { servers, session } = started();
    expect(names(await session.$connections())).toEqual(["alpha", "beta"]);
    expect(servers.map(({ log }) => log)).toEqual([[], []]);
  });

  test("probed: each is connected once, by the way that the host goes, and closed again", async () => {
    const { servers, session } = started();
    expect(names(await session.$connections({ probe: true }))).toEqual(["alpha", "beta"]);
    expect(servers.map(({ log }) => log)).toEqual([
      ["connect", "close"],
      ["connect", "close"],
    ]);
  });

  test("what doesn't answer is left out with an event, and its connection is closed too", async () => {
    const { servers, events, session } = started();
    servers[0].connecting = () => Promise.reject(lost(servers[0]));
    expect(names(await session.$connections({ probe: true }))).toEqual(["beta"]);
    expect(servers[0].log).toEqual(["connect", "close"]);
    expect(events).toEqual([{ type: "skipped", server: "alpha", why: "the connection was closed" }]);
  });

  test("what asks for a sign-in is there: the host may have one", async () => {
    const { servers, session } = started();
    servers[0].connecting = () => Promise.reject(new RolecallError("needs-auth", "it asks for credentials (401)"));
    expect(names(await session.$connections({ probe: true }))).toEqual(["alpha", "beta"]);
  });

  test("one that must connect rejects", async () => {
    const { servers, session } = started({ mustConnect: true });
    servers[0].connecting = () => Promise.reject(lost(servers[0]));
    await expect(session.$connections({ probe: true })).rejects.toThrow("the connection was closed");
  });
});
