import type { Place } from "../base/place.ts";
import type { Described } from "./describe.ts";
import type { Grade } from "./gravity.ts";
import type { ChangedStretch } from "./text-change.ts";
import type { TextSigns } from "./text-signs.ts";
import type { Direction } from "./types.ts";

/** What the pages tell, put together as a reviewer reads it. */

export const ORDER: readonly Direction[] = ["widens", "changed", "narrows"];

export interface CommonChange {
  readonly described: Described;
  /** Of a rule: the tools that roles gain or lose by it now. */
  readonly felt: readonly { readonly role: string; readonly tool: string; readonly isAsked: boolean }[];
}

export interface ChangedText extends ChangedStretch {
  readonly server: string;
  /** Undefined: the server's own instructions. */
  readonly tool: string | undefined;
  readonly roles: readonly string[];
  readonly at: Place | undefined;
  readonly says: string;
  readonly signs: TextSigns;
}

/** Changes that differ in nothing but their tool, and whether it is asked. */
export interface ChangeGroup {
  /** Of the gravest tool. */
  readonly first: Described;
  /** The gravest first. */
  readonly tools: readonly ToldTool[];
  /** Its example is worth showing. */
  readonly withExample: boolean;
  /** Tools that match come too when a capture brings them; `may`: unless the server's own limits keep them out. */
  readonly laterTools: "come" | "may come" | undefined;
  /** Tools that come with texts which may be aimed at the model. */
  readonly suspicious: readonly { readonly name: string; readonly signs: TextSigns["suspicions"] }[];
  /** Rules that are told elsewhere on the page, and here where they are felt. */
  readonly rules: readonly Described[];
}

export interface ToldTool {
  readonly server: string;
  readonly name: string;
  readonly grade: Grade;
  readonly isAsked: boolean;
  /** Of one that comes: not every call of it passes. */
  readonly isConditioned: boolean;
}

/** A tool that isn't what it was, with all who hold it. */
export interface ChangedDefinition {
  readonly first: Described;
  readonly roles: readonly string[];
}
