import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Digest, RoleName, ServerName, ToolName } from "../base/names.ts";
import type { Place } from "../base/place.ts";
import type { TakenBeside } from "../base/taken-beside.ts";
import type { Condition } from "../../runtime/contract.ts";
import type { TemplatePart } from "../../runtime/server-data.ts";
import type { Approval } from "./approval.ts";
import type { HostChoice } from "./host-choice.ts";
import type { InstalledPackage, Prompt, SourceSettings, ToolTexts, WrittenToken } from "../1-source/types.ts";

export type { InstalledPackage, Prompt, ToolTexts } from "../1-source/types.ts";
export type { Approval } from "./approval.ts";
export type { DoorChoice, HostChoice, StoredChoice } from "./host-choice.ts";

/**
 * Every name is now the thing itself: presets are unfolded, `extends` is flattened, selectors are sets of
 * tools, references are parsed. Nothing is decided yet: don't ask the model who may do what, ask the plan.
 */
export interface Model {
  readonly project: ProjectSettings;
  /** By command, as `Sources.installed`. */
  readonly installed: ReadonlyMap<string, InstalledPackage>;
  /** Of all that was read, as `Sources.fingerprint`. */
  readonly fingerprint?: string | undefined;
  /** Texts in the form of an issuer's token, wherever in a source, comments included. */
  readonly tokens: readonly WrittenToken[];
  /** What settings beside files of hosts take away, and nobody here. */
  readonly takenBeside: readonly TakenBeside[];
  /** Sorted by name, as is every list here unless it says otherwise. */
  readonly servers: readonly Server[];
  readonly roles: readonly Role[];
  /** In the order of files and lines; the order means nothing. */
  readonly policies: readonly Policy[];
  readonly invariants: readonly Invariant[];
}

export interface ProjectSettings extends SourceSettings {
  /** Sorted by id. */
  readonly hosts: readonly HostChoice[];
  /** Of every source file, in the order of files and lines. */
  readonly approved: readonly Approval[];
}

export interface Server {
  readonly name: ServerName;
  readonly place: Place;
  readonly preset: string | undefined;
  /** A preset that a layer brings, with nothing of anyone's over it: an entry of that name in a user's own file stays. */
  readonly givesWay: boolean;
  readonly title: string | undefined;
  /** Of its definition. */
  readonly version: string | undefined;
  /** What it is for, for people. */
  readonly description: string | undefined;
  /** The product that brings it, for hosts that keep servers by product; `name`: what it is called there. */
  readonly product: { readonly id: string | undefined; readonly name: string | undefined };
  /** In order of preference. */
  readonly connect: readonly Transport[];
  readonly root: Template | undefined;
  readonly limits: Limits;
  readonly breaker: { readonly failures: number; readonly cooldownMs: number };
  /** How long answers of its read-only tools are kept; undefined: not at all. */
  readonly cacheMs: number | undefined;
  readonly connection: "project" | "session";
  readonly mustConnect: boolean;
  readonly whenDown: string | undefined;
  readonly owner: string | undefined;
  /** Name of the manifest: the server's own, unless `manifest:` shares another's. */
  readonly pin: string;
  /** Undefined when no manifest was captured; then `tools` holds what roles name. */
  readonly manifest: ManifestFacts | undefined;
  readonly tools: readonly Tool[];
  /** Restrictions for every role: a tool must lie within each. */
  readonly ceilings: readonly Ceiling[];
  readonly addresses: AddressCeilings;
  /** What each scope covers, for `scope:` and for people. Undefined: no scopes are written. */
  readonly scopes: readonly Scope[] | undefined;
  /** What `scope:` may name here: a preset's map may hold more than is in force. */
  readonly knownScopes: readonly string[];
  readonly labels: readonly string[];
  /** Variables that the connection refers to, with what is known of them. */
  readonly variables: readonly Variable[];
  /** What is said to people, such as the command that gives a token. */
  readonly notes: readonly string[];
}

export interface ManifestFacts {
  readonly file: string;
  /** Digest of the file's bytes, where that is known. */
  readonly fingerprint?: string | undefined;
  readonly instructions: string | undefined;
  readonly instructionsDigest: Digest | undefined;
  readonly capabilities: JsonObject;
  readonly serverVersion: string | undefined;
}

