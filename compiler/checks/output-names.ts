import { roleValue, serverInterface } from "../base/identifiers.ts";
import { keyOf, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Check } from "./types.ts";

/** Names that differ only by `-` and `_` give one identifier or file in what is generated. */
export const checkOutputNames: Check = ({ model }, report) => {
  checkNames("role", model.roles, roleValue, report);
  checkNames("server", model.servers, serverInterface, report);
};

/** A file of that name can't be checked out on Windows, whatever its ending. */
const WINDOWS_DEVICES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

function checkNames(
  kind: string,
  things: readonly { readonly name: string; readonly place: Place }[],
  identifierOf: (name: string) => string,
  report: Report,
): void {
  const seen = new Map<string, { readonly name: string; readonly place: Place }>();
  for (const thing of things) {
    if (WINDOWS_DEVICES.test(thing.name))
      report.add("output/device-name", keyOf(thing.place), { kind, name: thing.name });
    const identifier = identifierOf(thing.name);
    const first = seen.get(identifier);
    if (!first) seen.set(identifier, thing);
    else
      report.add("output/same-name", keyOf(thing.place), { kind, one: first.name, other: thing.name, identifier }, [
        { says: "the other one", at: keyOf(first.place) },
      ]);
  }
}
