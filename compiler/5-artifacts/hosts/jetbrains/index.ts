import { servedAlone } from "../served-alone.ts";

export const jetbrains = servedAlone({
  id: "jetbrains",
  title: "JetBrains AI Assistant",
  alsoCalled: ["jetbrains-ai", "ai-assistant", "intellij", "webstorm", "pycharm"],
  file: ".ai/mcp/mcp.json",
  seenIn: "AI Assistant's pages of 2026",
});
