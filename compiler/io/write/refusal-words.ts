import { refusalCases as KNOWN } from "../../diagnostics/catalogue/refusal-cases.ts";

/** What the system's refusal means, as a case of `output/cannot-write`. */
export function refusalCase({ code }: { readonly code: string }): {
  readonly case: keyof typeof KNOWN;
  readonly system: string;
} {
  return { case: isKnown(code) ? code : "other", system: code };
}

/** The same as a sentence, without the next step. */
export function refusalWords({ code }: { readonly code: string }): string {
  return isKnown(code) ? KNOWN[code].problem : KNOWN.other.problem.replace("{system}", code);
}

function isKnown(code: string): code is keyof typeof KNOWN {
  return code !== "other" && Object.hasOwn(KNOWN, code);
}
