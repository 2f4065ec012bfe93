import { proposeFor } from "../../adding/propose.ts";
import type { NotToAdd } from "../../adding/types.ts";
import type { PlannedRole, Plan } from "../../3-plan/types.ts";
import { accessChanges } from "../../capture/consequences.ts";
import type { Settled } from "../../capture/types.ts";
import { presetFile } from "../../base/project-layout.ts";
import { shownFile } from "../../base/shell-word.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { renderJson } from "../../diagnostics/render-json.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import { readShipped, type Shipped } from "../../io/read/shipped-presets.ts";
import { ownValue } from "../../live-server/variable-values.ts";
import { settleServers } from "../capture/run.ts";
import { EXIT, printJson, styleOf, tell, wrongUsage, type Built, type Compiled, type Context } from "../command.ts";
import type { Copied } from "../presets/copied-page.ts";
import { copyOne, writeReported } from "../presets/copy.ts";
import { connectableProject } from "../whole-project.ts";
import { nameThem, notFound } from "../words.ts";
import { addedJson } from "./json.ts";
import type { AddOptions } from "./options.ts";
import { addedPage, endPage, type Added, type Ended } from "./page.ts";
import { placeServers, textOf, type Placed } from "./place.ts";
import { refreshPresets } from "./refresh.ts";
import { wantedServers, type Wanted } from "./wanted.ts";

/** Everything heavy of `rolecall add`. */
export async function addServers(context: Context, options: AddOptions): Promise<number> {
  const before = await connectableProject(context, "nothing was added", ["source/no-folder"]);
  if (before === undefined) return EXIT.errors;
  const shipped = readShipped();
  if (options.isForced) return refreshPresets(context, options, shipped, before);
  const prepared = await prepare(context, options, shipped, before.plan);
  if ("problem" in prepared) return wrongUsage(context.terminal, prepared.problem, prepared.next);
  const { wanted, placed } = prepared;
  const wrong = await newErrors(context, before, withPresets(context, placed.texts, wanted, before.plan));
  if (wrong.length > 0) return stopped(context, wrong);
  const presets = wanted.flatMap(({ preset }) => (preset ? [copyOne(context, preset, before.plan)] : []));
  const isWritten = writeReported(
    context,
    [...placed.texts].map(([file, text]) => ({ path: file, text })),
  );
  if (!isWritten || presets.some(({ state }) => state === "failed")) return EXIT.errors;
  const added = await addedTo(context, prepared, presets);
  if (!context.json) tell(context, addedPage(added, styleOf(context, context.terminal.out)));
  return putToUse(context, options, added, { wanted, before: before.plan });
}

/** What is to be written. Nothing was yet. */
interface Prepared {
  readonly wanted: readonly Wanted[];
  readonly placed: Placed;
  readonly role: PlannedRole | undefined;
}

async function prepare(
  context: Context,
  options: AddOptions,
  shipped: readonly Shipped[],
  plan: Plan,
): Promise<Prepared | NotToAdd> {
  const role = roleNamed(plan, options.role);
  if (role !== undefined && "problem" in role) return role;
  const wanted = await wantedServers(context, options, shipped, plan);
  if ("problem" in wanted) return wanted;
  const placed = placeServers(context, plan, wanted, role);
  return "problem" in placed ? placed : { wanted, placed, role };
}

async function addedTo(
  context: Context,
  { wanted, placed, role }: Prepared,
  presets: readonly Copied[],
): Promise<Added> {
  const { plan } = await context.engine.compile(context.dir);
  return {
    servers: plan.servers.filter(({ name }) => wanted.some((one) => one.name === name)),
    presets,
    files: [...placed.texts.keys()],
    role: role?.name,
    granted: placed.granted,
    isSet: (name) => ownValue(name, context.terminal.env) !== undefined,
  };
}

