import { existsSync } from "node:fs";
import { serve } from "./serve.mjs";

// While there is a storm the station doesn't start.
if (existsSync(new URL("../storm", import.meta.url))) process.exit(1);

const readOnly = { readOnlyHint: true };
const none = { type: "object", properties: {}, additionalProperties: false };

serve("weather", {
  wind: { description: "How the wind blows.", annotations: readOnly, inputSchema: none, run: () => "south-west, 6" },
  process: {
    description: "The number of this server's process.",
    annotations: readOnly,
    inputSchema: none,
    run: () => String(process.pid),
  },
});
