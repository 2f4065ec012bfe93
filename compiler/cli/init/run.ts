import { DEFAULTS, isSourcePath, PROJECT_FILE } from "../../base/project-layout.ts";
import { pathWords } from "../../base/path-words.ts";
import { LIST_NAME } from "../../base/file-list.ts";
import { shownFile } from "../../base/shell-word.ts";
import { visible } from "../../base/visible.ts";
import { createReport } from "../../diagnostics/report.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { ownersLines } from "../../first-project/owners-lines.ts";
import { sourceText } from "../../first-project/native-source.ts";
import { propose } from "../../first-project/propose.ts";
import { readerOf, takenKeys } from "../../first-project/take-over.ts";
import type { FoundForeign, Proposal, ProposedFile } from "../../first-project/types.ts";
import type { Host } from "../../5-artifacts/target.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import { jsonFormat } from "../../5-artifacts/managed/json.ts";
import { keyLibraries, lazyLibraries } from "../../io/libraries.ts";
import { findCandidates, SKILL } from "../../io/read/find-candidates.ts";
import { lookAround } from "../../io/read/look-around.ts";
import { openProject } from "../../io/read/project-files.ts";
import { fileListText } from "../../io/write/file-list.ts";
import { writeFiles } from "../../io/write/write-files.ts";
import { findForeign, type FoundFile } from "../../translate.ts";
import { captureServers } from "../capture/run.ts";
import { EXIT, printJson, say, styleOf, wrongUsage, type Context } from "../command.ts";
import { secretsInSource } from "../secrets-in-source.ts";
import { saysYes } from "../yes.ts";
import { proposalJson } from "./json.ts";
import { linesPage, proposalPage, startedPage } from "./page.ts";

/** Everything heavy of `rolecall init`. */
export async function startProject(context: Context, isSure: boolean): Promise<number> {
  const { terminal, dir } = context;
  const files = openProject(dir);
  if (files.read(PROJECT_FILE).problem !== "missing")
    return inTheWay(context, `there is a ${PROJECT_FILE} already`, "rolecall build compiles it");
  const hosts = allHosts([]);
  const around = lookAround(dir, hosts);
  const chosen = hosts.filter(({ id }) => around.hosts.some((found) => found.id === id));
  const reading = { files, project: DEFAULTS, hosts };
  const candidates = findCandidates(dir);
  const foreign = findForeign(reading, lazyLibraries(), candidates.files);
  const against = (await Promise.all(foreign.map((one) => reasonAgainst(one, context)))).map((reasons, i) =>
    reasons.map((one) => ({ ...one, why: one.why + secretsBesides(foreign[i]!) })),
  );
  const taken = foreign.filter((_, i) => against[i]!.length === 0).map((one) => describe(one, chosen));
  const leftAlone = against.flat();
  const { set } = jsonFormat(keyLibraries().jsonc());
  const skillFolders = foldersOfSkills(candidates.files, taken);
  const proposed = propose(
    { ...around, foreign: taken, skillFolders, leftAlone, passedBy: candidates.passedBy },
    around.packageText,
    set,
  );
  const proposal = { ...proposed, files: [...proposed.files, ...notedFiles(proposed)] };
  const there = proposal.files.find(
    ({ path, before }) => before === undefined && files.read(path).problem !== "missing",
  );
  if (there !== undefined)
    return inTheWay(context, `${visible(there.path)} is there already`, "move it away, or write rolecall.yaml by hand");
  if (!context.json && !context.quiet) terminal.out.write(proposalPage(proposal, styleOf(context, terminal.out)));
  if (!isSure && !context.json) {
    const answer = await saysYes(context, "Write this?");
    if (answer === undefined) return wrongUsage(terminal, "nobody can be asked here", "rolecall init --yes");
    if (!answer) return EXIT.difference;
  }
  return write(context, proposal);
}

/** Whatever `import` would say of a file a person is to read first: what it can't say may be a restriction, or a secret. */
async function reasonAgainst(
  { file, found }: FoundFile,
  { engine, dir }: Context,
): Promise<readonly { readonly file: string; readonly why: string }[]> {
  const said = found.diagnostics.find(({ severity }) => severity !== "note");
  const alone = (why: string) => [{ file, why: `${why}; see: rolecall import ${shownFile(file)}` }];
  if (said !== undefined || found.translated === undefined) return alone(said?.says ?? "it can't be read");
  if (isSourcePath(file, DEFAULTS.folder))
    return [{ file, why: `${DEFAULTS.folder}/ is for sources of rolecall's: move it away, then rolecall import it` }];
  if (/[*?\\]/.test(file)) return alone("where files are listed, its name would be a pattern");
  const place = { dir, folder: DEFAULTS.folder, isProject: false };
  const [secret] = await secretsInSource(engine, place, sourceText(found.translated, file));
  return secret === undefined ? [] : alone("it holds a secret");
}

/** Whatever keeps a file from being taken over: a secret that stands in it as it is, by its place. */
function secretsBesides({ found }: FoundFile): string {
  const places = found.translated?.referred.map(({ written }) => pathWords(written)) ?? [];
  return places.length === 0 ? "" : `; it holds a secret as it is, at ${places.join(", ")}`;
}

function describe({ file, found }: FoundFile, hosts: readonly Host[]): FoundForeign {
  const { format, blocks, origins, referred } = found.translated!;
  return {
    file,
    title: format.title,
    blocks,
    taken: takenKeys(file, origins, hosts),
    readBy: readerOf(file, hosts),
    heeded: [...new Set(origins.flatMap(([, , beside]) => beside ?? []))],
    secrets: referred.map(({ variable, written }) => ({ variable, at: pathWords(written) })),
  };
}

/** The list of what builds write, with the keys of hosts' files that are the next build's. */
function notedFiles({ taken }: Proposal): ProposedFile[] {
  if (taken.size === 0) return [];
  const text = fileListText({ files: [], keys: taken });
  return [{ path: `${DEFAULTS.out}/${LIST_NAME}`, before: undefined, text }];
}

/** Folders at the top of which every skill, wherever below, is one that is read. */
function foldersOfSkills(all: readonly string[], taken: readonly FoundForeign[]): string[] {
  const skills = all.filter((file) => file.endsWith(`/${SKILL}`));
  const read = new Set(taken.filter(({ secrets }) => secrets.length === 0).map(({ file }) => file));
  const folders = new Set(skills.map((file) => file.slice(0, file.indexOf("/"))));
  return [...folders].filter((folder) => skills.every((file) => !file.startsWith(`${folder}/`) || read.has(file)));
}

async function write(context: Context, proposal: Proposal): Promise<number> {
  const { terminal, dir } = context;
  const report = createReport(() => undefined);
  if (!writeFiles(dir, proposal.files, report)) {
    terminal.err.write(renderText(report.sorted(), styleOf(context, terminal.err)));
    return EXIT.errors;
  }
  if (context.json) printJson(context, proposalJson(proposal));
  else if (!context.quiet)
    terminal.out.write(startedPage(proposal, styleOf(context, terminal.out)) + linesPage(ownersLines(DEFAULTS)));
  if (proposal.captured.length === 0 || context.json) return EXIT.fine;
  const options = { names: proposal.captured, check: false, accept: true, timeoutMs: undefined };
  return captureServers(context, options);
}

function inTheWay(context: Context, what: string, next: string): number {
  say(context.terminal, what, next);
  return EXIT.errors;
}
