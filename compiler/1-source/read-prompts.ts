import type { HostData } from "../base/host-data.ts";
import type { Place } from "../base/place.ts";
import { plainPath } from "../base/plain-path.ts";
import { generatedFolders } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import { nameCharacter, prepareText } from "./document/text.ts";
import type { FileAnswer, FileProblem, Prompt, SourceDocument, SourceFiles, SourceSettings } from "./types.ts";

/** In UTF-16 code units. It is told at the beginning of every session. */
const LONGEST = 100_000;
/** Not text; a prompt may hold whatever else is invisible. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

interface PromptReading {
  readonly documents: readonly SourceDocument[];
  readonly settings: SourceSettings;
  readonly files: SourceFiles;
  readonly hosts: readonly HostData[];
  readonly report: Report;
}

/** Reads every file that a role names as its prompt, each once; what is wrong with it is said at each role. */
export function readPrompts(reading: PromptReading): ReadonlyMap<string, Prompt | undefined> {
  const prompts = new Map<string, Prompt | undefined>();
  const answers = new Map<string, PromptAnswer>();
  for (const { file: source, blocks } of reading.documents) {
    for (const [role, { prompt }] of Object.entries(blocks.roles ?? {})) {
      if (prompt === undefined) continue;
      const file = plainPath(prompt);
      const answer = answers.get(file) ?? readPrompt(file, source, reading);
      answers.set(file, answer);
      prompts.set(file, answer.prompt);
      if (answer.prompt !== undefined) continue;
      const place: Place = { file: source, path: ["roles", role, "prompt"] };
      const { at, prompt: _, ...unfit } = answer;
      const also = at === undefined ? [] : [{ says: "it stands here", at }];
      reading.report.add("role/bad-prompt", place, { role, file, ...unfit }, also);
    }
  }
  return prompts;
}

type PromptAnswer = { readonly prompt: Prompt } | (Unfit & { readonly prompt?: never; readonly at?: Place });

/** Why a file can't be a prompt, in the catalogue's cases. */
type Unfit =
  | { readonly case: FileProblem | "empty" }
  | { readonly case: "beside"; readonly beside: string }
  | { readonly case: "character"; readonly character: string }
  | { readonly case: "generated"; readonly folder: string; readonly better: string }
  | { readonly case: "of-hosts"; readonly better: string };

function readPrompt(file: string, source: string, reading: PromptReading): PromptAnswer {
  const generated = generatedIn(file, reading);
  if (generated !== undefined) return generated;
  const answer = reading.files.read(file);
  if (answer.problem !== undefined) return unread(file, source, answer.problem, reading.files);
  const whole = prepareText(answer.text);
  const text = whole.trim();
  if (text === "") return { case: "empty" };
  if (text.length > LONGEST) return { case: "too-large" };
  const control = whole.search(CONTROL);
  if (control === -1) return { prompt: { file, text, start: whole.length - whole.trimStart().length } };
  return {
    case: "character",
    character: nameCharacter(whole[control]!),
    at: { file, path: [], range: [control, control + 1] },
  };
}

function generatedIn(file: string, { settings: { out, folder }, hosts }: PromptReading): PromptAnswer | undefined {
  const own = [out, ...generatedFolders(folder)].find((place) => file.startsWith(`${place}/`));
  const better = `${folder}/prompts/${file.slice(file.lastIndexOf("/") + 1)}`;
  if (own !== undefined) return { case: "generated", folder: own, better };
  const isOfHosts = hosts.some(({ places }) => places?.agents !== undefined && file.startsWith(`${places.agents}/`));
  return isOfHosts ? { case: "of-hosts", better } : undefined;
}

function unread(
  file: string,
  source: string,
  problem: NonNullable<FileAnswer["problem"]>,
  files: SourceFiles,
): PromptAnswer {
  if (problem !== "missing") return { case: problem };
  const beside = source.slice(0, source.lastIndexOf("/") + 1) + file;
  const isBeside = beside !== file && files.read(beside).problem === undefined;
  return isBeside ? { case: "beside", beside } : { case: "missing" };
}
