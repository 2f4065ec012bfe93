import { stableText } from "../base/stable-text.ts";
import type { JsonValue } from "../base/json.ts";
import type { Approval, ProjectSettings } from "../3-plan/types.ts";
import type { DiffException } from "./gate.ts";

/** What a change does to the check itself. It counts from the next change on; a reviewer sees it in this one. */
export type SettingsChange = { readonly direction: "added" | "removed" } & (
  | { readonly kind: "exception"; readonly exception: DiffException }
  | { readonly kind: "approver" | "label"; readonly name: string }
  | { readonly kind: "approval"; readonly approval: Approval }
);

type Told = Pick<ProjectSettings, "diff" | "approved">;

export function settingsChanges(before: Told | undefined, after: Told): SettingsChange[] {
  const [was, is] = [before?.diff ?? {}, after.diff ?? {}];
  return [
    ...listed(was.exceptions ?? [], is.exceptions ?? [], (one) => one).map(
      ([direction, exception]): SettingsChange => ({ direction, kind: "exception", exception }),
    ),
    ...listed(was.approvers ?? [], is.approvers ?? [], (one) => one.toLowerCase()).map(
      ([direction, name]): SettingsChange => ({ direction, kind: "approver", name }),
    ),
    ...listed([was.label ?? []].flat(), [is.label ?? []].flat(), (one) => one).map(
      ([direction, name]): SettingsChange => ({ direction, kind: "label", name }),
    ),
    ...listed(before?.approved ?? [], after.approved, ({ digest, by, reason, date, place }) => [
      digest,
      by,
      reason,
      date,
      place.file,
    ]).map(([direction, approval]): SettingsChange => ({ direction, kind: "approval", approval })),
  ];
}

function listed<T>(
  was: readonly T[],
  is: readonly T[],
  essence: (one: T) => JsonValue,
): (readonly ["added" | "removed", T])[] {
  const texts = (list: readonly T[]) => new Set(list.map((one) => stableText(essence(one))));
  const [had, has] = [texts(was), texts(is)];
  return [
    ...is.filter((one) => !had.has(stableText(essence(one)))).map((one) => ["added", one] as const),
    ...was.filter((one) => !has.has(stableText(essence(one)))).map((one) => ["removed", one] as const),
  ];
}
