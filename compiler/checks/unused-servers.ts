import { keyOf } from "../base/place.ts";
import type { Check } from "./types.ts";

export const checkUnusedServers: Check = ({ model }, report) => {
  const used = new Set(model.roles.flatMap((role) => role.entries.map((entry) => entry.server)));
  for (const server of model.servers) if (!used.has(server.name)) report.add("server/unused", keyOf(server.place), { server: server.name });
};
