import type { Needed, NeededPackage } from "../../3-plan/packages.ts";
import type { Plan } from "../../3-plan/types.ts";
import type { JsonObject } from "../../base/json.ts";

export function neededJson({ project }: Plan, { packages, programs }: Needed): JsonObject {
  const one = ({ manager, spec, name, version, servers }: NeededPackage): JsonObject => ({
    manager,
    spec,
    name,
    version: version ?? null,
    servers,
  });
  return {
    format: 1,
    project: project.name,
    packages: packages.filter(({ version }) => version !== undefined).map(one),
    unpinned: packages.filter(({ version }) => version === undefined).map(one),
    programs: programs.map(({ program, servers }) => ({ program, servers })),
  };
}
