import { loadChecks } from "../../../runtime/session/schemas.ts";
import { rootOf } from "../../../runtime/session/root.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Server } from "../../3-plan/types.ts";
import { transportData } from "../../runtime-data/transport.ts";

/** What a call meets at run time, borrowed from there: its validator, and the folder that paths are relative to. */
export interface RuntimeJudges {
  readonly check: (schema: JsonValue, value: JsonValue) => string | undefined;
  readonly root: string | undefined;
  /** Why the root isn't known, where one is written. */
  readonly rootless: string | undefined;
}

/** The runtime's validator alone. */
export async function schemaJudge(): Promise<(schema: JsonValue, value: JsonValue) => boolean> {
  const checks = await loadChecks();
  return (schema, value) => checks(schema, true)(value) === undefined;
}

export async function runtimeJudges(
  { name, connect, root, variables }: Server,
  env: (name: string) => string | undefined,
  dir: string,
): Promise<RuntimeJudges> {
  const checks = await loadChecks();
  const check: RuntimeJudges["check"] = (schema, value) => checks(schema, true)(value);
  const server = {
    server: name,
    connect: connect.map(transportData),
    ...(root && { root: root.parts }),
    acceptedNames: variables.map((variable) => [variable.name, variable.acceptedNames] as const),
  };
  try {
    return { check, root: await rootOf(server, env, dir), rootless: undefined };
  } catch (problem) {
    return { check, root: undefined, rootless: problem instanceof Error ? problem.message : String(problem) };
  }
}
