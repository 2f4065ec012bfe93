import path from "node:path";
import type { Locate } from "../../base/place.ts";
import { visible } from "../../base/visible.ts";
import { readEachCall } from "../../calls/read-record.ts";
import { fitHosts } from "../../4-fit/fit.ts";
import { givenTools } from "../../4-fit/given.ts";
import type { Plan } from "../../3-plan/types.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import { codeRootOf, hasAppCode } from "../../io/read/app-code.ts";
import { openRecords, type NoRecord } from "../../io/read/open-records.ts";
import { readResources } from "../../io/read/resources.ts";
import { readUsage, type ReadUsage } from "../../io/read/read-usage.ts";
import { loadTypeScript } from "../../io/read/typescript-library.ts";
import { heldTools, judge, unusedTools, type UsageReport } from "../../usage/judge.ts";
import { createUsageTally, type RecordedUsage } from "../../usage/recorded.ts";
import type { Trimming } from "../../usage/trim.ts";
import { settle, type HeldTool } from "../../usage/settle.ts";
import { EXIT, printJson, say, styleOf, wrongUsage, type Context } from "../command.ts";
import { createProgress } from "../progress.ts";
import { wholeProject } from "../whole-project.ts";
import { nameThem, notFound } from "../words.ts";
import { unusedJson } from "./json.ts";
import { unusedPage } from "./page.ts";
import type { ShownUsage } from "./words.ts";
import { trimmingFor, writeTrimming } from "./write.ts";

export interface UnusedOptions {
  /** None: every role. */
  readonly roles: readonly string[];
  readonly calls: readonly string[];
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
  /** As it was typed. */
  readonly code: string | undefined;
  readonly write: boolean;
  readonly check: boolean;
}

/** Everything heavy of `rolecall unused`. */
export async function showUnused(context: Context, options: UnusedOptions): Promise<number> {
  const compiled = await wholeProject(context);
  if (compiled === undefined) return EXIT.errors;
  const { plan, locate } = compiled;
  const names = plan.roles.map(({ name }) => name);
  const stranger = options.roles.find((role) => !names.some((name) => name === role));
  if (stranger !== undefined)
    return wrongUsage(context.terminal, notFound("role", stranger, names), nameThem("role", names));
  const found = await gather(context, options, plan);
  if ("problem" in found) return couldNot(context, found);
  const trimming = trimmingFor(context.dir, found.report);
  const shown = { ...found, trimming, locate: locatedNow(found.report, trimming, locate), project: plan.project.name };
  const wrote = options.write ? await writeTrimming(context, plan, trimming) : undefined;
  show(context, { ...shown, wrote });
  if (wrote?.problem !== undefined) return EXIT.errors;
  return options.check && unusedTools(found.report).length > 0 ? EXIT.difference : EXIT.fine;
}

function show(context: Context, shown: ShownUsage): void {
  const { out } = context.terminal;
  const problem = shown.wrote?.problem;
  if (problem !== undefined) say(context.terminal, problem, "nothing was written");
  if (context.json) printJson(context, unusedJson(shown));
  else if (!context.quiet) out.write(unusedPage(shown, styleOf(context, out)));
}

/** Lines are found in the sources as they were: writing moves them. */
function locatedNow({ roles }: UsageReport, { entries }: Trimming, locate: Locate): Locate {
  const places = [
    ...roles.flatMap(({ tools }) => tools.flatMap(({ grants }) => grants.map(({ from }) => from))),
    ...entries.map(({ place }) => place),
  ];
  const found = new Map(places.map((place) => [place, locate(place)]));
  return (place) => found.get(place);
}

export interface GatheredUsage {
  readonly report: UsageReport;
  readonly files: number;
  readonly record: RecordedUsage | undefined;
  readonly library: string | undefined;
}

