/** What was typed. */
export interface AddOptions {
  readonly words: readonly string[];
  readonly role: string | undefined;
  readonly as: string | undefined;
  readonly isForced: boolean;
  readonly isAll: boolean;
  readonly timeoutMs: number | undefined;
}
