import type { HostDoor } from "../host-door.ts";
import { inProcess } from "../in-process.ts";
import type { Host } from "../../target.ts";
import type { RuntimeFile } from "../../runtime-file.ts";
import { KEPT } from "./kept-names.ts";

/** The role's tools as ADK's own tools, under the names that their servers gave them. */
export function adk(runtime: readonly RuntimeFile[]): Host {
  const host = inProcess(
    {
      id: "adk",
      title: "ADK",
      alsoCalled: ["google-adk"],
      signs: { package: "@google/adk" },
      use: (session) => `tools: await adkTools(${session})`,
      ownTools: undefined,
      kept: KEPT,
      door: DOOR,
    },
    runtime,
  );
  return { ...host, joinedName: (_server, tool) => tool };
}

const DOOR: HostDoor = {
  make: "adkHost",
  functions: {
    adkTools: "The role's tools for an `LlmAgent`, under their own names. Every call goes through the session.",
    adkPrompt: [
      "The role's prompt, or its description where it has none: `instruction` of an `LlmAgent`. A function, since ADK",
      "takes `{name}` in a text for a value of the session's state, and fails where there is none.",
    ].join("\n"),
  },
  types: ["RoleTool"],
};
