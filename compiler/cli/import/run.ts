import path from "node:path";
import { scopePreset, withScopePresets, type WithPresets } from "../../adding/scope-presets.ts";
import { isSourcePath, presetFile, presetIdOf, PROJECT_FILE } from "../../base/project-layout.ts";
import { LIST_NAME, newListOf } from "../../base/file-list.ts";
import { accessChanges } from "../../capture/consequences.ts";
import type { AccessChange } from "../../3-plan/compare-access.ts";
import type { SourceFiles } from "../../1-source/types.ts";
import { createReport } from "../../diagnostics/report.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { renderJson } from "../../diagnostics/render-json.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import { readerOf, takenKeys } from "../../first-project/take-over.ts";
import type { ProposedFile, ReadBy } from "../../first-project/types.ts";
import type { Plan } from "../../3-plan/types.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import type { Host } from "../../5-artifacts/target.ts";
import { visible } from "../../base/visible.ts";
import { readPlainText } from "../../io/bytes.ts";
import { lazyLibraries } from "../../io/libraries.ts";
import { openProject, withTexts } from "../../io/read/project-files.ts";
import { readShipped, yamlValue, type Shipped } from "../../io/read/shipped-presets.ts";
import { fileListText, unitedLists } from "../../io/write/file-list.ts";
import { writeFiles, type FileToWrite } from "../../io/write/write-files.ts";
import { sourceFile, sourceText } from "../../first-project/native-source.ts";
import {
  asInProject,
  declaredIn,
  translate,
  type BuiltFor,
  type ListedImport,
  type TranslatedAlone,
  type TranslatedSource,
} from "../../translate.ts";
import { EXIT, heard, printJson, say, styleOf, wrongUsage, type Context } from "../command.ts";
import { copiesOf } from "../presets/copy.ts";
import { secretsInSource } from "../secrets-in-source.ts";
import { besideDeclared, type DeclaredAlready } from "./declared.ts";
import { takenInJson } from "./json.ts";
import { listedText, listingOf, unlistedText, withoutListing, type FileEntry } from "./listing.ts";
import { takenInPage, type TakenIn } from "./page.ts";
import { staysIn } from "./stays.ts";

export interface ImportOptions {
  /** As it was typed: relative to where the command was called. */
  readonly file: string;
  readonly as: string | undefined;
  readonly role: string | undefined;
  /** Relative to the project. */
  readonly to: string | undefined;
  readonly renamed: ReadonlyMap<string, string>;
}

/** Everything heavy of `rolecall import`. */
export async function takeIn(context: Context, options: ImportOptions): Promise<number> {
  const { terminal, dir, engine } = context;
  const from = path.resolve(terminal.cwd, options.file);
  const shown = shownPath(from, dir);
  const text = readPlainText(from);
  if (text === undefined)
    return wrongUsage(terminal, `\`${visible(shown)}\` can't be read`, "name a file that is there");
  const { plan, diagnostics: before } = await engine.compile(dir);
  const noProject = before.filter(({ code }) => code === "source/no-project");
  if (noProject.length > 0) return fail(context, noProject, "");
  const files = withTexts(openProject(dir), new Map([[shown, text]]));
  const listing = listingOf(shown, files);
  const listed = listedAs(shown, options, listing);
  const reading = {
    files,
    project: plan.project,
    hosts: allHosts([]),
    built: builtFor(plan),
    renamed: options.renamed,
  };
  const { translated: alone, renames, diagnostics } = translate(listed, reading, lazyLibraries());
  if (alone === undefined || diagnostics.some(({ severity }) => severity === "error"))
    return fail(context, diagnostics, "nothing was written\n");
  const wrong = renameProblem(renames, shown);
  if (wrong !== undefined) return wrongUsage(terminal, wrong.says, wrong.next);
  const around = withTexts(files, new Map([[PROJECT_FILE, listedText(listed, files)]]));
  const translated = asInProject(alone, shown, { ...reading, files: around }, lazyLibraries());
  const to = options.to ?? sourceFile(shown, plan.project.folder);
  const inTheWay = placeInTheWay(context, to, { diagnostics, files, folder: plan.project.folder });
  if (inTheWay !== undefined) return inTheWay;
  const unlisted = withTexts(files, new Map([[PROJECT_FILE, unlistedText(shown, files)]]));
  // What a layer says again lies over the other.
  const documents = listing?.key === "layers" ? [] : declaredIn({ ...reading, files: unlisted }, lazyLibraries());
  const beside = besideDeclared(translated, listed, documents);
  if ("problem" in beside) {
    say(terminal, beside.problem, beside.next);
    return EXIT.errors;
  }
  return write(context, { ...beside, diagnostics, before, from: shown, to, plan, files, listed, listing });
}

