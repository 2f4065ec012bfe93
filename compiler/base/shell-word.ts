import { visible } from "./visible.ts";

/** One word of a shell, whatever somebody called the folder. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./-]+$/.test(word) ? word : `'${word.replaceAll("'", () => "'\\''")}'`;
}

/** In a command that people are told to run: what can't be seen is a number then, by which a shell finds nothing. */
export function shownWord(word: string): string {
  return visible(shellWord(word));
}

/** A file's name there: none is taken for a flag. */
export function shownFile(file: string): string {
  return shownWord(file.startsWith("-") ? `./${file}` : file);
}
