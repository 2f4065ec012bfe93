import { firstMarker, furtherWords } from "../base/conflict-markers.ts";
import { digestOf } from "../base/digest.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import type { Digest, ToolName } from "../base/names.ts";
import { byName } from "../base/order.ts";
import type { Place } from "../base/place.ts";
import { unsoundJson } from "../base/sound-json.ts";
import type { CaseOf, Report } from "../diagnostics/report.ts";
import { coveredTool, type CoveredTool } from "../../runtime/covered-tool.ts";
import { findJsonFault } from "./document/json-fault.ts";
import { writingWord } from "../base/verbs.ts";
import { prepareText } from "./document/text.ts";
import { explainShape, textAdvice } from "./manifest-advice.ts";
import { findChoice } from "./mixed-choice.ts";
import { type PatternJudge, patternJudge, slowness } from "../base/slow-schema.ts";
import type { ExaminedManifest, ExaminedTool, ToolTexts } from "./types.ts";

/**
 * Looks a pinned manifest, or a bare `tools/list` result, through. It was written by a stranger: whatever is odd is
 * reported or carried as data. `texts` are in the order sent; undefined means refused, with the reason reported.
 */
export function examineManifest(
  pin: string,
  file: string,
  text: string,
  report: Report,
): { facts: ExaminedManifest; texts: readonly ToolTexts[] } | undefined {
  const value = parse(file, text, report);
  if (value === undefined) return undefined;
  const tools = isObject(value) ? own(value, "tools") : undefined;
  if (!isObject(value) || !Array.isArray(tools)) {
    const { path = [], ...fault } = explainShape(value);
    report.add("manifest/shape", { file, path, at: "key" }, fault);
    return undefined;
  }
  if (typeof own(value, "nextCursor") === "string") return refuse(report, file, { case: "page" });
  if (!headerFits(value, pin, file, report)) return undefined;
  const texts: ToolTexts[] = [];
  const read = readTools(tools as readonly JsonValue[], file, { texts, judge: patternJudge(text.length) }, report);
  if (!read) return undefined;
  const facts: Omit<ExaminedManifest, "fingerprintBesideTools"> = {
    server: textOf(value, "server") ?? null,
    serverInfo: objectOf(value, "serverInfo") ?? null,
    protocolVersion: textOf(value, "protocolVersion") ?? null,
    capabilities: objectOf(value, "capabilities") ?? {},
    instructions: textOf(value, "instructions") ?? null,
    variables: namesOf(value, "variables"),
    tools: read,
  };
  return { facts: { ...facts, fingerprintBesideTools: fingerprintBesideTools(facts) }, texts };
}

function fingerprintBesideTools(facts: Omit<ExaminedManifest, "fingerprintBesideTools">): string {
  return digestOf(JSON.stringify({ ...facts, tools: facts.tools.map((tool) => ({ ...tool, digest: "" })) }));
}

function parse(file: string, text: string, report: Report): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    const prepared = prepareText(text);
    const marker = firstMarker(prepared);
    if (marker !== undefined) {
      report.add("source/conflict-markers", { file, path: [], range: marker }, { others: furtherWords(prepared) });
      return undefined;
    }
    const fault = findJsonFault(text);
    const place = fault ? { file, path: [], range: fault.at } : { file, path: [] };
    const problem = fault && "problem" in fault ? fault.problem : "it doesn't parse";
    report.add("manifest/not-json", place, { problem, advice: textAdvice(text, fault?.at[0]) });
    return undefined;
  }
  const problem = unsoundJson(text, value);
  if (problem === undefined) return value;
  report.add("manifest/unsound", { file, path: [] }, { problem });
  return undefined;
}

function refuse(report: Report, file: string, fault: CaseOf<"manifest/shape">): undefined {
  report.add("manifest/shape", { file, path: [] }, fault);
  return undefined;
}

function headerFits(value: JsonObject, pin: string, file: string, report: Report): boolean {
  const format = own(value, "format");
  if (format !== undefined && format !== 1) {
    report.add("manifest/format", { file, path: ["format"] }, { format: JSON.stringify(format) });
    return false;
  }
  const server = own(value, "server");
  if (server === undefined || server === pin) return true;
  report.add("manifest/wrong-server", { file, path: ["server"] }, { server: String(server), pin });
  return false;
}

/** What is gathered and shared while the tools of one manifest are read. */
interface ToolReading {
  readonly texts: ToolTexts[];
  readonly judge: PatternJudge;
}