/** A name that nothing is called would leave what it was for as it is, and of several nobody knows which is meant. */
function renameProblem({ unused: [unused], unclear: [unclear] }: TranslatedAlone["renames"], file: string) {
  if (unclear !== undefined) {
    const { tool, servers } = unclear;
    const whose = servers.map((server) => (server === "" ? "any server" : `\`${visible(server)}\``)).join(" and ");
    const each = servers.map((server) => `${visible(`${server}.${tool}`)}=NEW`).join(",");
    const next = servers.includes("")
      ? "name its server there, and import it again"
      : `say whose it is: --rename ${each}`;
    return { says: `\`${visible(tool)}\` is a tool of ${whose} in ${visible(file)}`, next };
  }
  if (unused === undefined) return undefined;
  const { name, near } = unused;
  const next = near === undefined ? "leave it out, or correct the name" : `did you mean \`${visible(near)}\`?`;
  return { says: `--rename names \`${visible(name)}\`, and the file names no such tool`, next };
}

/** An exit code, where nothing can be written there. */
function placeInTheWay(
  context: Context,
  to: string,
  { diagnostics, files, folder }: Pick<ReadyToWrite, "diagnostics" | "files"> & { readonly folder: string },
): number | undefined {
  const shown = visible(to);
  if (!isSourcePath(to, folder) || path.posix.normalize(to) !== to)
    return wrongUsage(context.terminal, `\`${shown}\` is no place for a source`, `sources lie in ${folder}/, as .yaml`);
  if (files.read(to).problem === "missing") return undefined;
  return fail(context, diagnostics, `\`${shown}\` is there already: name another file with --to\n`);
}

interface ReadyToWrite {
  readonly translated: TranslatedSource;
  readonly left: readonly DeclaredAlready[];
  readonly listed: ListedImport;
  readonly listing: FileEntry | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Of the project as it lies there. */
  readonly before: readonly Diagnostic[];
  readonly from: string;
  readonly to: string;
  readonly plan: Plan;
  readonly files: SourceFiles;
}

async function write(context: Context, ready: ReadyToWrite): Promise<number> {
  const { translated, left, diagnostics, before, from, to, plan, files, listed, listing } = ready;
  const { dir, engine } = context;
  const presets = presetsFor(translated, plan, files);
  const source = sourceText({ ...translated, blocks: presets.blocks }, from);
  const secrets = await secretsInSource(engine, { dir, folder: plan.project.folder, isProject: true }, source);
  if (secrets.length > 0)
    return fail(context, secrets, "nothing was written: these would be secrets in a file that you commit\n");
  const noted = notedIn(from, files, translated, plan);
  const becomes = becomesOf(noted, translated);
  const brought = [
    ...presets.brought.flatMap((preset) => copiesOf(preset, plan.project.folder)),
    { path: to, text: source },
  ];
  const built = await builtWith(context, brought, listed, files);
  const wrong = errorsLeft(before, built.diagnostics, brought);
  if (wrong.length > 0) return fail(context, wrong, "nothing was written: mend what is wrong in the project first\n");
  const differs = await accessBeside(context, built, listed, files);
  const unlisted = listing && withoutListing(listing, files);
  const problems = written(dir, [
    ...brought,
    ...(becomes === "written by builds" ? noted : []),
    ...(unlisted === undefined ? [] : [{ path: PROJECT_FILE, text: unlisted }]),
  ]);
  if (problems.length > 0) return fail(context, problems, "");
  const copied = presets.brought.map(({ name }) => presetFile(plan.project.folder, name));
  const entry = listing && { key: listing.key, isGone: unlisted !== undefined, glob: listing.entry.file };
  const taken = {
    from,
    to,
    entry,
    becomes,
    readBy: readByOf(from, plan),
    stays: becomes === "nothing" ? staysIn(from, translated.origins, chosenHosts(plan.project)) : undefined,
    left,
    differs,
    presets: { used: presets.used, copied },
  };
  show(context, translated, taken, diagnostics);
  return EXIT.fine;
}

interface FoundPresets extends WithPresets {
  /** Those of rolecall's that the project doesn't have. */
  readonly brought: readonly Shipped[];
}

/** Presets that say what the scopes of its servers cover. */
function presetsFor({ blocks }: TranslatedSource, { project: { folder } }: Plan, files: SourceFiles): FoundPresets {
  const there = files.list(folder).flatMap(({ path: file }) => {
    const [id, answer] = [presetIdOf(file, folder), files.read(file)];
    return id === undefined ? [] : [scopePreset(id, answer.problem === undefined ? yamlValue(answer.text) : undefined)];
  });
  const shipped = readShipped().filter(({ kind }) => kind === "server");
  const found = withScopePresets(
    blocks,
    there,
    shipped.map(({ name, value }) => scopePreset(name, value)),
  );
  const isNew = ({ name }: Shipped) =>
    found.used.some(({ preset }) => preset === name) && !there.some((one) => one.name === name);
  return { ...found, brought: shipped.filter(isNew) };
}

