import type { Plan } from "../../3-plan/types.ts";
import { isObject, own, type JsonValue } from "../../base/json.ts";
import { presetBaseFile, presetFile } from "../../base/project-layout.ts";
import { visible } from "../../base/visible.ts";
import { createReport } from "../../diagnostics/report.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { openProject } from "../../io/read/project-files.ts";
import { yamlValue, type Shipped } from "../../io/read/shipped-presets.ts";
import { writeFiles, type FileToWrite } from "../../io/write/write-files.ts";
import { printJson, styleOf, type Context } from "../command.ts";
import { connectableProject } from "../whole-project.ts";
import { copiedJson, copiedPage, wrongPage, type Copied } from "./copied-page.ts";
import { differences, withoutServers } from "./words.ts";

export function roleFile(folder: string, name: string): string {
  return `${folder}/roles/${name}.yaml`;
}

/** Puts each where it belongs, and nothing in place of what is there. False: something is missing or differs. */
export async function copyShipped(context: Context, shipped: readonly Shipped[]): Promise<boolean> {
  const compiled = await connectableProject(context, "nothing was copied", ["source/no-folder"]);
  if (compiled === undefined) return false;
  const { plan } = compiled;
  const copied = shipped.map((one) => copyOne(context, one, plan));
  const wrong = copied.filter(({ state }) => state !== "copied" && state !== "same");
  const { out, err } = context.terminal;
  if (context.json) printJson(context, copiedJson(copied));
  else if (!context.quiet) out.write(copiedPage(copied, styleOf(context, out)));
  else if (wrong.length > 0) err.write(wrongPage(wrong, styleOf(context, err)));
  return wrong.length === 0;
}

/** A server's preset where the project has no such file, and its base. */
export function copiesOf({ name, text }: Shipped, folder: string): FileToWrite[] {
  return [presetFile(folder, name), presetBaseFile(folder, name)].map((path) => ({ path, text }));
}

/** Beside a server's preset its base is kept, so that `add --force` knows later what was changed here. */
export function copyOne(context: Context, one: Shipped, plan: Plan): Copied {
  const file = fileFor(one, plan);
  const { text, without } = textFor(one, plan);
  const about = { name: one.name, kind: one.kind, file, without, isUsed: isUsed(one, plan) };
  const elsewhere = one.kind === "role" ? plan.roles.find(({ name }) => name === one.name)?.place.file : undefined;
  if (elsewhere !== undefined && elsewhere !== file) return { ...about, state: "declared", differs: [elsewhere] };
  const there = openProject(context.dir).read(file);
  const found = there.problem === undefined ? comparison(there.text, text) : undefined;
  const { folder } = plan.project;
  const files = one.kind === "server" ? copiesOf(one, folder) : [{ path: file, text }];
  if (found === undefined && !writeReported(context, files)) return { ...about, state: "failed", differs: [] };
  if (found?.state === "same") keepBase(context, one, plan);
  return { ...about, ...(found ?? { state: "copied", differs: [] }) };
}

/** Should it fail, the copy is there all the same, and a later refresh says what it misses. */
export function keepBase(context: Context, { kind, name, text }: Shipped, { project: { folder } }: Plan): void {
  const base = presetBaseFile(folder, name);
  const there = openProject(context.dir).read(base);
  if (kind === "server" && (there.problem !== undefined || there.text !== text))
    writeReported(context, [{ path: base, text }]);
}

function fileFor({ kind, name }: Shipped, { project: { folder } }: Plan): string {
  return kind === "server" ? presetFile(folder, name) : roleFile(folder, name);
}

/** All or none. False: they couldn't be written, and that was said. */
export function writeReported(context: Context, files: readonly FileToWrite[]): boolean {
  const report = createReport(() => undefined);
  const written = writeFiles(context.dir, files, report);
  const { err } = context.terminal;
  if (!written) err.write(renderText(report.sorted(), styleOf(context, err)));
  return written;
}

/** A role says nothing of servers that the project doesn't have; what it would say of them stays as comments. */
function textFor({ kind, name, text, value }: Shipped, plan: Plan): { text: string; without: readonly string[] } {
  if (kind === "server") return { text, without: [] };
  const declared = new Set<string>(plan.servers.map((server) => server.name));
  const without = toolsOf(name, value).filter((server) => !declared.has(server));
  return { text: withoutServers(text, new Set(without)), without };
}

function toolsOf(role: string, value: JsonValue): string[] {
  const at = (inside: JsonValue | undefined, key: string) => (isObject(inside) ? own(inside, key) : undefined);
  return Object.keys(at(at(at(value, "roles"), role), "tools") ?? {});
}

function isUsed({ kind, name }: Shipped, plan: Plan): boolean {
  return kind === "role" || plan.servers.some((server) => server.preset === name);
}

/** By their keys; a text that is no YAML differs as a whole. */
function comparison(theirs: string, ours: string): Pick<Copied, "state" | "differs"> {
  if (theirs === ours) return { state: "same", differs: [] };
  const [one, other] = [yamlValue(theirs), yamlValue(ours)];
  if (one === undefined || other === undefined)
    return { state: "differs", differs: ["all of it: it can't be read as YAML"] };
  const keys = differences(one, other).map(visible);
  return { state: "differs", differs: keys.length === 0 ? ["comments and layout only"] : keys };
}
