import { loadChecks } from "../../../runtime/session/schemas.ts";
import { rootOf } from "../../../runtime/session/root.ts";
import type { JsonValue } from "../../base/json.ts";
import { patternJudge, slowness } from "../../base/slow-schema.ts";
import type { Server } from "../../3-plan/types.ts";
import { transportData } from "../../runtime-data/transport.ts";

/** What a call meets at run time, borrowed from there: its validator, and the folder that paths are relative to. */
export interface RuntimeJudges {
  readonly check: (schema: JsonValue, value: JsonValue) => string | undefined;
  readonly root: string | undefined;
  /** Why the root isn't known, where one is written. */
  readonly rootless: string | undefined;
}

/** The runtime's validator alone: is a value as a schema wants it? */
export async function schemaJudge(): Promise<(schema: JsonValue, value: JsonValue) => boolean> {
  const check = await steadyCheck();
  return (schema, value) => check(schema, value) === undefined;
}

/**
 * As at run time, only a schema that may be slow is judged under a deadline. An answer mustn't depend on what else the
 * machine does, so what was disturbed is tried again.
 */
async function steadyCheck(): Promise<RuntimeJudges["check"]> {
  const checks = await loadChecks();
  return (schema, value) => {
    const text = JSON.stringify(schema);
    const isSlow = slowness(schema, text, patternJudge(text.length)) !== undefined;
    let why = checks(schema, isSlow)(value);
    // One that was disturbed refuses for a while, so that calls don't wait; of a copy there is another.
    for (let i = 1; i < MOST_TRIES && why?.endsWith("try again"); i++)
      why = checks(structuredClone(schema), isSlow)(value);
    return why;
  };
}

const MOST_TRIES = 3;

export async function runtimeJudges(
  { name, connect, root, variables }: Server,
  env: (name: string) => string | undefined,
  dir: string,
): Promise<RuntimeJudges> {
  const check = await steadyCheck();
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
