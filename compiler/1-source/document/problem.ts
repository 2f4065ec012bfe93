import type { Place, Stretch } from "../../base/place.ts";
import type { CaseOf, Report } from "../../diagnostics/report.ts";

/** Something wrong with a document, by offsets in the prepared text: the values that have paths don't exist yet. */
export type DocumentProblem = { readonly at: Stretch } & (
  | {
      readonly code: "source/yaml" | "source/json" | "source/toml";
      readonly problem: string;
      readonly help?: string | undefined;
    }
  | ({ readonly code: "source/yaml-feature" } & CaseOf<"source/yaml-feature">)
  | ({ readonly code: "source/too-large" } & CaseOf<"source/too-large">)
  | { readonly code: "source/conflict-markers"; readonly others: string }
  | { readonly code: "source/character"; readonly character: string }
  | ({ readonly code: "source/number" } & CaseOf<"source/number">)
  | { readonly code: "source/duplicate-key"; readonly key: string; readonly first: Stretch }
);

/** What a person most likely meant, and where. */
export interface Explanation {
  readonly at: number;
  readonly end?: number;
  readonly problem: string;
  readonly help?: string;
}

export function reportProblem(file: string, problem: DocumentProblem, report: Report): void {
  const at = placeOf(file, problem.at);
  switch (problem.code) {
    case "source/yaml":
    case "source/json":
    case "source/toml":
      return report.add(problem.code, at, { problem: problem.problem, help: problem.help });
    case "source/too-large":
      return report.add(problem.code, at, problem);
    case "source/yaml-feature":
      return report.add(problem.code, at, problem);
    case "source/conflict-markers":
      return report.add(problem.code, at, { others: problem.others });
    case "source/character":
      return report.add(problem.code, at, { character: problem.character });
    case "source/number":
      return report.add(problem.code, at, problem);
    case "source/duplicate-key":
      return report.add(problem.code, at, { key: problem.key }, [
        { says: "first written here", at: placeOf(file, problem.first) },
      ]);
  }
}

function placeOf(file: string, range: Stretch): Place {
  return { file, path: [], range };
}
