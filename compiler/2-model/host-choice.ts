import type { RoleName, ServerName } from "../base/names.ts";
import type { Place } from "../base/place.ts";

/** A host that the project writes files for, and how. */
export interface HostChoice {
  /** Of a host that is known. */
  readonly id: string;
  readonly place: Place;
  /** `serve`: it is told of `rolecall serve` alone, and of no server. */
  readonly via: "files" | "serve";
  /** What becomes of a grant whose restriction the host can't hold. */
  readonly whenUnenforceable: "leave-out" | "error" | "gateway";
  /** It was written, not just the default: then nobody has to be warned of it. */
  readonly isChosen: boolean;
  /** What is taken of variables on a host that can't ask; in `${NAME:+text}` all others count as unset. */
  readonly assumed: ReadonlyMap<string, "set" | "unset">;
  /** Servers that stay away from it, sorted. */
  readonly without: readonly ServerName[];
  /** The only role that its files are for. */
  readonly role: RoleName | undefined;
  /** A file of the user's that gets the host's keys, where the host has such a file. */
  readonly into: string | undefined;
  readonly stored: StoredChoice;
  readonly door: DoorChoice;
}

/** For hosts that are tables of a database; what is undefined wasn't written. */
export interface StoredChoice {
  readonly project: string | { readonly variable: string } | undefined;
  readonly product: string | undefined;
  readonly transports: readonly ("http" | "sse" | "stdio")[] | undefined;
}

/** For gateways: whose tokens open them, and where they stand; what is undefined wasn't written. */
export interface DoorChoice {
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** Where the issuer's keys are. */
  readonly jwks: string | undefined;
  /** The claim that names the role; dots lead into it. */
  readonly claim: string | undefined;
  /** Where clients reach it. */
  readonly url: string | undefined;
  /** The Gateway of Kubernetes that routes belong to. */
  readonly gateway: string | undefined;
}
