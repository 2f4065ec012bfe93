import type { Place } from "../base/place.ts";
import { plainPath } from "../base/plain-path.ts";
import { generatedFolders } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import { nameCharacter, prepareText } from "./document/text.ts";
import { fileProblem } from "./file-words.ts";
import type { FileAnswer, Prompt, SourceSettings, SourceDocument, SourceFiles } from "./types.ts";

/** In UTF-16 code units. It is told at the beginning of every session. */
const LONGEST = 100_000;
/** Not text; a prompt may hold whatever else is invisible. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
/** Files in which hosts look for agents: builds write there, and what stands there is more than a prompt. */
const OF_HOSTS = /^\.(?:claude\/agents|github\/agents|cursor\/rules)\//;

interface PromptReading {
  readonly documents: readonly SourceDocument[];
  readonly settings: SourceSettings;
  readonly files: SourceFiles;
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
      const { problem, help, at } = answer;
      const also = at === undefined ? [] : [{ says: "it stands here", at }];
      reading.report.add("role/bad-prompt", place, { role, file, problem, help }, also);
    }
  }
  return prompts;
}

type PromptAnswer =
  | { readonly prompt: Prompt }
  | { readonly prompt?: never; readonly problem: string; readonly help: string; readonly at?: Place };

function readPrompt(file: string, source: string, reading: PromptReading): PromptAnswer {
  const generated = generatedIn(file, reading);
  if (generated !== undefined) return generated;
  const answer = reading.files.read(file);
  if (answer.problem !== undefined) return unread(file, source, answer.problem, reading.files);
  const whole = prepareText(answer.text);
  const text = whole.trim();
  if (text === "") return { problem: "it is empty", help: "write the charter, or take `prompt` out of the role" };
  if (text.length > LONGEST) return TOO_LONG;
  const control = whole.search(CONTROL);
  if (control === -1) return { prompt: { file, text, start: whole.length - whole.trimStart().length } };
  return {
    problem: `it holds ${nameCharacter(whole[control]!)}`,
    help: "name a text file, or remove that character",
    at: { file, path: [], range: [control, control + 1] },
  };
}

function generatedIn(file: string, { settings: { out, folder } }: PromptReading): PromptAnswer | undefined {
  const own = [out, ...generatedFolders(folder)].find((place) => file.startsWith(`${place}/`));
  const help = `move its text into a file of its own, such as ${folder}/prompts/${file.slice(file.lastIndexOf("/") + 1)}`;
  if (own !== undefined) return { problem: `all that lies in \`${own}\` is generated`, help };
  return OF_HOSTS.test(file) ? { problem: "hosts read agents there, and builds write there", help } : undefined;
}

const TOO_LONG: PromptAnswer = {
  problem: "it is longer than 100,000 characters",
  help: "keep to what an agent needs at the beginning of every session; it can read the rest when it needs it",
};

function unread(
  file: string,
  source: string,
  problem: NonNullable<FileAnswer["problem"]>,
  files: SourceFiles,
): PromptAnswer {
  if (problem === "too-large") return TOO_LONG;
  if (problem === "directory") return { problem: "it is a folder", help: "name a file in it" };
  if (problem !== "missing") return fileProblem(problem);
  const beside = source.slice(0, source.lastIndexOf("/") + 1) + file;
  const isBeside = beside !== file && files.read(beside).problem === undefined;
  const help = isBeside
    ? `paths begin at the project's folder: write \`${beside}\``
    : "write it, or correct the path, which begins at the project's folder";
  return { problem: "it isn't there", help };
}
