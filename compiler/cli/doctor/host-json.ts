import type { JsonObject } from "../../base/json.ts";
import { isReady, type HostDiagnosis } from "../../live-server/host-diagnosis.ts";
import { serverJson } from "./json.ts";

/** `rolecall doctor --host --json`: every key is always there, null where there is nothing to say. */
export function hostDoctorJson(found: HostDiagnosis): JsonObject {
  const { fitted, role, variables, assumptions, files, program, servers } = found;
  return {
    format: 1,
    host: fitted.host.id,
    role: role.name,
    ready: isReady(found),
    variables: variables.map(({ name, isSet, servers: needing, purpose, url }) => ({
      name,
      isSet,
      servers: needing,
      for: purpose ?? null,
      url: url ?? null,
    })),
    assumptions: assumptions.map(({ name, assumed, servers: having }) => ({ name, assumed, servers: having })),
    files: files.map(({ path, state }) => ({ path, state })),
    command: program === undefined ? null : { name: program.name, found: program.found },
    servers:
      servers?.map(({ diagnosis, gone, mayHaveLogin }) => ({ ...serverJson(diagnosis), gone, mayHaveLogin })) ?? null,
  };
}
