import { heldByServer, holdsAny } from "../../3-plan/held.ts";
import type { Plan } from "../../3-plan/types.ts";
import type { Target } from "../target.ts";
import type { Artifact } from "../types.ts";
import { indexModule } from "./index-module.ts";
import { roleModule } from "./role-module.ts";
import { toolTexts } from "./tool-texts.ts";
import { importSuffix, runtimeFile, type RuntimeFile } from "./runtime-file.ts";
import { serverDataModule } from "./server-data.ts";
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
  const { out, importExtension } = plan.project;
  const suffix = importSuffix(importExtension);
  const held = heldByServer(plan);
  const texts = toolTexts(plan);
  for (const server of plan.servers) {
    const tools = held.get(server.name);
    if (tools === undefined) continue;
    yield { path: `${out}/servers/${server.name}.ts`, text: serverModule(server, tools, suffix) };
    yield { path: `${out}/servers/${server.name}.data.ts`, text: serverDataModule(server, tools) };
  }
  for (const role of plan.roles) {
    yield { path: `${out}/roles/${role.name}.ts`, text: roleModule(role, role.grants.filter(holdsAny), texts, suffix) };
  }
  yield { path: `${out}/index.ts`, text: indexModule(plan.roles, suffix) };
  for (const file of runtime) yield { path: `${out}/runtime/${file.name}`, text: runtimeFile(file, suffix) };
}
