import type { JsonObject, JsonValue } from "../../base/json.ts";
import { nameOf, type ManifestChanges } from "../../capture/compare-manifests.ts";
import type { Redact } from "../../live-server/redact.ts";
import type { Captured, Consequences, Settled } from "../../capture/types.ts";
import { diagnosticsJson } from "../../diagnostics/render-json.ts";

/** One server of `rolecall capture --json`: every key is always there, null where there is nothing to say. */
export function capturedJson({ captured, consequences, written, problems }: Settled): JsonObject {
  const answered = captured.state === "same" || captured.state === "changed" ? captured : undefined;
  const failed = captured.state === "failed" ? captured : undefined;
  // Texts of ours stay as they are: a value such as `first` must not turn them into stars.
  const shown = <Value extends JsonValue>(value: Value): Value => maskedJson(value, captured.redact) as Value;
  return {
    server: captured.server,
    manifest: captured.file,
    state: answered?.changes.first === true ? "first" : captured.state,
    written,
    transport: answered?.transport ?? null,
    tools: answered?.toolCount ?? null,
    failure: failed ? { ...failed.failure, says: shown(failed.failure.says) } : null,
    tried: (answered ?? failed)?.tried.map((one) => ({ transport: one.transport, why: shown(one.failure.says) })) ?? [],
    changes: answered ? shown(changesJson(answered.changes)) : null,
    ...accessJson(consequences),
    contradictions: shown((consequences?.contradictions ?? []).map((one) => ({ ...one }))),
    warnings: answered ? shown(warningsJson(answered)) : null,
    errors: diagnosticsJson(consequences?.errors ?? []),
    diagnostics: shown(diagnosticsJson([...(captured.state === "refused" ? captured.diagnostics : []), ...problems])),
  };
}

function accessJson(consequences: Consequences | undefined): JsonObject {
  const { access, holders } = consequences ?? { access: [], holders: new Map<string, readonly string[]>() };
  return {
    access: access.map((change) => ({ ...change, before: { ...change.before }, after: { ...change.after } })),
    holdersOfChanged: [...holders].map(([tool, roles]) => ({ tool, roles })),
  };
}

function changesJson(changes: ManifestChanges): JsonObject {
  return {
    added: changes.added.map(nameOf),
    removed: changes.removed.map(nameOf),
    renamed: changes.renamed.map((one) => ({ ...one })),
    changed: changes.changed.map((change) => ({
      tool: change.name,
      text: change.texts.map((text) => ({ ...text })),
      schema: change.schema ? { ...change.schema } : null,
      result: change.result ? { ...change.result } : null,
      hints: change.hints.map(({ hint, before, after }) => ({ hint, before: before ?? null, after: after ?? null })),
      other: change.other,
    })),
    about: changes.about.map(({ what, before, after }) => ({ what, before: before ?? null, after: after ?? null })),
  };
}

function warningsJson({ warnings }: Extract<Captured, { warnings: unknown }>): JsonObject {
  return {
    suspicions: warnings.suspicions.map(({ tool, kind, excerpt }) => ({ tool: tool ?? null, kind, excerpt })),
    unsteady: warnings.unsteady,
    askedOnce: warnings.askedOnce ?? null,
    machine: warnings.machine,
  };
}

/** Texts alone: a short value could otherwise turn a key of ours into stars. */
function maskedJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => maskedJson(item, redact));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskedJson(inner as JsonValue, redact)]));
}
