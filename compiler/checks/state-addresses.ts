import { nearest } from "../base/nearest.ts";
import type { Report } from "../diagnostics/report.ts";
import type { AddressRule, Model, Policy } from "../2-model/types.ts";
import { stateAddresses } from "../state/uris.ts";
import { mayClose } from "../../runtime/closed-address.ts";
import { matchesUri } from "../../runtime/uri-glob.ts";
import type { Check } from "./types.ts";

/** The server of `state:` has the addresses that this build knows. What finds none of them is a slip, as in a tool's name. */

/** Where it restricts, and where it names one: that is an error. */
export const checkStateAddresses: Check = ({ model }, report) => {
  const { addresses, rules } = stateIn(model);
  const closing = [
    ...rules.flatMap(({ exclude }) => exclude),
    ...model.policies.flatMap((policy) => meantHere(policy, model)),
  ];
  for (const rule of rules.flatMap(({ include }) => include))
    if (!isGlob(rule) && !addresses.includes(rule.written)) say(rule, model, report);
  for (const rule of closing) if (!closesOne(rule, addresses)) say(rule, model, report);
};

/** Said here, as what it is. */
export function closesNoStateAddress(server: string, rule: AddressRule, { project: { state }, roles }: Model): boolean {
  return state.isWritten && server === state.name && !closesOne(rule, addressesOf(state, roles));
}

/** A glob that opens nothing may be there for later. */
export const checkStateGlobs: Check = ({ model }, report) => {
  const { addresses, rules } = stateIn(model);
  for (const rule of rules.flatMap(({ include }) => include))
    if (isGlob(rule) && !addresses.some((address) => matchesUri(rule.written, address)))
      report.add("state/opens-no-address", rule.from, { role: rule.by ?? "", ...about(rule, model) });
};

function stateIn({ project: { state }, roles }: Model) {
  const own = roles.flatMap(({ addresses }) => addresses.filter(({ server }) => server === state.name));
  return state.isWritten ? { addresses: addressesOf(state, roles), rules: own } : { addresses: [], rules: [] };
}

function addressesOf({ name, members }: Model["project"]["state"], roles: Model["roles"]): readonly string[] {
  return stateAddresses(
    name,
    (members ?? roles).map((one) => one.name),
  );
}

/** What is said of every server may mean another one, unless its scheme is this one's. */
function meantHere({ addresses }: Policy, { project: { state } }: Model): readonly AddressRule[] {
  const found = [...addresses].find(([server]) => state.isWritten && server === state.name)?.[1] ?? [];
  const others = new Set([...addresses].flatMap(([server, rules]) => (server === state.name ? [] : rules)));
  return found.filter((rule) => !others.has(rule) || rule.written.startsWith(`${state.name}:`));
}

function isGlob({ written }: AddressRule): boolean {
  return written.includes("*");
}

function closesOne({ written }: AddressRule, addresses: readonly string[]): boolean {
  return addresses.some((address) => mayClose(written, address));
}

function say(rule: AddressRule, model: Model, report: Report): void {
  report.add("state/unknown-address", rule.from, about(rule, model));
}

function about(rule: AddressRule, { project: { state }, roles }: Model) {
  const there = addressesOf(state, roles);
  const globs = ["**", "decisions/**", "agents/**", "agents/*/status", "agents/*/history"];
  const known = isGlob(rule) ? globs.map((glob) => `${state.name}://${glob}`) : there;
  return {
    glob: rule.written,
    server: state.name,
    nearest: nearest(rule.written, known),
    known: stateAddresses(state.name, ["{name}"])
      .map((address) => `\`${address}\``)
      .join(", "),
  };
}
