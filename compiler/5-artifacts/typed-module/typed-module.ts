import { heldByServer, holdsAny } from "../../3-plan/held.ts";
import type { Plan } from "../../3-plan/types.ts";
import { madeWhenAsked } from "../made-when-asked.ts";
import { runtimeArtifacts, type RuntimeFile } from "../runtime-file.ts";
import type { Target } from "../target.ts";
import type { Artifact } from "../types.ts";
import { indexModule } from "./index-module.ts";
import { roleModule } from "./role-module.ts";
import { serverDataModule, serverFingerprint } from "./server-data.ts";
import { serverModule } from "./server-module.ts";

/** Typed TypeScript per role: a module for each server and role, the index, and the runtime that they rely on. */
export function typedModule(runtime: readonly RuntimeFile[]): Target {
  return {
    id: "typed-module",
    title: "Typed TypeScript",
    emit: (plan) => emit(plan, runtime),
  };
}

/** One file's text at a time: all of them together may be 40 MB. */
function* emit(plan: Plan, runtime: readonly RuntimeFile[]): Generator<Artifact> {
  const { project } = plan;
  const { out } = project;
  const { fingerprint } = plan;
  const held = heldByServer(plan);
  for (const server of plan.servers) {
    const tools = held.get(server.name);
    if (tools === undefined) continue;
    const ofServer = serverFingerprint(server, tools, project, fingerprint);
    const path = `${out}/servers/${server.name}`;
    yield madeWhenAsked(`${path}.ts`, ofServer, () => serverModule(server, tools, project));
    yield madeWhenAsked(`${path}.data.ts`, ofServer, () => serverDataModule(server, tools));
  }
  for (const role of plan.roles) {
    yield madeWhenAsked(`${out}/roles/${role.name}.ts`, fingerprint, () =>
      roleModule(role, role.grants.filter(holdsAny), project),
    );
  }
  yield madeWhenAsked(`${out}/index.ts`, fingerprint, () => indexModule(plan.roles, project));
  yield* runtimeArtifacts(runtime, project);
}
