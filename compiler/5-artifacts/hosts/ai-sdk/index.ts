import type { HostDoor } from "../host-door.ts";
import { inProcess } from "../in-process.ts";
import type { Host } from "../../target.ts";
import type { RuntimeFile } from "../../runtime-file.ts";
import { KEPT } from "./kept-names.ts";

/** The role's tools as the AI SDK's own objects. */
export function aiSdk(runtime: readonly RuntimeFile[]): Host {
  return inProcess(
    {
      id: "ai-sdk",
      title: "AI SDK",
      alsoCalled: ["vercel", "vercel-ai"],
      signs: { package: "ai" },
      use: (session) => `tools: await aiTools(${session})`,
      ownTools: undefined,
      kept: KEPT,
      door: DOOR,
    },
    runtime,
  );
}

const DOOR: HostDoor = {
  make: "aiHost",
  functions: {
    aiTools: "The role's tools for `generateText`, `streamText` or an agent. Every call goes through the session.",
    aiPrompt:
      "The role's prompt, or its description where it has none: `system` of `generateText`, `instructions` of an agent.",
  },
  types: [],
};