function readTools(
  raw: readonly JsonValue[],
  file: string,
  reading: ToolReading,
  report: Report,
): ExaminedTool[] | undefined {
  const tools: ExaminedTool[] = [];
  const seen = new Set<string>();
  let sound = true;
  raw.forEach((value, i) => {
    const tool = readTool(value, i, file, reading, report);
    if (!tool) return void (sound = false);
    if (seen.has(tool.name)) {
      report.add("manifest/duplicate-tool", { file, path: ["tools", i, "name"] }, { tool: tool.name });
      sound = false;
    }
    seen.add(tool.name);
    tools.push(tool);
  });
  return sound ? tools.sort((a, b) => byName(a.name, b.name)) : undefined;
}

function readTool(
  value: JsonValue,
  at: number,
  file: string,
  { texts, judge }: ToolReading,
  report: Report,
): ExaminedTool | undefined {
  const place: Place = { file, path: ["tools", at] };
  const name = isObject(value) ? own(value, "name") : undefined;
  if (!isObject(value) || typeof name !== "string")
    return refuse(report, file, { case: "nameless", tool: String(at + 1) });
  const covered = coveredTool(value);
  const digest = digestOf(covered.text);
  texts.push(textsOf(value, covered));
  const written = own(value, "digest");
  if (written !== undefined && written !== digest) {
    report.add("manifest/digest", { file, path: ["tools", at, "digest"] }, { tool: name });
    return undefined;
  }
  sayOddSchema(value, "inputSchema", name, place, report);
  sayOddSchema(value, "outputSchema", name, place, report);
  const annotations = objectOf(value, "annotations") ?? {};
  return {
    name: name as ToolName,
    at,
    annotations,
    digest,
    promisesResult: objectOf(value, "outputSchema") !== undefined,
    choice: findChoice(name, objectOf(value, "inputSchema") ?? {}) ?? null,
    contradiction: contradictionIn(value, name, annotations) ?? null,
    slow: slowSchema(value, covered, judge),
  };
}

/** The server says that the tool only reads, its name says that it doesn't. */
function contradictionIn(tool: JsonObject, name: string, annotations: JsonObject): string | undefined {
  return own(annotations, "readOnlyHint") === true ? writingWord(name, textOf(tool, "description")) : undefined;
}

/** What the runtime compares with: the code is one. */
export function toolDigest(tool: JsonObject): Digest {
  return digestOf(coveredTool(tool).text);
}

/** What of a tool a build needs later. */
export function toolTexts(tool: JsonObject): ToolTexts {
  return textsOf(tool, coveredTool(tool));
}

function textsOf(tool: JsonObject, { text, spans }: CoveredTool): ToolTexts {
  const schema = (key: "inputSchema" | "outputSchema") =>
    isObject(own(tool, key)) ? text.slice(...spans[key]!) : undefined;
  return {
    title: textOf(tool, "title"),
    description: textOf(tool, "description"),
    inputSchema: schema("inputSchema") ?? "{}",
    outputSchema: schema("outputSchema"),
  };
}

function slowSchema(tool: JsonObject, { text, spans }: CoveredTool, judge: PatternJudge): string | null {
  for (const key of ["inputSchema", "outputSchema"] as const) {
    const span = spans[key];
    const why = span && slowness(own(tool, key)!, text.slice(...span), judge);
    if (why !== undefined) return `${key} ${why}`;
  }
  return null;
}

function sayOddSchema(
  tool: JsonObject,
  key: "inputSchema" | "outputSchema",
  name: string,
  place: Place,
  report: Report,
): void {
  const schema = own(tool, key);
  if (isObject(schema) || (schema === undefined && key === "outputSchema")) return;
  const form =
    schema === undefined
      ? "missing"
      : schema === null
        ? "null"
        : Array.isArray(schema)
          ? "a list"
          : `a ${typeof schema}`;
  report.add(
    "manifest/odd-schema",
    { file: place.file, path: schema === undefined ? place.path : [...place.path, key] },
    { case: key, which: key, tool: name, form },
  );
}

export function textOf(value: JsonObject, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === "string" ? found : undefined;
}

export function objectOf(value: JsonObject, key: string): JsonObject | undefined {
  const found = own(value, key);
  return isObject(found) ? found : undefined;
}

function namesOf(value: JsonObject, key: string): string[] {
  const found = own(value, key);
  return Array.isArray(found) ? found.filter((name): name is string => typeof name === "string") : [];
}
