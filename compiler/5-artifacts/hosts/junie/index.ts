import { servedAlone } from "../served-alone.ts";

export const junie = servedAlone({
  id: "junie",
  title: "Junie",
  alsoCalled: ["jetbrains-junie"],
  file: ".junie/mcp/mcp.json",
  seenIn: "Junie's pages of 2026",
});