function show(context: Context, source: TranslatedSource, taken: TakenIn, diagnostics: readonly Diagnostic[]): void {
  const { out, err } = context.terminal;
  if (context.json) return printJson(context, takenInJson(source, taken, diagnostics));
  err.write(renderText(heard(context, diagnostics), styleOf(context, err)));
  if (!context.quiet) out.write(takenInPage(source, taken, styleOf(context, out)));
}

/** As rolecall.yaml lists it, unless a flag says otherwise. */
function listedAs(file: string, { as, role }: ImportOptions, listing: FileEntry | undefined): ListedImport {
  return { ...listing?.entry, file, ...(as !== undefined && { as }), ...(role !== undefined && { role }) };
}

type Built = Awaited<ReturnType<Context["engine"]["compile"]>>;

/** The project with what is to be written, and with the file listed nowhere. */
function builtWith(
  { engine, dir }: Context,
  brought: readonly FileToWrite[],
  listed: ListedImport,
  files: SourceFiles,
): Promise<Built> {
  const texts = brought.map((one): [string, string] => [one.path, one.text]);
  return engine.compile(dir, new Map([...texts, [PROJECT_FILE, unlistedText(listed.file, files)]]));
}

/** What a capture mends, or the import of another file. */
const MENDED_LATER = new Set(["manifest/needed", "server/unknown", "role/unknown"]);

/** Errors of the project that the file doesn't mend: beside them nobody knows what it comes to. */
function errorsLeft(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  brought: readonly FileToWrite[],
): readonly Diagnostic[] {
  const isWrong = ({ severity, code }: Diagnostic) => severity === "error" && !MENDED_LATER.has(code);
  const left = after.filter((one) => isWrong(one) && !brought.some(({ path: file }) => file === one.at?.file));
  if (left.length === 0) return [];
  const wrong = before.filter(isWrong);
  const same = wrong.filter((one) => left.some(({ code, says }) => code === one.code && says === one.says));
  return same.length > 0 ? same : wrong;
}

/** What roles hold otherwise than they did, or would, with the file listed under `imports`. Nothing, where a build of either stops. */
async function accessBeside(
  { engine, dir }: Context,
  built: Built,
  listed: ListedImport,
  files: SourceFiles,
): Promise<readonly AccessChange[]> {
  const read = await engine.compile(dir, new Map([[PROJECT_FILE, listedText(listed, files)]]));
  if ([...read.diagnostics, ...built.diagnostics].some(({ severity }) => severity === "error")) return [];
  return accessChanges(
    read.plan,
    built.plan,
    read.plan.servers.map(({ name }) => name),
  );
}

function becomesOf(noted: readonly ProposedFile[], { referred }: TranslatedSource): TakenIn["becomes"] {
  if (noted.length === 0) return "nothing";
  return referred.length > 0 ? "kept for its secrets" : "written by builds";
}

/** Writes them; what is wrong, if anything. */
function written(dir: string, files: readonly FileToWrite[]): readonly Diagnostic[] {
  const report = createReport(() => undefined);
  writeFiles(dir, files, report);
  return report.sorted();
}

/** The list of what builds wrote, with what is the next build's in this file; none: no chosen host writes there. */
function notedIn(file: string, files: SourceFiles, { origins }: TranslatedSource, { project }: Plan): ProposedFile[] {
  const taken = takenKeys(file, origins, chosenHosts(project));
  if (taken.length === 0) return [];
  const list = `${project.out}/${LIST_NAME}`;
  const answer = files.read(list);
  const before = answer.problem === undefined ? answer.text : undefined;
  const more = { files: new Set<string>(), keys: new Map([[file, new Set(taken)]]) };
  return [{ path: list, before, text: fileListText(unitedLists([newListOf(before ?? ""), more])) }];
}

function chosenHosts({ hosts }: Plan["project"]): readonly Host[] {
  return allHosts([]).filter(({ id }) => hosts.some((host) => host.id === id));
}

function builtFor({ roles, servers, project }: Plan): BuiltFor {
  return {
    roles: new Set(roles.map(({ name }) => name)),
    servers: new Set(servers.map(({ name }) => name)),
    hosts: chosenHosts(project),
    into: new Set(project.hosts.flatMap(({ into }) => into ?? [])),
  };
}

function readByOf(file: string, { project }: Plan): ReadBy | undefined {
  const into = project.hosts.find((host) => host.into === file);
  return readerOf(file, chosenHosts(project), into?.into);
}

/** Relative to the project, as rolecall.yaml names it, also where it lies outside: what was typed may be another file there. */
function shownPath(from: string, dir: string): string {
  return path.relative(dir, from).split(path.sep).join("/");
}

function fail(context: Context, diagnostics: readonly Diagnostic[], after: string): number {
  const { out, err } = context.terminal;
  if (context.json) out.write(renderJson(diagnostics));
  else err.write(renderText(diagnostics, styleOf(context, err)) + after);
  return EXIT.errors;
}
