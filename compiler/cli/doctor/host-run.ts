import { isReady } from "../../live-server/host-diagnosis.ts";
import { EXIT, printJson, styleOf, wrongUsage, type Context } from "../command.ts";
import { examine, hostsOfProject, roleOnHost } from "../role-on-host.ts";
import { hostDoctorJson } from "./host-json.ts";
import { hostDoctorPage } from "./host-page.ts";
import { record } from "./run.ts";

export interface HostOptions {
  readonly host: string;
  readonly role: string;
  readonly timeoutMs: number | undefined;
  readonly record: string | undefined;
}

/** `rolecall doctor --host`. */
export async function examineHost(context: Context, options: HostOptions): Promise<number> {
  const project = await hostsOfProject(context);
  if (project === undefined) return EXIT.errors;
  const chosen = roleOnHost(project.hosts, options, "doctor");
  if ("problem" in chosen) return wrongUsage(context.terminal, chosen.problem, chosen.next);
  const found = await examine(context, chosen, project.outcome, options.timeoutMs);
  const { out } = context.terminal;
  if (context.json) printJson(context, hostDoctorJson(found));
  else if (!context.quiet || !isReady(found)) out.write(hostDoctorPage(found, styleOf(context, out)));
  const diagnoses = (found.servers ?? []).map(({ diagnosis }) => diagnosis);
  const recorded = record(context, options.record, diagnoses);
  if (!isReady(found)) return EXIT.errors;
  return recorded ? EXIT.fine : EXIT.couldNotCheck;
}
