import { keyOf, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** Names that differ only by `-` and `_` give one identifier or file in what is generated. */
export const checkOutputNames: Check = ({ model }, report) => {
  checkNames("role", model.roles, report);
  checkNames("server", model.servers, report);
};

function checkNames(
  kind: string,
  things: readonly { readonly name: string; readonly place: Place }[],
  report: Report,
): void {
  const seen = new Map<string, { readonly name: string; readonly place: Place }>();
  for (const thing of things) {
    const identifier = thing.name.replace(/[-_]+(.)?/g, (_, next: string | undefined) => (next ?? "").toUpperCase());
    const first = seen.get(identifier);
    if (!first) seen.set(identifier, thing);
    else
      report.add("output/same-name", keyOf(thing.place), { kind, one: first.name, other: thing.name, identifier }, [
        { says: "the other one", at: keyOf(first.place) },
      ]);
  }
}
