import { heldByServer, holdsAny } from "../../3-plan/held.ts";
import type { Plan } from "../../3-plan/types.ts";
import { madeWhenAsked } from "../made-when-asked.ts";
import { runtimeArtifacts, type RuntimeFile } from "../runtime-file.ts";
import type { Target } from "../target.ts";
import type { Artifact } from "../types.ts";
import { indexModule } from "./index-module.ts";
import { roleModule } from "./role-module.ts";
import { toolTexts } from "./tool-texts.ts";
import { serverDataModule, serverMadeFrom } from "./server-data.ts";
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
  const madeFrom = plan.decidedFrom;
  const held = heldByServer(plan);
  const texts = toolTexts(plan);
  for (const server of plan.servers) {
    const tools = held.get(server.name);
    if (tools === undefined) continue;
    const from = serverMadeFrom(server, tools, project, madeFrom);
    const path = `${out}/servers/${server.name}`;
    yield { path: `${path}.ts`, madeFrom: from, chunks: serverModule(server, tools, project) };
    yield { path: `${path}.data.ts`, madeFrom: from, chunks: serverDataModule(server, tools) };
  }
  for (const role of plan.roles) {
    yield madeWhenAsked(`${out}/roles/${role.name}.ts`, madeFrom, () =>
      roleModule(role, role.grants.filter(holdsAny), texts, project),
    );
  }
  yield madeWhenAsked(`${out}/index.ts`, madeFrom, () => indexModule(plan.roles, project));
  yield* runtimeArtifacts(runtime, project);
}