/** Captures what isn't pinned yet, builds, and says what is left to do. */
async function putToUse(
  context: Context,
  { timeoutMs }: AddOptions,
  added: Added,
  { wanted, before }: { readonly wanted: readonly Wanted[]; readonly before: Plan },
): Promise<number> {
  const unpinned = added.servers.filter(({ manifest }) => manifest === undefined).map(({ name }) => name);
  const how = { names: unpinned, check: false, accept: true, timeoutMs };
  const settled = unpinned.length === 0 ? [] : await settleServers(context, how);
  if (typeof settled === "number") return settled;
  const left = settled.filter(({ written }) => !written).map(({ captured }) => captured.server);
  const built = left.length > 0 ? undefined : await buildNow(context);
  const { plan } = await context.engine.compile(context.dir);
  const looked = plan.servers.filter(
    ({ name }) => !left.includes(name) && wanted.some((one) => one.name === name && one.preset === undefined),
  );
  const proposals = looked.map((server) => ({ server: server.name, proposed: proposeFor(server) }));
  // What a capture brings is shown with it.
  const pinned = added.servers.filter(({ name }) => !unpinned.includes(name)).map(({ name }) => name);
  const access = accessChanges(before, plan, pinned);
  const isDone = built?.outcome !== undefined;
  if (context.json) printJson(context, addedJson(added, settled, built, proposals));
  else finish(context, added, { settled, left, built, proposals, access });
  return isDone ? EXIT.fine : EXIT.errors;
}

function finish(context: Context, added: Added, ended: Ended & { readonly settled: readonly Settled[] }): void {
  const { out, err } = context.terminal;
  const errors = (ended.built?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  const unwritten = ended.settled.flatMap(({ problems }) => problems);
  err.write(renderText([...unwritten, ...errors], styleOf(context, err)));
  tell(context, endPage(added, ended, styleOf(context, out)));
}

async function buildNow(context: Context): Promise<Built> {
  return context.engine.build(context.dir, { check: false, cache: true });
}

function roleNamed(plan: Plan, name: string | undefined): PlannedRole | NotToAdd | undefined {
  if (name === undefined) return undefined;
  const names = plan.roles.map((role) => role.name);
  const role = plan.roles.find((one) => one.name === name);
  if (role === undefined) return { problem: notFound("role", name, names), next: nameThem("role", names) };
  if (role.place.origins === undefined) return role;
  return {
    problem: `the role \`${name}\` is read from ${role.place.file}, which isn't a source of rolecall's`,
    next: `turn it into one with rolecall import ${shownFile(role.place.file)}, or add without --role`,
  };
}

/** With presets that aren't in the project yet as they will be. */
function withPresets(
  context: Context,
  texts: ReadonlyMap<string, string>,
  wanted: readonly Wanted[],
  { project: { folder } }: Plan,
): ReadonlyMap<string, string> {
  const missing = wanted.flatMap(({ preset }): [string, string][] => {
    const file = preset && presetFile(folder, preset.name);
    return file !== undefined && textOf(context.dir, file) === undefined ? [[file, preset!.text]] : [];
  });
  return new Map([...missing, ...texts]);
}

/** What would be wrong with them that isn't now. That a manifest is missing is what comes next. */
async function newErrors(
  context: Context,
  before: Compiled,
  texts: ReadonlyMap<string, string>,
): Promise<readonly Diagnostic[]> {
  const identity = ({ code, says }: Diagnostic) => `${code} ${says}`;
  const known = new Set(before.diagnostics.map(identity));
  const { diagnostics } = await context.engine.compile(context.dir, texts);
  return diagnostics.filter(
    (one) => one.severity === "error" && !one.code.startsWith("manifest/") && !known.has(identity(one)),
  );
}

function stopped(context: Context, errors: readonly Diagnostic[]): number {
  const { out, err } = context.terminal;
  if (context.json) out.write(renderJson(errors));
  else
    err.write(
      `${renderText(errors, styleOf(context, err))}nothing was added: with it the project would have these errors\n`,
    );
  return EXIT.errors;
}
