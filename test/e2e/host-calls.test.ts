import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, test } from "vitest";
import { faultTeam, type FaultTeam } from "./fault-team.ts";
import { fault, http, startFault } from "../support/linked.ts";

/** A host with a client of its own: real servers fail it, and it hands on what its client says. */

const clients = new Set<Client>();
afterEach(async () => {
  await Promise.all([...clients].map((one) => one.close().catch(() => {})));
  clients.clear();
});

async function hostOf(started: FaultTeam): Promise<(tool: string) => Promise<string | undefined>> {
  const [way] = await started.session.$connections();
  const client = new Client({ name: "host", version: "1" });
  clients.add(client);
  const transport =
    way!.kind === "stdio"
      ? new StdioClientTransport({ ...way!, args: [...way!.args], stderr: "ignore" })
      : new StreamableHTTPClientTransport(new URL(way!.url), { requestInit: { headers: { ...way!.headers } } });
  const { onPreToolUse, onPostToolUse, onPostToolUseFailure } = started.session.$hooks;
  let connected: Promise<void> | undefined;
  return async (tool) => {
    const about = { toolName: `faulty-${tool}`, toolArgs: {} };
    const answer = await onPreToolUse(about);
    if (answer !== undefined) return `${answer.permissionDecision}: ${answer.permissionDecisionReason}`;
    try {
      await (connected ??= client.connect(transport));
      const toolResult = await client.callTool({ name: tool, arguments: {} });
      await onPostToolUse({ ...about, toolResult });
      return "done";
    } catch (error) {
      return (await onPostToolUseFailure({ ...about, error }))?.additionalContext;
    }
  };
}

test("a server that dies in a host's call is down, and isn't called until the time that the agent was told", async () => {
  const started = faultTeam([fault()], {
    data: { whenDown: "Use the notes", breaker: { failures: 3, cooldownMs: 60_000 } },
  });
  const ask = await hostOf(started);
  expect(await ask("echo")).toBe("done");
  expect(await ask("die")).toMatch(
    /^server `faulty`: `die` failed: .* Use the notes\. The next try makes sense in 60 s\.$/,
  );
  expect(started.health()).toMatchObject({ state: "down", lastFailure: expect.stringContaining("`die` failed") });
  expect(started.health().since).toBeGreaterThan(Date.now() - 10_000);
  expect(await ask("echo")).toMatch(
    /^deny: server `faulty` is down: .* Use the notes\. The next try makes sense in (60|5\d) s\.$/,
  );
  expect(started.types()).toEqual(["down"]);
  expect(started.lines.map(({ tool, status, code }) => [tool, status, code])).toEqual([
    ["echo", "ok", undefined],
    ["die", "error", "server-unavailable"],
    ["echo", "error", "server-unavailable"],
  ]);
  started.skip(60_000);
  expect(
    (await started.session.$hooks.onPreToolUse({ toolName: "faulty-echo", toolArgs: {} }))?.permissionDecision,
  ).toBe(undefined);
});

test("one that can't be reached, one that asks for credentials, and one whose tool fails", async () => {
  const gone = await startFault({});
  const away = faultTeam([http(gone.url)]);
  await gone.kill();
  expect(await (await hostOf(away))("echo")).toContain("The next try makes sense in 60 s.");
  expect(away.health().state).toBe("down");

  const gated = faultTeam([http((await startFault({ token: "right-token" })).url)]);
  expect(await (await hostOf(gated))("echo")).toMatch(/^server `faulty` asks for credentials \(401\)/);
  expect(gated.lines).toMatchObject([{ code: "needs-auth" }]);

  const failing = faultTeam([fault()]);
  expect(await (await hostOf(failing))("error")).toContain("the database is away");
  expect(failing.health()).toMatchObject({ state: "idle", lastFailure: undefined });
  expect(failing.lines).toMatchObject([{ code: "tool-failed" }]);
});
