import { expect, test } from "vitest";
import { errorOf, generatedProject } from "../support/generated-team.ts";
import { FAULT_SERVER } from "../support/root.ts";

/** Rows of a database, captured and built as they are: what the server is handed, and what its role may call. */

const server = (command: readonly string[], more: object = {}) => ({
  type: "local",
  command: [process.execPath, FAULT_SERVER, "{}", ...command],
  env: { TRACKER_KEY: "${TRACKER_TOKEN}" },
  enabled: true,
  ...more,
});
const rows = {
  "prebuild.json": { mcp_servers: { "Issue Tracker": server(["old"]), gone: server([]) } },
  "session.json": {
    agentConfig: {
      modelId: "small",
      mcpServers: {
        "Issue Tracker": server(["${TEAM}; rm -rf x", "$HOME"], { allowedTools: ["seen", "echo"] }),
        gone: null,
      },
    },
  },
};
const env = { TRACKER_TOKEN: "an-invented-token", TEAM: "east $(id)" };

test("a command is words and no shell's, its variables come from the session, and null takes a server out", async () => {
  const app = await generatedProject(
    {
      "rolecall.yaml": "version: 1\nproject: harbor\nlayers: [prebuild.json, session.json]\n",
      ...Object.fromEntries(Object.entries(rows).map(([file, row]) => [file, JSON.stringify(row)])),
    },
    [["capture", "--accept"], ["build"]],
    () => env,
  );
  try {
    expect(app.read("src/mcp/access.json")).not.toContain(env.TRACKER_TOKEN);
    const team = app.team({ env });
    const agent = team.as("agent");
    const { structured } = await agent["issue-tracker"]!["seen"]!();
    expect(structured).toMatchObject({ env: { TRACKER_KEY: env.TRACKER_TOKEN } });
    expect((structured as { argv: string[] }).argv).toEqual(["east $(id); rm -rf x", "$HOME"]);
    expect(Object.keys(agent["issue-tracker"]!).toSorted()).toEqual(["echo", "seen"]);
    expect("gone" in agent).toBe(false);
    await team.close();
    const without = app.team({ env: { TEAM: "east" } });
    const missing = await errorOf(without.as("agent")["issue-tracker"]!["seen"]!());
    expect(missing).toMatchObject({ code: "missing-variable", message: expect.stringContaining("TRACKER_TOKEN") });
    await without.close();
  } finally {
    app.remove();
  }
});
