import type { Place } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SelectableServer } from "./match.ts";

/**
 * For what can't be told without a manifest. One that was refused was said to be refused; of a server
 * that is switched off nothing has to be told. All that a preset says of tools
 * is one error, where the project names the preset: the report tells nothing twice.
 */
export function sayManifestNeeded(
  user: string,
  { name, unreadable, off, manifestFile, preset }: Omit<SelectableServer, "set" | "labels">,
  place: Place,
  report: Report,
): void {
  if (unreadable || off) return;
  const isPresets = preset !== undefined && place.file === preset.file;
  report.add("manifest/needed", isPresets ? preset.named : place, {
    user: isPresets ? `the preset \`${preset.id}\`` : user,
    server: name,
    file: manifestFile,
  });
}
