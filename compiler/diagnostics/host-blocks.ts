import { groupBy } from "../base/group-by.ts";
import { firstOf } from "../base/list-words.ts";
import type { Diagnostic, HostRemark, HostRemarks, Severity } from "./types.ts";

/** What is said of hosts, in few lines. */
export interface HostPage {
  readonly blocks: readonly HostBlock[];
  /** A help of each code, once for all hosts. */
  readonly help: readonly string[];
  /** The command that shows what was cut; undefined when this is all. */
  readonly more: string | undefined;
}

/** One host, or several of which just the same is said. */
export interface HostBlock {
  readonly severity: Severity;
  readonly codes: readonly string[];
  readonly titles: readonly string[];
  /** A label, and what stands beside it, line by line. */
  readonly facts: readonly (readonly [label: string, lines: readonly string[]])[];
}

/** In the order of the diagnostics. */
export function hostPage(diagnostics: readonly Diagnostic[]): HostPage {
  const ofHosts = diagnostics.filter(isOfHost);
  const byHost = groupBy(ofHosts, ({ host }) => host.id);
  const alike = groupBy(byHost, (said) =>
    JSON.stringify(said.map(({ code, severity, host }) => [code, severity, host.remarks, host.next])),
  );
  const helps = groupBy(ofHosts, ({ code }) => code).flatMap(([first]) => first?.help ?? []);
  const cut = byHost.filter((said) => said.some(({ host }) => shortened(host).isCut)).map(([first]) => first!.host.id);
  return {
    blocks: alike.map(blockOf),
    help: helps,
    more: cut.length === 0 ? undefined : `rolecall hosts ${cut.join(" ")}`,
  };
}

type OfHost = Diagnostic & { readonly host: HostRemarks };

function isOfHost(diagnostic: Diagnostic): diagnostic is OfHost {
  return diagnostic.host !== undefined;
}

function blockOf(hosts: readonly (readonly OfHost[])[]): HostBlock {
  const all = hosts[0]!;
  const said = ["error", "warning", "note"].flatMap((one) => all.filter(({ severity }) => severity === one));
  return {
    severity: gravest(said),
    codes: [...new Set(said.map(({ code }) => code))],
    titles: hosts.map(([first]) => first!.host.title),
    facts: said.flatMap(({ host }) => [
      [host.label, shortened(host).lines] as const,
      ...(host.next === undefined ? [] : [[TO_WRITE, [host.next]] as const]),
    ]),
  };
}

function gravest(diagnostics: readonly Diagnostic[]): Severity {
  const has = (wanted: Severity) => diagnostics.some(({ severity }) => severity === wanted);
  return has("error") ? "error" : has("warning") ? "warning" : "note";
}

/** The label of a line of YAML. */
export const TO_WRITE = "write";

/** More than this is for the page of hosts. */
const MOST_LINES = 3;
const MOST_PARTS = 3;
const MOST_NAMES = 3;

/** A line for each set of roles, with all that is true of them. */
function shortened({ remarks }: HostRemarks): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const groups = groupBy(remarks, ({ roles }) => roles.join(" "));
  const more = groups.length - MOST_LINES;
  return {
    lines: [...groups.slice(0, MOST_LINES).map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])],
    isCut: more > 0 || groups.some((group) => group.length > MOST_PARTS || group.some(isLong)),
  };
}

function isLong({ roles, names }: HostRemark): boolean {
  return roles.length > MOST_NAMES || names.length > MOST_NAMES;
}

function lineOf(group: readonly HostRemark[]): string {
  const { roles } = group[0]!;
  const shown = group.slice(0, MOST_PARTS);
  const located = shown.find(({ causes }) => causes.length > 0);
  const parts = shown.map((one) => `${firstOf(one.names)} (${one.says}${one === located ? lineOfCause(one) : ""})`);
  const more = group.length - MOST_PARTS;
  const who = roles.length === 0 ? "" : `${firstOf(roles)}: `;
  return `${who}${parts.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** A longer path would push the reason off the line. */
const LONGEST_PLACE = 40;

/** The first, once for a line: the others are in JSON. */
function lineOfCause({ causes: [first] }: HostRemark): string {
  const place = first && `${first.file}:${first.line}`;
  return place === undefined || place.length > LONGEST_PLACE ? "" : `, ${place}`;
}
