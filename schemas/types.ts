import type * as z from "zod/mini";
import type * as parts from "./parts.ts";
import type * as policies from "./policy.ts";
import type * as documents from "./project.ts";
import type * as reviews from "./review.ts";
import type * as roles from "./role.ts";
import type * as servers from "./server.ts";

/** The documents as TypeScript sees them. The zod schemas are the one statement of their shape; nothing is transformed. */
export type Project = z.infer<typeof documents.project>;
export type Blocks = z.infer<typeof documents.blocks>;
export type Preset = z.infer<typeof documents.preset>;
export type ServerBlock = z.infer<typeof servers.server>;
export type TransportBlock = z.infer<typeof servers.transport>;
export type TextBlock = z.infer<typeof servers.written>;
export type CeilingBlock = z.infer<typeof servers.ceiling>;
export type ScopesBlock = z.infer<typeof servers.scopes>;
export type RoleBlock = z.infer<typeof roles.role>;
export type RoleEntryBlock = z.infer<typeof roles.roleEntry>;
export type AddressBlock = z.infer<typeof parts.addressEntry>;
export type DiffBlock = z.infer<typeof reviews.diff>;
export type ApprovalBlock = z.infer<typeof reviews.approval>;
export type PolicyBlock = z.infer<typeof policies.policy>;
export type InvariantBlock = z.infer<typeof policies.invariant>;
export type ConditionBlock = z.infer<typeof parts.condition>;
export type ConditionsBlock = z.infer<typeof parts.conditions>;
export type Restriction = z.infer<typeof parts.restriction>;
