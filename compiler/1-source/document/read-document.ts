import { firstMarker, furtherWords } from "../../base/conflict-markers.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Locate } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import { isJsonFile, readFastJson } from "./fast-json.ts";
import { readFastYaml } from "./fast-yaml.ts";
import { readFullYaml } from "./full-yaml.ts";
import { findJsonFault } from "./json-fault.ts";
import { longestText, tooLong } from "./limits.ts";
import { createLocator } from "./locate.ts";
import { type DocumentProblem, reportProblem } from "./problem.ts";
import { findForbiddenCharacter, nameCharacter, prepareText } from "./text.ts";
import { isTomlFile, readToml } from "./toml/read-toml.ts";
import type { YamlModule } from "./yaml-module.ts";

/**
 * From the text of a document to plain values. A file that ends in .json is strict JSON, one that ends in .toml is TOML 1.0, any other
 * is YAML 1.2 core.
 * What is read has no key twice, no `__proto__`, no number other than the one written, and at most 100 levels.
 */
export interface DocumentReader {
  /** Undefined: errors were reported. A document with nothing in it is an empty map. */
  read(file: string, text: string, report: Report): JsonValue | undefined;
  /** Spans for the places in documents; `textOf` gives the text as it was read, or undefined for an unknown file. */
  locator(textOf: (file: string) => string | undefined): Locate;
}

/** `loadYaml` is called when a document isn't plain enough for the fast readers, or when a place has to be found. */
export function createDocumentReader(loadYaml: () => YamlModule): DocumentReader {
  return {
    read: (file, raw, report) => {
      const outcome = readText(file, prepareText(raw), loadYaml);
      for (const problem of outcome.problems) reportProblem(file, problem, report);
      return outcome.problems.length > 0 ? undefined : outcome.value;
    },
    locator: (textOf) => createLocator(textOf, loadYaml),
  };
}

interface ReadOutcome {
  readonly value: JsonValue;
  readonly problems: readonly DocumentProblem[];
}

function readText(file: string, text: string, loadYaml: () => YamlModule): ReadOutcome {
  if (text.length > longestText) return failed(tooLong);
  const marker = firstMarker(text);
  if (marker !== undefined) return failed({ code: "source/conflict-markers", at: marker, others: furtherWords(text) });
  const isJson = isJsonFile(file);
  const isToml = isTomlFile(file);
  if (!isJson && !isToml) {
    const fast = readFastYaml(text);
    if (fast) return { value: fast.value, problems: [] };
  }
  const forbidden = findForbiddenCharacter(text);
  if (forbidden !== undefined) {
    return failed({
      code: "source/character",
      at: [forbidden, forbidden + 1],
      character: nameCharacter(text[forbidden]!),
    });
  }
  if (isToml) {
    const { value, problem } = readToml(text);
    return problem === undefined ? { value, problems: [] } : failed(problem);
  }
  return isJson ? readJson(text, loadYaml) : readFullYaml(text, loadYaml());
}

/** Nearly every JSON text is YAML too, so the full reader finds what `JSON.parse` is silent about, with places. */
function readJson(text: string, loadYaml: () => YamlModule): ReadOutcome {
  if (text.trim() === "") return { value: {}, problems: [] };
  const fast = readFastJson(text);
  if (fast) return { value: fast.value, problems: [] };
  const fault = findJsonFault(text);
  return fault ? failed(fault) : readFullYaml(text, loadYaml());
}

function failed(problem: DocumentProblem): ReadOutcome {
  return { value: null, problems: [problem] };
}
