import type { JsonObject, JsonValue } from "../base/json.ts";

/** What a folder holds that says how its team works, as it was found: nothing is decided by it yet. */
export interface FoundFolder {
  /** What the folder itself is called. */
  readonly name: string;
  /** Its package.json, as far as it could be read. */
  readonly manifest: JsonObject | undefined;
  /** Hosts whose signs are there. */
  readonly hosts: readonly FoundHost[];
  /** What agents are called that lie where these hosts look: no role of ours can be called so. */
  readonly agents: ReadonlySet<string>;
  /** Files of other systems that rolecall reads. */
  readonly foreign: readonly FoundForeign[];
  /** Skills of folders in which rolecall reads every one: each such folder can be listed by a glob. */
  readonly skillFolders: readonly string[];
  /** Files that look like one and are left alone, with the reason. */
  readonly leftAlone: readonly { readonly file: string; readonly why: string }[];
  /** In words, what nobody looked at. */
  readonly passedBy: readonly string[];
  readonly formatters: readonly FoundFormatter[];
  /** What git passes by there; undefined: the folder isn't under git, as far as it shows. */
  readonly ignores: { readonly text: string | undefined } | undefined;
  readonly typescript: FoundTypeScript;
  /** The version by which package.json can name this rolecall; undefined: a registry may not have it. */
  readonly own: string | undefined;
}

/** What compiles generated code there, as far as its configuration says. */
export interface FoundTypeScript {
  /** The tsconfig.json that covers it. */
  readonly config: string | undefined;
  readonly imports: "js" | "ts" | "none";
  /** Where what it makes of generated code comes to lie; undefined: nobody knows. */
  readonly emits: "beside" | "elsewhere" | undefined;
  /** What to write, so that it's elsewhere. */
  readonly otherFolder: string;
  readonly problems: readonly { readonly says: string; readonly next: string }[];
}

export interface FoundHost {
  readonly id: string;
  readonly title: string;
  /** The file, folder or package that tells. */
  readonly sign: string;
  /** Files of its own that builds write, as lists of what formatters pass by have them. */
  readonly written: readonly string[];
  /** It knows no roles: one has to be chosen. */
  readonly needsRole: boolean;
}

/** A host that reads a file in which servers stand, and whether a build writes servers there. */
export interface ReadBy {
  readonly id: string;
  readonly title: string;
  readonly isWritten: boolean;
}

export interface FoundForeign {
  readonly file: string;
  /** The format's title. */
  readonly title: string;
  /** What it comes to in our language. */
  readonly blocks: JsonObject;
  /** Keys of a host's own file, in which builds write too: its servers become sources. None: it is read as it is. */
  readonly taken: readonly string[];
  /** The host whose file it is, where servers in it become sources. */
  readonly readBy: ReadBy | undefined;
  /** Settings beside it that take something away of its servers, and are heeded in the blocks. */
  readonly heeded: readonly string[];
  /** Where secrets stand in it, and what to call them: such a file is left to a person, since taking it over loses them. */
  readonly secrets: readonly { readonly variable: string; readonly at: string }[];
}

export interface FoundFormatter {
  readonly kind: "prettier" | "biome" | "eslint";
  /** The file that says what it passes by; undefined: it is code, and a person edits it. */
  readonly file: string | undefined;
  readonly text: string | undefined;
}

/** What `rolecall init` would write, and what it says of it. */
export interface Proposal {
  readonly files: readonly ProposedFile[];
  /** For people: what was found, and what becomes of it. */
  readonly says: readonly (readonly [label: string, values: readonly string[]])[];
  /** What a person does by hand. */
  readonly byHand: readonly string[];
  /** The same, for whoever calls tools from code. */
  readonly forCode: readonly string[];
  /** By file, keys of hosts' files that are the next build's. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files that a person imports, since nothing could be read as it is: without them there is nothing to build. */
  readonly toImport: readonly string[];
  /** package.json names what isn't installed yet. */
  readonly isToInstall: boolean;
  /** Servers that can be captured at once, since they come with the project. */
  readonly captured: readonly string[];
}

/** Changes one key of a JSON text and nothing else of it. */
export type SetKey = (text: string, path: readonly string[], value: JsonValue) => string;

/** `before`: as it lies there; undefined: a new file. */
export interface ProposedFile {
  readonly path: string;
  readonly before: string | undefined;
  readonly text: string;
}
