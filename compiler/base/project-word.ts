import { digestOf } from "./digest.ts";

const LONGEST = 64;
const DIGITS = 8;

/** What is left of a text in the characters that mean nothing to a shell or a file system. */
export function plainWord(text: string): string {
  return text.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-+|-+$/g, "") || "project";
}

/** A project's name as one word of a command, which no host expands: as it is where it is such a word. */
export function projectWord(name: string): string {
  if (name.length <= LONGEST && /^[A-Za-z0-9_@][A-Za-z0-9_.@/-]*$/.test(name)) return name;
  const digits = digestOf(name).slice("sha256:".length, "sha256:".length + DIGITS);
  return `${plainWord(name).slice(0, LONGEST - DIGITS - 1)}-${digits}`;
}
