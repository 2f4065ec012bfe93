import type { JsonObject, JsonValue } from "../../base/json.ts";
import { placeJson } from "../../3-plan/plan-json.ts";
import type { Described } from "../../diff/describe.ts";
import type { DiffException } from "../../diff/gate.ts";
import type { SettingsChange } from "../../diff/settings-changes.ts";
import type { AccessChanged } from "../../diff/types.ts";
import { asideJson } from "./aside-words.ts";
import type { ShownDifference } from "./words.ts";

/** As docs/formats says: every key is always there, null where there is nothing to say. */
export function differenceJson(shown: ShownDifference): JsonObject {
  const { difference, described, base, locate, gate } = shown;
  const found = new Set(gate.findings);
  const passedBy = new Map(gate.passedBy.map((one) => [one.described, one.exception]));
  return {
    format: 1,
    base,
    verdict: difference.verdict,
    digest: difference.digest,
    renamed: difference.renamed.map((one) => ({ ...one })),
    changes: described.map((one) => changeJson(one, { locate, found, passedBy })),
    ...asideJson(shown.aside),
    gate: gateJson(gate),
    settings: shown.settings.map(settingJson),
  };
}

interface Beside {
  readonly locate: ShownDifference["locate"];
  readonly found: ReadonlySet<Described>;
  readonly passedBy: ReadonlyMap<Described, DiffException>;
}

function changeJson(described: Described, { locate, found, passedBy }: Beside): JsonObject {
  const { change, from, asBefore, noLonger, at } = described;
  const { given } = change;
  const example = described.example();
  return {
    direction: change.direction,
    kind: change.kind,
    role: change.role ?? null,
    server: change.server ?? null,
    tool: change.tool ?? null,
    before: change.before,
    after: change.after,
    openings: change.openings.map(openingJson),
    asked: change.tool === undefined || change.kind === "definition" ? null : described.isAsked,
    given: given === undefined ? null : { more: given.more, less: given.less },
    from: from.map((reason) => ({
      ...ruleJson(reason),
      at: placeJson(reason.from, locate),
      asBefore: asBefore.has(reason),
    })),
    noLonger: noLonger.map(({ reason, at: still }) => ({
      ...ruleJson(reason),
      at: still === undefined ? null : placeJson(still, locate),
    })),
    at: at === undefined ? null : placeJson(at, locate),
    example:
      example === undefined
        ? null
        : { role: change.role ?? "", server: change.server ?? "", tool: change.tool ?? "", args: example },
    parts: described.parts().map(({ part, says, before, after }) => ({ part, says, before, after })),
    found: found.has(described),
    passedBy: exceptionJson(passedBy.get(described)),
  };
}

function ruleJson({ rule, written, by }: Described["from"][number]) {
  return { rule, written, by: by ?? null };
}

function exceptionJson(exception: DiffException | undefined): JsonValue {
  if (exception === undefined) return null;
  const { roles, tools, direction, reason, until } = exception;
  return { roles, tools, direction, reason, until };
}

function gateJson({ failOn, findings, expired, unused, approval }: ShownDifference["gate"]): JsonValue {
  return {
    failOn: failOn ?? null,
    passes: failOn === undefined ? null : findings.length === 0 || approval?.accepted === true,
    findings: findings.length,
    approval:
      approval === undefined
        ? null
        : approval.accepted
          ? { accepted: true, by: approval.by, how: approval.how, file: approval.file ?? null }
          : { accepted: false, refused: approval.refused.map(({ by, how, why }) => ({ by, how, why })) },
    expired: expired.map(exceptionJson),
    unused: unused.map(exceptionJson),
  };
}

function settingJson(change: SettingsChange): JsonObject {
  const { direction, kind } = change;
  if (change.kind === "exception") return { direction, kind, exception: exceptionJson(change.exception) };
  if (change.kind === "approval") {
    const { digest, by, reason, date } = change.approval;
    return { direction, kind, approval: { digest, by, reason, date } };
  }
  return { direction, kind, name: change.name };
}

function openingJson({ argument, by }: AccessChanged["openings"][number]): JsonValue {
  return { argument, leftOut: by === "left out", value: by === undefined || by === "left out" ? null : by.value };
}