async function gather(context: Context, options: UnusedOptions, plan: Plan): Promise<GatheredUsage | NoRecord> {
  const held = heldTools(plan);
  const progress = createProgress(context);
  try {
    progress.tell("reading the code");
    const read = await readCode(context, options, plan);
    if ("problem" in read) return read;
    const record = await readCalls(context, options, held, (doing) => progress.tell(doing));
    if (record !== undefined && "problem" in record) return record;
    const code = settle(read.events, held);
    const report = judge(plan, { code, record, hostsOf: modelHosts(plan), asked: options.roles });
    const isKnown = read.files > 0 || record?.from !== undefined || (record?.roles.size ?? 0) > 0;
    if (!isKnown && unusedTools(report).length > 0) return NOTHING_KNOWN;
    return { report, files: read.files, record, library: read.library };
  } finally {
    progress.done();
  }
}

const NOTHING_KNOWN: NoRecord = {
  problem: "there is no code to read and no record of calls: nothing is known of what is used",
  next: "rolecall unused --code DIR, or --calls FILE",
};

/** The folder of generated code has to say what the sources say: names are found by it. */
async function readCode(
  { dir, engine, terminal }: Context,
  { code }: UnusedOptions,
  plan: Plan,
): Promise<(ReadUsage & { readonly library: string | undefined }) | NoRecord> {
  const root = code === undefined ? codeRootOf(dir) : path.resolve(terminal.cwd, code);
  const out = path.join(dir, plan.project.out);
  if (!hasAppCode(root, out)) return { events: [], files: 0, library: undefined };
  const library = loadTypeScript(dir);
  if (library === undefined)
    return {
      problem: "the code can't be read: neither ts-morph nor a TypeScript that can be asked is installed here",
      next: "npm install --save-dev ts-morph",
    };
  const { outcome } = await engine.build(dir, { check: true, cache: false });
  const stale = [...(outcome?.missing ?? []), ...(outcome?.differs ?? [])].filter((file) => isTyped(file, plan));
  if (outcome === undefined || stale.length > 0)
    return {
      problem: `the generated code isn't up to date (uses are found by it): \`${visible(stale[0] ?? plan.project.out)}\``,
      next: "rolecall build, then rolecall unused",
    };
  return { ...readUsage({ root, out }, knownTools(plan), library), library: library.name };
}

function isTyped(file: string, { project }: Plan): boolean {
  return file.startsWith(`${project.out}/`) && file.endsWith(".ts");
}

function knownTools({ roles, servers }: Plan) {
  return {
    roles: new Set<string>(roles.map(({ name }) => name)),
    servers: new Set<string>(servers.map(({ name }) => name)),
    tools: new Set<string>(servers.flatMap(({ tools }) => tools.map(({ name }) => name))),
  };
}

async function readCalls(
  { dir, terminal }: Context,
  { calls, since }: UnusedOptions,
  held: readonly HeldTool[],
  tell: (doing: string) => void,
): Promise<RecordedUsage | NoRecord | undefined> {
  if (calls.length === 0 && since === undefined) return undefined;
  const parts = await openRecords(calls, { dir, cwd: terminal.cwd });
  if ("problem" in parts) return parts;
  const tally = createUsageTally(held, since);
  const read = await readEachCall(parts, (call) => tally.add(call), tell);
  if (read.lines > 0 && read.unreadable.count === read.lines)
    return { problem: `no line of \`${visible(read.files[0]!)}\` is the record of a call`, next: "name another file" };
  return tally.usage();
}

/** By which chosen hosts' files a model holds it; what runs in the app's own process is given by the app's code. */
function modelHosts(plan: Plan): (held: HeldTool) => readonly string[] {
  const given = new Map<string, string[]>();
  for (const { host, roles } of fitHosts(plan, allHosts(readResources().hosts))) {
    for (const role of roles) {
      const { name } = role;
      if (host.start({ role: name, folder: plan.project.folder, project: plan.project.name }).code !== undefined)
        continue;
      for (const { server, tool } of givenTools(role)) {
        const key = `${name}\n${server.name}\n${tool.name}`;
        given.set(key, [...(given.get(key) ?? []), host.id]);
      }
    }
  }
  return ({ role, server, tool }) => given.get(`${role}\n${server}\n${tool}`) ?? [];
}

function couldNot({ terminal }: Context, { problem, next }: NoRecord): number {
  say(terminal, problem, next);
  return EXIT.couldNotCheck;
}
