import type { Team, TeamOptions } from "./api.ts";
import type { Role } from "./contract.ts";
import type { GeneratedPlace } from "./session/project-folder.ts";
import type { Equipment } from "./session/types.ts";
import { startTeam } from "./session/team.ts";

/** The runtime's door. A project's own index registers its roles with `createTeam`; `team` takes role modules' values. */

export function team(options: TeamOptions = {}): Team<Record<never, never>> {
  return startTeam(new Map(), options, loadLater);
}

export function createTeam<Roles>(
  roles: RolesOf<Roles>,
  options: TeamOptions = {},
  generated?: GeneratedPlace,
): Team<Roles> {
  return startTeam(new Map(Object.entries<Role<string, unknown>>(roles)), options, loadLater, generated);
}

/** The value of each role's module, by the role's name. */
export type RolesOf<Roles> = { readonly [Name in keyof Roles & string]: Role<Name, Roles[Name]> };

/** `as string`: a project's type checker isn't to read, for a role's types, what reaches servers. */
async function loadLater(): Promise<Equipment> {
  const { loadEquipment }: Later = await import("./equipment.ts" as string);
  return loadEquipment();
}

interface Later {
  loadEquipment(): Promise<Equipment>;
}

export { RolecallError } from "./errors.ts";
export type {
  AskAnswer,
  AskRequest,
  Clock,
  EnvLookup,
  ErrorCode,
  FakedServer,
  HostConnection,
  ObservedCall,
  ObservedOutcome,
  OfferedTool,
  RateLimiter,
  RecordLine,
  RecordSink,
  ReportLine,
  RuntimeEvent,
  ServerHealth,
  Session,
  SessionHooks,
  SessionMembers,
  Team,
  TeamOptions,
  TeamReport,
  ToolChoice,
} from "./api.ts";
export type { CallMeta, CallOptions, ContentBlock, JsonValue, Role, ToolResult } from "./contract.ts";
export type {
  OfferedResource,
  OfferedResources,
  OfferedTemplate,
  ReadResource,
  ResourceContent,
} from "./resource-api.ts";