export interface Tool {
  readonly server: ServerName;
  readonly name: ToolName;
  /** Its place in `server.tools`. */
  readonly index: number;
  /** Its place in the manifest's list as sent. */
  readonly at?: number;
  /** Null: not pinned. Its schema then says nothing and its hints are the protocol's defaults. */
  readonly digest: Digest | null;
  /** What the server says of it. It may have to be read for it. */
  texts(): ToolTexts;
  /** The same with the schemas as values, parsed for whoever asks: they are large, so let them go soon. */
  definition(): ToolDefinition;
  readonly resultFrom: "server" | "project" | undefined;
  /** The server's own word on its hints, as sent. */
  readonly annotations?: JsonObject;
  readonly hints: Hints;
  /** By everybody's word, one after the other: the server's, with its preset's, with the project's. The last are `hints`. */
  readonly hintsSaid: readonly Hints[];
  /** Whether it changes something, where its hints say: undefined where neither the server nor the author does. */
  readonly changes?: boolean | undefined;
  /** Whether it reaches what its server doesn't hold itself, where its hints say. */
  readonly reachesOut?: boolean | undefined;
  readonly labels: readonly string[];
  /** The one argument that chooses between reading and writing, where there is one. */
  readonly choice: { readonly argument: string; readonly reads: string; readonly writes: string } | undefined;
  /** The word of its name that says it changes something, where the server alone calls it read-only: the author hasn't said. */
  readonly contradiction: string | undefined;
  /** Why its schemas could keep a validator busy: they are judged under a deadline. Undefined when they are quick. */
  readonly slow: string | undefined;
}

export interface ToolDefinition {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly inputSchema: JsonObject;
  /** What the server promises, or what `results:` says of it. */
  readonly outputSchema: JsonObject | undefined;
}

/** The author's `hints` over the server's annotations over the protocol's defaults. */
export interface Hints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

export type Transport =
  | {
      readonly kind: "http" | "sse";
      readonly url: Template;
      readonly headers: readonly NamedTemplate[];
      readonly place: Place;
    }
  | {
      readonly kind: "stdio";
      readonly command: readonly Template[];
      readonly env: readonly NamedTemplate[];
      readonly cwd: Template | undefined;
      readonly place: Place;
    };

export interface NamedTemplate {
  readonly name: string;
  readonly value: Template;
}

/** Text with `${...}` in it, parsed and never expanded at build time. */
export interface Template {
  readonly written: string;
  readonly parts: readonly TemplatePart[];
  /** Written as `{ literal: ... }`: the author says that everybody may read it. */
  readonly literal?: true;
}

export type { TemplatePart };

export interface Variable {
  readonly name: string;
  /** The text of `${NAME:-text}` where one is written without references in it. */
  readonly default: string | undefined;
  readonly required: boolean;
  readonly purpose: string | undefined;
  readonly url: string | undefined;
  readonly acceptedNames: readonly string[];
}

export interface Limits {
  readonly timeoutMs: number;
  readonly ratePerMinute: number | undefined;
  readonly concurrency: number | undefined;
}

/** One selector of a list, resolved against one server. */
export interface Selection {
  readonly written: string;
  readonly place: Place;
  /** An exact name, as opposed to a glob or a class. */
  readonly exact: boolean;
  /** Indexes into `server.tools`, ascending. */
  readonly tools: readonly number[];
}

export interface Ceiling {
  /** `enabled`: it is switched off, for every role. */
  readonly kind: "tools" | "scopes" | "enabled";
  readonly place: Place;
  /** Indexes of the tools within it, ascending; a tool that isn't here is out for every role. */
  readonly tools: readonly number[];
}

/** A glob of addresses of one server's resources, as written. */
export interface AddressRule {
  readonly rule: "include" | "exclude" | "ceiling" | "policy";
  readonly written: string;
  /** The role or policy that wrote it; undefined for a server's own ceiling. */
  readonly by: string | undefined;
  readonly from: Place;
}

/** What a role says of one server's resources. */
export interface AddressEntry {
  readonly role: RoleName;
  readonly server: ServerName;
  readonly place: Place;
  readonly include: readonly AddressRule[];
  readonly exclude: readonly AddressRule[];
  /** Written as `none`: whatever is inherited is out. */
  readonly isClosed: boolean;
}

