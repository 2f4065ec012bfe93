import { typeScriptHead } from "../header.ts";

export interface RuntimeFile {
  readonly name: string;
  /** Our own source, not a stranger's: imports of its neighbours end in `.ts`. */
  readonly text: string;
}

/** A file of the runtime as it is, but for our header and the way that the project writes imports. */
export function runtimeFile(file: RuntimeFile, suffix: string): string {
  const text = file.text.replace(/\r\n?/g, "\n").replace(relativeImport, `$1${suffix}$2`);
  return `${typeScriptHead}\n${text}${text.endsWith("\n") ? "" : "\n"}`;
}

const relativeImport = /(\b(?:from|import)\s*\(?\s*"\.{1,2}\/[^"\n]*)\.ts(")/g;
