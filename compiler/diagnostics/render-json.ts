import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Span } from "../base/place.ts";
import { visibleJson } from "../base/visible.ts";
import type { Diagnostic } from "./types.ts";

/** `{ "format": 1, "diagnostics": [...] }`; every key is always there, null where there is nothing to say. */
export function renderJson(diagnostics: readonly Diagnostic[]): string {
  return jsonText({ format: 1, diagnostics: diagnosticsJson(diagnostics) });
}

export function diagnosticsJson(diagnostics: readonly Diagnostic[]): JsonValue[] {
  return diagnostics.map((diagnostic) => ({
    code: diagnostic.code,
    severity: diagnostic.severity,
    says: diagnostic.says,
    help: diagnostic.help ?? null,
    at: spanJson(diagnostic.at),
    also: diagnostic.also.map((also) => ({ says: also.says, at: spanJson(also.at) })),
    host: diagnostic.host?.id ?? null,
    next: diagnostic.host?.next ?? null,
    remarks: (diagnostic.host?.remarks ?? []).map(({ roles, names, says, causes }) => ({
      roles,
      names,
      says,
      causes: causes.map(spanJson),
    })),
  }));
}

/** JSON as commands print it: two spaces of indent, nothing in it steers a terminal. */
export function jsonText(value: JsonValue): string {
  return visibleJson(JSON.stringify(value, null, 2)) + "\n";
}

function spanJson(span: Span | undefined): JsonObject | null {
  if (span === undefined) return null;
  const { file, line, column, length, text, textColumn } = span;
  return { file, line, column, length, text, textColumn };
}
