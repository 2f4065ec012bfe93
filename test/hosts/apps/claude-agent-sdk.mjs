import { query } from "@anthropic-ai/claude-agent-sdk";
import { team } from "harbor";
import { claudeOptions } from "harbor/host";

const { ROLE, PROMPT } = process.env;
const harbor = team();
try {
  const options = { ...(await claudeOptions(harbor.as(ROLE))), cwd: process.cwd(), model: "claude-sonnet-4-5" };
  for await (const message of query({ prompt: PROMPT, options })) {
    if (message.type === "system" && message.subtype === "init") console.error(JSON.stringify(message.mcp_servers));
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await harbor.close();
}
process.exit();
