import { openLink } from "./connect/open-link.ts";
import { loadChecks } from "./session/schemas.ts";
import { loadTelemetry } from "./session/telemetry.ts";
import type { Equipment } from "./session/types.ts";

/** What costs time to load, when a server is first used. */
export async function loadEquipment(): Promise<Equipment> {
  const [checks, telemetry] = await Promise.all([loadChecks(), loadTelemetry()]);
  return { openLink, checks, telemetry };
}
