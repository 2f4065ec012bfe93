import type { JsonObject, JsonValue } from "../base/json.ts";
import type { RoleName } from "../base/names.ts";
import type { Place } from "../base/place.ts";
import type { AddressRule, ArgumentCondition, Builtins, ProjectSettings, Prompt, Server } from "../2-model/types.ts";
import type { ArgumentRule } from "../../runtime/contract.ts";

export type {
  AddressRule,
  Approval,
  Builtins,
  DoorChoice,
  Hints,
  HostChoice,
  Limits,
  NamedTemplate,
  ProjectSettings,
  Prompt,
  Scope,
  Server,
  StoredChoice,
  Template,
  TemplatePart,
  Tool,
  ToolDefinition,
  Transport,
  Variable,
} from "../2-model/types.ts";

/**
 * The compiled decision for every role x server x tool, with reasons. Every target, check and diff reads this and
 * nothing before it. It is finished: whoever reads it decides nothing and looks nothing up by a joined name.
 */
export interface Plan {
  readonly project: ProjectSettings;
  /** Two plans with the same one differ in nothing but the definitions and digests of tools. Undefined: nobody knows. */
  readonly fingerprint?: string | undefined;
  /** Every declared server, sorted by name, whether a role uses it or not. */
  readonly servers: readonly Server[];
  readonly roles: readonly PlannedRole[];
  /** Every policy and invariant by name, sorted, with its text as data. */
  readonly guards: readonly Guard[];
}

export interface Guard {
  readonly name: string;
  readonly place: Place;
  readonly text: JsonValue;
  /** What one that nothing in the project can switch off speaks of: by server, names of tools. */
  readonly matches?: JsonObject | undefined;
}

export interface PlannedRole {
  readonly name: RoleName;
  readonly place: Place;
  readonly description: string | undefined;
  readonly owner: string | undefined;
  /** Why its grants stay, though they may be seldom used. */
  readonly keep: string | undefined;
  readonly prompt: Prompt | undefined;
  readonly lineage: readonly RoleName[];
  /** One for each server that the role or an ancestor mentions, sorted by server; it may hold nothing there. */
  readonly grants: readonly Grant[];
  readonly builtins: readonly Builtins[];
  /** Roles that it may hand work to, directly. */
  readonly delegates: readonly RoleName[];
  /** All roles that its work can reach by delegation, itself not included, sorted. */
  readonly reaches: readonly RoleName[];
}

export interface Grant {
  readonly server: Server;
  /** One for each of `server.tools`, in that order: `decisions[tool.index]`. Equal decisions are one object. */
  readonly decisions: readonly Decision[];
  /** What it may read beside tools; undefined: nothing. */
  readonly resources: ResourceGrant | undefined;
}

/** Something of `include`, of each list of `within`, and nothing of `exclude`. Never an empty `include`. */
export interface ResourceGrant {
  readonly include: readonly AddressRule[];
  readonly exclude: readonly AddressRule[];
  readonly within: readonly (readonly AddressRule[])[];
}

export type Effect = "allow" | "ask" | "deny";

export interface Decision {
  readonly effect: Effect;
  /** Conditions on the arguments, sorted by argument; all must hold. Empty when the effect is deny. */
  readonly where: readonly ArgumentRule[];
  /** What granted it and what restricts it; for a denied tool, what took it away. Never empty. */
  readonly because: readonly Reason[];
}

export interface Reason {
  readonly rule: "include" | "exclude" | "ask" | "where" | "ceiling" | "scopes" | "policy" | "nothing";
  /** The selector, policy or scope as written. */
  readonly written: string;
  /** What a policy does; undefined for the others, whose `rule` says it. */
  readonly effect?: "deny" | "ask" | "where";
  /** The role or policy that wrote it; undefined for a server's own ceiling. */
  readonly by: string | undefined;
  readonly from: Place;
  /** What it demands of arguments, each with its own place; left out where it demands nothing. */
  readonly conditions?: readonly ArgumentCondition[];
}