/** For every role: an address must lie within each list, and match nothing of `exclude`. */
export interface AddressCeilings {
  readonly within: readonly (readonly AddressRule[])[];
  readonly exclude: readonly AddressRule[];
}

export interface Scope {
  readonly name: string;
  readonly place: Place;
  readonly tools: readonly number[];
}

export interface Role {
  readonly name: RoleName;
  readonly place: Place;
  readonly description: string | undefined;
  readonly owner: string | undefined;
  /** Why its grants stay, though they may be seldom used; its own alone. */
  readonly keep: string | undefined;
  /** Its own, or the one that it inherits. */
  readonly prompt: Prompt | undefined;
  /** Direct parents, in the order written. */
  readonly parents: readonly RoleName[];
  /** The role itself and every ancestor, once each, itself first. */
  readonly lineage: readonly RoleName[];
  /** Own entries only; what is held is decided over the whole lineage. */
  readonly entries: readonly RoleEntry[];
  /** Own entries on resources, sorted by server. */
  readonly addresses: readonly AddressEntry[];
  /** Own and inherited, by host. A host that isn't here isn't governed. */
  readonly builtins: readonly Builtins[];
  /** Names of its own under `builtins`, each where it stands. */
  readonly namedBuiltins: readonly NamedBuiltin[];
  /** Own and inherited, one step; the plan follows them on. */
  readonly delegates: readonly Delegate[];
}

export interface RoleEntry {
  readonly role: RoleName;
  readonly server: ServerName;
  readonly place: Place;
  readonly include: readonly Selection[];
  readonly exclude: readonly Selection[];
  readonly ask: readonly Selection[];
  readonly where: readonly WhereSelection[];
  /** Written as `read-only`: it states the whole, nothing more may be inherited. */
  readonly statesTheWhole: boolean;
}

export interface WhereSelection {
  readonly selection: Selection;
  readonly conditions: readonly ArgumentCondition[];
}

export interface ArgumentCondition {
  readonly argument: string;
  readonly condition: Condition;
  readonly place: Place;
}

export interface Builtins {
  readonly host: string;
  readonly names: readonly string[];
}

export interface NamedBuiltin {
  readonly host: string;
  readonly name: string;
  /** The host may not have it. */
  readonly isOptional: boolean;
  readonly place: Place;
}

export interface Delegate {
  readonly role: RoleName;
  readonly place: Place;
}

export interface Policy {
  readonly name: string;
  readonly place: Place;
  readonly guard: boolean;
  /** Roles named and all that extend them, sorted. */
  readonly roles: readonly RoleName[];
  readonly effect: "ask" | "deny" | "where";
  readonly selections: readonly RuleSelection[];
  /** Addresses that it denies, by server. */
  readonly addresses: ReadonlyMap<ServerName, readonly AddressRule[]>;
  readonly conditions: readonly ArgumentCondition[];
  /** Its text as data, for the digest under `guards` in access.json. */
  readonly text: JsonValue;
}

/** A selector of a policy or invariant: over all servers. */
export interface RuleSelection {
  readonly written: string;
  readonly place: Place;
  readonly exact: boolean;
  /** By server name; only servers with a matched tool. */
  readonly tools: ReadonlyMap<ServerName, readonly number[]>;
}

export interface Invariant {
  readonly name: string;
  readonly place: Place;
  readonly guard: boolean;
  readonly roles: readonly RoleName[];
  readonly claim:
    | { readonly kind: "never"; readonly selections: readonly RuleSelection[] }
    | { readonly kind: "together"; readonly selections: readonly RuleSelection[]; readonly asked: "count" | "ignore" }
    | { readonly kind: "always"; readonly selections: readonly RuleSelection[]; readonly effect: "ask" | "allow" }
    | { readonly kind: "can"; readonly selections: readonly RuleSelection[] };
  readonly text: JsonValue;
}

/** What is wrong with a JSON Schema, as the end of a sentence that begins with "it"; nothing when it is sound. */
export type SchemaCheck = (schema: unknown, use: "condition" | "result") => string | undefined;
