import type { Plan, Server } from "../../3-plan/types.ts";
import { code, type Code } from "../typescript/writer.ts";

/** By server, the names of its tools as literals, by index: hundreds of roles hold the same ones. */
export type NameLiterals = ReadonlyMap<Server, readonly Code[]>;

export function nameLiterals({ servers }: Plan): NameLiterals {
  return new Map(servers.map((server) => [server, server.tools.map((tool) => code`${tool.name}`)]));
}
