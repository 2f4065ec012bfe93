import { nearest } from "../base/nearest.ts";
import { keyOf } from "../base/place.ts";
import { PROJECT_FILE } from "../base/project-layout.ts";
import { adjustableCodes, catalogue } from "../diagnostics/catalogue.ts";
import type { Project } from "../../schemas/types.ts";
import { checkPlaces } from "./check-places.ts";
import { checkStateFiles } from "./check-state-files.ts";
import type { SourceReading } from "./read-shaped.ts";
import type { SourceSettings } from "./types.ts";

/** What rolecall.yaml says beside its blocks: places, severities, and keys whose time hasn't come. */
export function checkSettings(
  written: Project,
  settings: SourceSettings,
  { hosts, files, report }: Pick<SourceReading, "hosts" | "files" | "report">,
): void {
  checkPlaces(settings, written, hosts, report);
  checkStateFiles(written, files, report);
  const severities = written.severities ?? {};
  for (const code of Object.keys(severities)) {
    const place = keyOf({ file: PROJECT_FILE, path: ["severities", code] });
    if (!Object.hasOwn(catalogue, code))
      report.add("source/unknown-code", place, { code, nearest: nearest(code, Object.keys(catalogue)) });
    else if (!adjustableCodes.includes(code))
      report.add("source/fixed-severity", place, {
        code,
        adjustable: adjustableCodes.map((c) => `\`${c}\``).join(", "),
      });
  }
  report.adjust(Object.fromEntries(Object.entries(severities).filter(([code]) => adjustableCodes.includes(code))));
}
