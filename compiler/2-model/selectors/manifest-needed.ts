import type { Place } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SelectableServer } from "./match.ts";

/** For what can't be told without a manifest. One that was refused was said to be refused. */
export function sayManifestNeeded(
  user: string,
  { name, unreadable, manifestFile }: Pick<SelectableServer, "name" | "unreadable" | "manifestFile">,
  place: Place,
  report: Report,
): void {
  if (!unreadable) report.add("manifest/needed", place, { user, server: name, file: manifestFile });
}
