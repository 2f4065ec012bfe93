import type { JsonValue } from "../../base/json.ts";
import type { Locate } from "../../base/place.ts";
import { stableText } from "../../base/stable-text.ts";
import { bounded, visible } from "../../base/visible.ts";
import type { Answer, Objected, Question } from "../../questions/types.ts";
import { changeWords } from "../diff/words.ts";
import { placeWords } from "../page.ts";

/** The claim, as a sentence that is true or isn't. */
export function claimWords(question: Question): string {
  switch (question.kind) {
    case "no-new-access":
      return `access is no wider than at ${visible(question.base)}`;
    case "not-granted": {
      const who = question.roles === undefined ? "no role is" : `${question.roles.map(visible).join(", ")}: not`;
      return `${who} granted \`${visible(question.selector)}\``;
    }
    case "compare":
      return `${visible(question.role)} has at most what ${visible(question.other)} has`;
  }
}

export const VERDICTS: Readonly<Record<Answer["verdict"], string>> = {
  holds: "holds",
  fails: "doesn't hold",
  unknown: "can't be told",
};

/** What is against it, without its role where the question has that already. */
export function objectionWords({ change, through }: Objected, { kind }: Question): string {
  const by = through === undefined ? "" : ` through ${visible(through)}, to which it can hand work`;
  const role = change.role === undefined || kind === "compare" ? "" : `${visible(change.role)}: `;
  return `${role}${kind === "compare" ? beyondWords(change) : changeWords({ change, parts: () => [] })}${by}`;
}

/** A difference between two roles: nothing of it is new. */
function beyondWords(change: Objected["change"]): string {
  const name = visible([change.server, change.tool].filter((part) => part !== undefined).join("."));
  const value = (of: JsonValue): string => bounded(visible(typeof of === "string" ? of : stableText(of)));
  switch (change.kind) {
    case "effect":
      return `${name} without a yes`;
    case "condition":
      return `${name} on wider conditions`;
    case "delegate":
      return `hands work to ${value(change.after)}`;
    case "builtin":
      return `the host's own ${value(change.after)}`;
    default:
      return changeWords({ change, parts: () => [] });
  }
}

/** The rules, and the call that passes. */
export function proofLines({ change, from, at, example, isAsked }: Objected, locate: Locate): string[] {
  const rules = from.map(
    (reason) => `by ${bounded(visible(`\`${reason.written}\``))} at ${placeWords(reason.from, locate)}`,
  );
  const call = `${visible(change.tool ?? "")} ${bounded(visible(stableText(example ?? {})))}`;
  return [
    ...rules,
    ...(at === undefined ? [] : [`at ${placeWords(at, locate)}`]),
    ...(example === undefined ? [] : [`${isAsked ? "passes after a yes" : "passes"}: ${call}`]),
  ];
}
