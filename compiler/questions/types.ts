import type { Place } from "../base/place.ts";
import type { JsonObject } from "../base/json.ts";
import type { RoleName } from "../base/names.ts";
import type { Reason } from "../3-plan/types.ts";
import type { AccessChanged } from "../diff/types.ts";

/** What somebody claims of a project. Every answer is exact: roles, servers and tools are finite sets. */
export type Question =
  | { readonly kind: "no-new-access"; readonly base: string }
  /** `roles`: of these, and of those that they can hand work to; undefined: of all. */
  | { readonly kind: "not-granted"; readonly selector: string; readonly roles: readonly RoleName[] | undefined }
  | { readonly kind: "compare"; readonly role: RoleName; readonly other: RoleName };

export interface Answer {
  readonly question: Question;
  /** `unknown`: neither could be shown. It is never a yes. */
  readonly verdict: "holds" | "fails" | "unknown";
  /** What is against it, or what couldn't be told. */
  readonly against: readonly Objected[];
  /** Of a comparison: what the other role has beyond the first. It is against nothing. */
  readonly beyond: readonly Objected[];
  /** Why nothing is known, where nothing else says it. */
  readonly unknown: { readonly problem: string; readonly next: string } | undefined;
}

export interface Objected {
  /** `widens` is what is asked; kinds as in a difference of access. */
  readonly change: AccessChanged;
  /** The role that holds it, where it isn't the one that is asked about but one that it can hand work to. */
  readonly through: RoleName | undefined;
  /** The rules in the sources that grant it. */
  readonly from: readonly Reason[];
  /** Where no rule does. */
  readonly at: Place | undefined;
  /** Arguments of a call that passes and shouldn't, as the runtime's own judge says. */
  readonly example: JsonObject | undefined;
  /** It passes when a person said yes to it. */
  readonly isAsked: boolean;
}
