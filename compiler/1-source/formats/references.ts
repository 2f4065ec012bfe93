import type { KeyPath } from "../../base/place.ts";
import type { Respell } from "./connection.ts";
import type { Translation } from "./types.ts";

/** How a program writes a variable into a text. Any other dollar is a dollar. */
export interface References {
  /** Whatever looks like one, meant for this program or for another. */
  readonly like: RegExp;
  /** In our spelling; undefined: it is nothing that the program knows, or that can be said here. */
  ours(found: string, written: KeyPath): string | undefined;
  /** What to write in its place. */
  readonly help: string;
}

export function respelling(made: Translation, { like, ours, help }: References): Respell {
  const pattern = new RegExp(`${like.source}|\\$`, "g");
  return (text, written) => {
    if (isEndless(text)) {
      made.refuse(written, ENDLESS, help);
      return unread(text, written);
    }
    return text.replace(pattern, (found) => {
      if (found === "$") return "$$";
      const said = ours(found, written);
      if (said !== undefined) return said;
      made.refuse(written, `\`${found}\``, help);
      return unread(found, written);
    });
  };
}

/** Of what was refused nothing more is to be said: as text it could be a secret that is written out, or another's spelling. */
function unread(found: string, written: KeyPath): string {
  return /url$/i.test(String(written.at(-1))) ? plain(found) : "${UNREAD}";
}

/** As text that stands for itself. */
export function plain(text: string): string {
  return text.replace(/\$/g, () => "$$");
}

/** Refused: where no end comes, each beginning would look for it up to the text's. */
export const ENDLESS = "a reference of more than 4,000 characters";

export function isEndless(text: string): boolean {
  return /(?:\$\{|\{(?:env|file):)[^}]{4001}/.test(text);
}

const BRACES = /\$\{[^}]{0,4000}\}/;
const WITH_DEFAULT = /^\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^$}]*)?\}$/;

/** `${NAME}` and `${NAME:-text}`. */
export const inBraces: References = {
  like: BRACES,
  ours: (found) => (WITH_DEFAULT.test(found) ? found : undefined),
  help: "write it as `${NAME}`",
};

/** The same, and `$NAME`. */
export const asInShells: References = {
  ...inBraces,
  like: new RegExp(`${BRACES.source}|\\$[A-Za-z_][A-Za-z0-9_]*`),
  ours: (found) => (found.startsWith("${") ? inBraces.ours(found, []) : `\${${found.slice(1)}}`),
};

/** `${env:NAME}` and the person's home. */
export const ofEditors: References = {
  like: BRACES,
  ours: (found) => {
    const name = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(found)?.[1];
    return name === undefined ? (found === "${userHome}" ? "${HOME}" : undefined) : `\${${name}}`;
  },
  help: "write it as `${env:NAME}`, or a path from the project's folder",
};

/** A program that has none hands them on as text, and that is what they are here. It is said, for few mean it. */
export function ofNobody(made: Translation, help: string): References {
  return {
    like: BRACES,
    ours: (found, written) => {
      made.leave(written, `\`${found}\``, `it is text there, and stays text here; ${help}`);
      return plain(found);
    },
    help,
  };
}

/**
 * As editors write them, with `.` for `${workspaceFolder}` where it begins a path of a process: it starts in the project's
 * folder, as long as `cwd` says nothing else. `asked`: what becomes of `${input:id}`.
 */
export function inFolder(
  made: Translation,
  at: KeyPath,
  cwd?: string,
  asked?: (id: string, written: KeyPath) => string | undefined,
): Respell {
  const spell = respelling(made, {
    ...ofEditors,
    ours: (found, written) => {
      const id = asked && /^\$\{input:([^}]+)\}$/.exec(found)?.[1];
      // What is wrong with an input was said.
      return id === undefined ? ofEditors.ours(found, written) : (asked!(id, written) ?? unread(found, written));
    },
  });
  const isAtHome = cwd === undefined || /^(?:\.|\$\{workspaceFolder\})\/?$/.test(cwd);
  return (text, written) => {
    const key = written[at.length];
    const isPath = key === "cwd" || (isAtHome && (key === "command" || key === "args" || key === "env"));
    return spell(isPath ? fromFolder(text) : text, written);
  };
}

function fromFolder(text: string): string {
  return text.replace(/(^|=)\$\{workspaceFolder\}(?=$|[/\\])/, "$1.");
}
