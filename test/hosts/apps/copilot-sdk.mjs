import { CopilotClient } from "@github/copilot-sdk";
import { team } from "harbor";
import { copilotSession } from "harbor/host";

const { MODEL_URL, ROLE, PROMPT, HOME } = process.env;
const harbor = team({ connections: true });
const client = new CopilotClient({
  baseDirectory: HOME,
  workingDirectory: process.cwd(),
  useLoggedInUser: false,
  logLevel: "error",
  env: { ...process.env, COPILOT_OFFLINE: "true" },
});
try {
  const config = await copilotSession(harbor.as(ROLE));
  await client.start();
  const session = await client.createSession({
    ...config,
    model: "mock-model",
    streaming: true,
    provider: { type: "openai", baseUrl: `${MODEL_URL}/v1`, apiKey: "mock", wireApi: "completions" },
    workingDirectory: process.cwd(),
  });
  await session.sendAndWait({ prompt: PROMPT }, 50_000);
  console.error(JSON.stringify((await session.rpc.mcp.list()).servers));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await client.stop().catch(() => {});
  await harbor.close();
}
process.exit();
