import { isObject, own, type JsonObject } from "../base/json.ts";

/** What an app told of its models by `team.report`: a line among those of calls. */
export interface ReportedSpending {
  readonly at: string;
  /** Empty: it is about no one role. */
  readonly role: string;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
}

/** Undefined: the line is no such report. */
export function readReport(line: string): ReportedSpending | undefined {
  if (!line.includes('"report"')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const told = isObject(value) ? own(value, "report") : undefined;
  if (!isObject(value) || !isObject(told)) return undefined;
  const [at, role] = [own(value, "ts"), own(value, "role")];
  return {
    at: typeof at === "string" ? at : "",
    role: typeof role === "string" ? role : "",
    tokens: numberOf(told, "tokens"),
    cost: numberOf(told, "cost"),
  };
}

function numberOf(told: JsonObject, key: string): number | undefined {
  const value = own(told, key);
  return typeof value === "number" && value >= 0 ? value : undefined;
}
