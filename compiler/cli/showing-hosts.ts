import type { Plan } from "../3-plan/types.ts";
import { fitEveryHost } from "../4-artifacts/fitting/fit.ts";
import { allHosts } from "../4-artifacts/hosts.ts";
import { readResources } from "../io/resources.ts";
import { printJson, styleOf, type Context } from "./command.ts";
import { hostPage, hostsJson } from "./views/host-page.ts";

/** Every host as this project would have it, chosen ones first. */
export function showHosts(context: Context, plan: Plan): void {
  const fitted = fitEveryHost(plan, allHosts(readResources().hosts));
  const { out } = context.terminal;
  if (context.json) printJson(context, hostsJson(plan, fitted));
  else out.write(hostPage(plan, fitted, styleOf(context, out)));
}
