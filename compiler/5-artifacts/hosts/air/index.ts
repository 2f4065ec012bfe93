import { servedAlone } from "../served-alone.ts";

export const air = servedAlone({
  id: "air",
  title: "Air",
  alsoCalled: ["jetbrains-air"],
  file: ".air/mcp.json",
  seenIn: "Air's pages of 2026",
});
