import type { JsonObject } from "../../base/json.ts";
import type { Locate } from "../../base/place.ts";
import { placeJson } from "../../3-plan/plan-json.ts";
import type { Answer, Objected, Question } from "../../questions/types.ts";

/** Every key is always there; null where there is nothing to say. `verdict` of all is the gravest. */
export function answersJson(answers: readonly Answer[], locate: Locate): JsonObject {
  const verdict = (["fails", "unknown"] as const).find((one) => answers.some((answer) => answer.verdict === one));
  return {
    format: 1,
    verdict: verdict ?? "holds",
    answers: answers.map((answer) => ({
      question: questionJson(answer.question),
      verdict: answer.verdict,
      unknown: answer.unknown === undefined ? null : { problem: answer.unknown.problem, next: answer.unknown.next },
      against: answer.against.map((one) => objectionJson(one, locate)),
      beyond: answer.beyond.map((one) => objectionJson(one, locate)),
    })),
  };
}

function questionJson(question: Question): JsonObject {
  if (question.kind === "not-granted")
    return { kind: question.kind, tools: question.selector, roles: question.roles ?? null };
  return { ...question };
}

function objectionJson({ change, through, from, at, example }: Objected, locate: Locate): JsonObject {
  const { kind, before, after } = change;
  const [role, server, tool] = [change.role ?? null, change.server ?? null, change.tool ?? null];
  return {
    kind,
    role,
    through: through ?? null,
    server,
    tool,
    before,
    after,
    from: from.map(({ rule, written, by, from: place }) => ({
      rule,
      written,
      by: by ?? null,
      at: placeJson(place, locate),
    })),
    at: at === undefined ? null : placeJson(at, locate),
    example: example === undefined ? null : { role, server, tool, args: example },
  };
}
