import type { JsonObject } from "../../base/json.ts";
import type { Settled } from "../../capture/types.ts";
import { capturedJson } from "../capture/json.ts";
import type { Built } from "../command.ts";
import { buildJson } from "../build/page.ts";
import type { Added, Ended } from "./page.ts";

export function addedJson(
  { servers, presets, files, role, granted, isSet }: Added,
  settled: readonly Settled[],
  built: Built | undefined,
  proposals: Ended["proposals"],
): JsonObject {
  return {
    format: 1,
    servers: servers.map(({ name, variables }) => ({
      name,
      variables: variables.map((variable) => ({
        name: variable.name,
        required: variable.required,
        set: [variable.name, ...variable.acceptedNames].some(isSet),
        for: variable.purpose ?? null,
        url: variable.url ?? null,
      })),
    })),
    presets: presets.map(({ name, file, state, differs }) => ({ name, file, state, differs: [...differs] })),
    files: [...files],
    role: role ?? null,
    granted: [...granted],
    captured: settled.map(capturedJson),
    build: built === undefined ? null : buildJson(built, false),
    proposed: proposals.map(({ server, proposed: { hints, labels } }) => ({
      server,
      hints: { ...hints },
      labels: Object.fromEntries(Object.entries(labels).map(([label, tools]) => [label, [...tools]])),
    })),
  };
}
