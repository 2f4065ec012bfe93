import type { Plan } from "../../3-plan/types.ts";
import { fitEveryHost } from "../../4-fit/fit.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import { readResources } from "../../io/read/resources.ts";
import { EXIT, printJson, styleOf, wrongUsage, type Context } from "../command.ts";
import { noHost } from "../role-on-host.ts";
import { hostPage, hostsJson, namedHostsPage } from "./page.ts";
import { nameThem } from "../words.ts";

interface Project {
  readonly plan: Plan;
  readonly errors: readonly Diagnostic[];
}

/** Every host as this project would have it, chosen ones first; or those that are named. */
export function showHosts(context: Context, { plan, errors }: Project, names: readonly string[]): number {
  const all = fitEveryHost(plan, allHosts(readResources().hosts));
  const ids: string[] = all.map(({ host }) => host.id);
  const unknown = names.find((name) => !ids.includes(name));
  if (unknown !== undefined) return wrongUsage(context.terminal, noHost(unknown), nameThem("host", ids.toSorted()));
  const fitted = names.length === 0 ? all : all.filter(({ host }) => names.includes(host.id));
  const { out } = context.terminal;
  if (context.json) printJson(context, hostsJson(plan, fitted, errors));
  else if (names.length > 0) out.write(namedHostsPage(plan, fitted, styleOf(context, out)));
  else out.write(hostPage(plan, fitted, styleOf(context, out)));
  return errors.length > 0 ? EXIT.errors : EXIT.fine;
}
