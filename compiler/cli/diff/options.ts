import type { FailOn } from "../../diff/fail-on.ts";

export interface DiffOptions {
  readonly base: string | undefined;
  readonly failOn: { readonly written: string; readonly names: FailOn } | undefined;
  readonly as: "page" | "markdown" | "digest" | "github" | "sarif";
  /** Whose change it is. */
  readonly authors: readonly string[] | undefined;
  /** A file with what the forge's API said of approvals. */
  readonly approvals: string | undefined;
  /** In UTC, as `2027-01-31`. */
  readonly today: string;
}
