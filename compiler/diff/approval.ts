import { ownersOf } from "./codeowners.ts";

/** Somebody's yes in a file of sources; `file` as the repository has it. */
export interface WrittenApproval {
  readonly digest: string;
  readonly by: string;
  readonly file: string;
}

/** What was true before the change, at the tip of the branch that it goes to: nothing here is the change's own word. */
export interface TrustedState {
  readonly approved: readonly WrittenApproval[];
  /** Undefined: there is no such file. */
  readonly codeowners: string | undefined;
  readonly approvers: readonly string[];
  readonly label: string | undefined;
}

/** What happened around a change, as the forge's API says it. */
export interface ReviewEvents {
  /** When the last push reached the forge; never the time of a commit, which its author chooses. */
  readonly pushedAt: string | undefined;
  readonly comments: readonly ReviewComment[];
  readonly labels: readonly { readonly name: string; readonly by: string; readonly at: string }[];
}

export interface ReviewComment {
  readonly by: string;
  readonly body: string;
  /** Whoever may write may edit the words of another: an edited one says nothing. */
  readonly edited: boolean;
}

export interface ApprovalQuestion {
  readonly digest: string;
  readonly trusted: TrustedState;
  /** As the change leaves them. */
  readonly now: readonly WrittenApproval[];
  /** Where the change began: what stood there and doesn't stand now was taken back. */
  readonly began: readonly WrittenApproval[];
  /** Everybody whose change it is: who opened it, and who pushed. Undefined: nobody said. */
  readonly authors: readonly string[] | undefined;
  readonly events: ReviewEvents | undefined;
}

export type ApprovalDecision =
  | {
      readonly accepted: true;
      readonly by: string;
      readonly how: "block" | "comment" | "label";
      readonly file?: string;
    }
  | { readonly accepted: false; readonly refused: readonly RefusedApproval[] };

export interface RefusedApproval {
  readonly by: string;
  readonly how: "block" | "comment" | "label";
  /** The end of a sentence about it. */
  readonly why: string;
}

/** Whether somebody who may said yes to exactly this change. What can't be told is no yes. */
export function decideApproval(question: ApprovalQuestion): ApprovalDecision {
  const said = [...blockAnswers(question), ...commentAnswers(question), ...labelAnswers(question)];
  const yes = said.find(({ why }) => why === undefined);
  if (yes !== undefined)
    return { accepted: true, by: yes.by, how: yes.how, ...(yes.file !== undefined && { file: yes.file }) };
  return { accepted: false, refused: said.map(({ by, how, why }) => ({ by, how, why: why! })) };
}

interface Answer {
  readonly by: string;
  readonly how: "block" | "comment" | "label";
  readonly file?: string;
  /** Undefined: it counts. */
  readonly why: string | undefined;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const isAmong = (login: string, logins: readonly string[]): boolean => logins.some((one) => isSame(one, login));

function blockAnswers({ digest, trusted, now, began, authors }: ApprovalQuestion): Answer[] {
  const isIn = (list: readonly WrittenApproval[], one: WrittenApproval): boolean =>
    list.some((other) => other.digest === one.digest && other.file === one.file && isSame(other.by, one.by));
  const merged = trusted.approved.filter((one) => one.digest === digest);
  const added = now.filter((one) => one.digest === digest && !isIn(merged, one));
  const answer = (one: WrittenApproval, why: string | undefined): Answer => ({
    by: one.by,
    how: "block",
    file: one.file,
    why,
  });
  return [
    ...merged.map((one) => {
      const isTakenBack = isIn(began, one) && !isIn(now, one);
      return answer(one, isTakenBack ? "this change takes it out" : refusedMerged(one, trusted));
    }),
    ...added.map((one) => answer(one, refusedAdded(one, trusted, authors))),
  ];
}

const UNPROTECTED = "CODEOWNERS names no owner of its file";

function refusedMerged({ by, file }: WrittenApproval, { codeowners = "" }: TrustedState): string | undefined {
  const { logins, others } = ownersOf(codeowners, file);
  if (logins.length + others.length === 0) return UNPROTECTED;
  // Who is in a team was the forge's to see when the line was merged.
  return others.length > 0 || isAmong(by, logins) ? undefined : "who says yes owns its file no more, or never did";
}

function refusedAdded(
  { by, file }: WrittenApproval,
  { codeowners = "" }: TrustedState,
  authors: readonly string[] | undefined,
): string | undefined {
  const { logins, others } = ownersOf(codeowners, file);
  if (logins.length + others.length === 0) return UNPROTECTED;
  if (authors === undefined || authors.length === 0)
    return "this change adds it, and nobody said whose change it is (--author)";
  if (!isAmong(by, authors)) return "this change adds it, and it says yes in another's name";
  const stranger = authors.find((author) => !isAmong(author, logins));
  if (stranger === undefined) return undefined;
  return others.length > 0
    ? "this change adds it, and whether its author is in a team that owns the file can't be told here"
    : `this change adds it, and ${stranger} doesn't own its file`;
}

/** What a comment begins with: nobody says it by quoting another, or this page. */
export function approvalLine(digest: string): string {
  return `rolecall: approve ${digest}`;
}

function commentAnswers({ digest, trusted, authors, events }: ApprovalQuestion): Answer[] {
  const line = approvalLine(digest);
  return (events?.comments ?? [])
    .filter(({ body }) => body.split(/\r\n|\n|\r/, 1)[0]!.trimEnd() === line)
    .map(({ by, edited }) => ({
      by,
      how: "comment",
      why: refusedPerson(by, trusted, authors) ?? (edited ? "it was edited" : undefined),
    }));
}

function labelAnswers({ trusted, authors, events }: ApprovalQuestion): Answer[] {
  const named = (events?.labels ?? []).filter(({ name }) => trusted.label !== undefined && name === trusted.label);
  return named.map(({ by, at }) => {
    const [set, pushed] = [momentOf(at), momentOf(events?.pushedAt)];
    const isAfter = set !== undefined && pushed !== undefined && set > pushed;
    const late = isAfter ? undefined : "it wasn't set after the last push, as far as is known";
    return { by, how: "label", why: refusedPerson(by, trusted, authors) ?? late };
  });
}

function refusedPerson(
  by: string,
  { approvers }: TrustedState,
  authors: readonly string[] | undefined,
): string | undefined {
  if (!isAmong(by, approvers)) return "`diff.approvers` doesn't name who gave it";
  if (authors === undefined || authors.length === 0) return "nobody said whose change it is (--author)";
  return isAmong(by, authors) ? "it is their own change" : undefined;
}

/** In UTC, as the API gives it; to the second, so that they compare as texts. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=(?:\.\d+)?Z$)/;

function momentOf(text: string | undefined): string | undefined {
  return MOMENT.exec(text ?? "")?.[0];
}
