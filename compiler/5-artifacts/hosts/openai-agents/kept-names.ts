import { keptNames } from "../../../4-fit/kept-names.ts";

/** Handing over is a tool of this name there, made of the other agent's. */
export const KEPT = keptNames("@openai/agents 0.20.0", { joined: "transfer_to_*" });
