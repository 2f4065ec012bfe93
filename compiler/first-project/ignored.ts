import type { FoundFolder, ProposedFile } from "./types.ts";

/** Where `serve` puts the record of calls: what agents sent, which isn't for the repository. */
const RECORDS = ".runs/";
const FILE = ".gitignore";

/** Undefined: the folder isn't under git, or records are kept out of it already. */
export function ignoreEdit({ ignores }: Pick<FoundFolder, "ignores">): ProposedFile | undefined {
  if (ignores === undefined) return undefined;
  const { text } = ignores;
  if (text === undefined) return { path: FILE, before: undefined, text: `${RECORDS}\n` };
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines.some((line) => /^\/?\.runs\/?$/.test(line))) return undefined;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  return { path: FILE, before: text, text: `${text}${text === "" || text.endsWith("\n") ? "" : end}${RECORDS}${end}` };
}
