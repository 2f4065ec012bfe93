import { accessChanges } from "../../capture/consequences.ts";
import { mergeThreeWays } from "../../adding/three-way.ts";
import { presetBaseFile, presetFile } from "../../base/project-layout.ts";
import type { JsonValue } from "../../base/json.ts";
import { keyLibraries } from "../../io/libraries.ts";
import { yamlValue, type Shipped } from "../../io/read/shipped-presets.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { editSource } from "../../source-edits/edit-source.ts";
import type { Plan } from "../../3-plan/types.ts";
import { EXIT, printJson, styleOf, tell, wrongUsage, type Compiled, type Context } from "../command.ts";
import { keepBase, writeReported } from "../presets/copy.ts";
import { notFound } from "../words.ts";
import { textOf } from "./place.ts";
import { refreshedJson, refreshedPage, type Refreshed } from "./refreshed-page.ts";
import type { AddOptions } from "./options.ts";

/** `--force`: presets as rolecall brings them today, with what was changed here. A preset is refreshed whole or not at all. */
export async function refreshPresets(
  context: Context,
  options: AddOptions,
  shipped: readonly Shipped[],
  { plan }: Compiled,
): Promise<number> {
  const servers = shipped.filter(({ kind }) => kind === "server");
  const known = servers.map(({ name }) => name);
  const unknown = options.words.find((word) => !known.includes(word));
  if (unknown !== undefined)
    return wrongUsage(context.terminal, notFound("preset", unknown, known), "rolecall presets lists them");
  const isThere = ({ name }: Shipped) => textOf(context.dir, presetFile(plan.project.folder, name)) !== undefined;
  const chosen = servers.filter((one) => (options.isAll ? isThere(one) : options.words.includes(one.name)));
  const refreshed = chosen.map((one) => refresh(context, one, plan));
  const isChanged = refreshed.some(({ state }) => state === "refreshed" || state === "replaced");
  const built = isChanged ? await context.engine.build(context.dir, { check: false, cache: true }) : undefined;
  const access = isChanged ? await accessBy(context, refreshed, plan) : [];
  const { out, err } = context.terminal;
  const errors = (built?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  if (context.json) printJson(context, refreshedJson(refreshed, access, built));
  else {
    tell(context, refreshedPage(refreshed, access, built, styleOf(context, out)));
    err.write(renderText(errors, styleOf(context, err)));
  }
  const isFine = refreshed.every(({ state }) => state !== "conflict" && state !== "failed");
  return isFine && errors.length === 0 ? EXIT.fine : EXIT.errors;
}

/** What roles hold otherwise with the presets as they are now. */
async function accessBy(context: Context, refreshed: readonly Refreshed[], before: Plan) {
  const { plan } = await context.engine.compile(context.dir);
  const using = plan.servers.filter(({ preset }) => refreshed.some(({ name }) => name === preset));
  return accessChanges(
    before,
    plan,
    using.map(({ name }) => name),
  );
}

function refresh(context: Context, one: Shipped, plan: Plan): Refreshed {
  const file = presetFile(plan.project.folder, one.name);
  const mine = textOf(context.dir, file);
  const base = textOf(context.dir, presetBaseFile(plan.project.folder, one.name));
  const next = nextText(one, mine, base);
  const about = { name: one.name, file, changes: next.changes, conflicts: next.conflicts };
  if (next.text === undefined) return { ...about, state: "conflict", why: next.why };
  const isNew = next.text !== mine;
  if (isNew && !writeReported(context, [{ path: file, text: next.text }])) return { ...about, state: "failed" };
  keepBase(context, one, plan);
  return { ...about, state: !isNew ? "same" : next.text === one.text ? "replaced" : "refreshed" };
}

interface Next extends Pick<Refreshed, "changes" | "conflicts" | "why"> {
  /** Undefined: it can't be said what the text should be. */
  readonly text: string | undefined;
}

const NOTHING = { changes: [], conflicts: [] } as const;

function nextText({ text, value }: Shipped, mine: string | undefined, base: string | undefined): Next {
  if (mine === undefined || mine === text) return { text, ...NOTHING };
  const [mineSays, baseSays] = [yamlValue(mine), base === undefined ? undefined : yamlValue(base)];
  if (mineSays === undefined) return { text: undefined, ...NOTHING, why: "unreadable" };
  if (baseSays === undefined) return withoutBase(mineSays, value, mine);
  const { edits, changes, conflicts } = mergeThreeWays(baseSays, mineSays, value);
  if (mine === base) return { text, changes, conflicts: [] };
  if (conflicts.length > 0) return { text: undefined, changes, conflicts };
  const edited = editSource("preset.yaml", mine, edits, keyLibraries().yaml());
  return edited.problem === undefined
    ? { text: edited.text, changes, conflicts }
    : { text: undefined, changes, conflicts, why: "unsafe" };
}

/** Which side changed what isn't known, so each difference may be wanted. */
function withoutBase(mine: JsonValue, theirs: JsonValue, text: string): Next {
  const { changes } = mergeThreeWays(mine, mine, theirs);
  if (changes.length === 0) return { text, ...NOTHING };
  const conflicts = changes.map(({ path, before, after }) => ({ path, before: undefined, mine: before, after }));
  return { text: undefined, changes: [], conflicts, why: "no-base" };
}
