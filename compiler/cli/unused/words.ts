import type { Locate } from "../../base/place.ts";
import { visible } from "../../base/visible.ts";
import { placeWords } from "../page.ts";
import type { RecordedUsage } from "../../usage/recorded.ts";
import type { JudgedTool, UsageReport } from "../../usage/judge.ts";
import type { LeftGrant, Trimming } from "../../usage/trim.ts";
import type { WrittenTrimming } from "./write.ts";

export interface ShownUsage {
  readonly project: string;
  readonly report: UsageReport;
  /** Files of code that were read. */
  readonly files: number;
  readonly library: string | undefined;
  readonly record: RecordedUsage | undefined;
  readonly trimming: Trimming;
  readonly wrote: WrittenTrimming | undefined;
  readonly locate: Locate;
}

export function toolWords({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return visible(`${server}.${tool}`);
}

export function manyOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** Where code or a model comes to it. */
export function usedWhere({ state, at, by }: JudgedTool): readonly string[] {
  if (state === "possibly" || state === "used") return at.map(visible);
  return state === "model" ? by : [];
}

/** Why an unused grant isn't taken out, and where that can be done. */
export function leftWords({ grantor, why, by }: LeftGrant, locate: Locate): string {
  const at = placeWords(grantor.from, locate);
  const others = by.map((role) => `\`${role}\``).join(", ");
  switch (why) {
    case "elsewhere":
      return `change it there: ${at}`;
    case "inherited":
      return by.includes(grantor.role)
        ? `inherited from \`${grantor.role}\`, which holds it too: ${at}`
        : `inherited from \`${grantor.role}\`, which gives it to ${others} too: ${at}`;
    case "needed":
      return `${others} ${by.length === 1 ? "inherits" : "inherit"} it and may use it: ${at}`;
  }
}
