import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Digest, ToolName } from "../base/names.ts";
import { type GivesAsShown, type KeyPath, type Origins, type Place, rootOf } from "../base/place.ts";
import type { TakenBeside } from "../base/taken-beside.ts";
import type { Report } from "../diagnostics/report.ts";
import type {
  ApprovalBlock,
  Blocks,
  DiffBlock,
  InvariantBlock,
  PolicyBlock,
  Preset,
  Project,
} from "../../schemas/types.ts";

/**
 * What was written, and where. Every document has its right shape here (unknown keys, wrong types and
 * "nothing written" were reported and are gone), but no name has been looked up: don't decide anything from it.
 */
export interface Sources {
  readonly settings: SourceSettings;
  /** Hosts as they are asked for. */
  readonly hosts: NonNullable<Project["hosts"]>;
  /** rolecall.yaml first, then sources and guards (`guard: true`) by file, then files of other systems as they are listed. */
  readonly documents: readonly SourceDocument[];
  readonly presets: ReadonlyMap<string, PresetDocument>;
  /** By server of a file of another system that names none: the preset whose connection it has. */
  readonly presetsFound: ReadonlyMap<string, string>;
  /** By pin: `mcp/manifests/<pin>.json`. A manifest that was refused isn't here but in `refused`. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly refusedManifests: ReadonlySet<string>;
  /** Every manifest that lies there, whether a server uses it or not. */
  readonly manifestNames: readonly string[];
  /** By path: every file that a role names as its prompt. Undefined: it can't be one, and that was reported. */
  readonly prompts: ReadonlyMap<string, Prompt | undefined>;
  /** By command: the package in node_modules that brings it, for commands that a runner starts without a version. */
  readonly installed: ReadonlyMap<string, InstalledPackage>;
  /**
   * Of all that was read, but for the texts, schemas and digests of tools: whoever has the same one was told the same of
   * everything else. Undefined where the files don't say what their bytes are.
   */
  readonly fingerprint: string | undefined;
  /** Texts in the form of an issuer's token, in whichever source, comments included. */
  readonly tokens: readonly WrittenToken[];
  /** Declarations left out because their shape was wrong, as `roles.tester`: naming one is no second error. `*`: anything may be missing. */
  readonly broken: ReadonlySet<string>;
}

/** What a project is called, and where its things lie: paths in one spelling, nothing left open. */
export interface SourceSettings {
  readonly name: string;
  readonly out: string;
  readonly folder: string;
  readonly importExtension: "js" | "ts" | "none";
  /** `package`: generated code imports the runtime from rolecall, and none is written. */
  readonly runtime: "files" | "package";
  readonly envExample: string | undefined;
  /** What `rolecall diff` is told, as it was written. */
  readonly diff: DiffBlock | undefined;
  readonly serve: ServeSettings;
  readonly state: StateSettings;
}

/** The team's state, as `rolecall state` tells it. Paths are inside the project. */
export interface StateSettings {
  /** Then the project has a server of this name. */
  readonly isWritten: boolean;
  readonly name: string;
  readonly command: readonly string[];
  /** Undefined: one for each role, of its name. */
  readonly members: readonly StateMember[] | undefined;
  readonly decisions: string;
  readonly backlog: string;
  /** With `{name}`. */
  readonly history: string;
}

export interface StateMember {
  readonly name: string;
  readonly role: string;
  readonly charter: string | undefined;
}

/** How the project is served. It opens nothing; of `command` and `askHoldMs` files of hosts are made that start it. */
export interface ServeSettings {
  /** How hosts start rolecall: the words before `serve`. */
  readonly command: readonly string[];
  /** How long the process that serves waits after its last client. */
  readonly idleMs: number;
  /** A file that is named must be there. */
  readonly env: { readonly file: string; readonly isWritten: boolean };
  readonly record: string;
  readonly tellsPrompt: boolean;
  /** How long a call that is asked waits for a person before its client is told so. */
  readonly askHoldMs: number;
  /** How long a person is asked about a call. */
  readonly askTimeoutMs: number;
  /** From where a yes is taken. */
  readonly approvers: readonly ("terminal" | "page" | "program")[];
  readonly http: HttpSettings;
}

/** Who may come in over HTTP, and under which names it is reached. */
export interface HttpSettings {
  /** Undefined: tokens that are made at the first start, and loopback alone. */
  readonly auth: HttpAuth | undefined;
  /** Beside those of loopback. */
  readonly hosts: readonly string[];
  readonly url: string | undefined;
  /** Of a variable: the Redis that several share their rates in. */
  readonly limits: string | undefined;
  /** Of a variable: what several seal with it is known to be of one of them. */
  readonly key: string | undefined;
}

export type HttpAuth =
  /** By role, the variable that holds its token. */
  | { readonly tokens: readonly (readonly [role: string, variable: string])[] }
  | {
      readonly issuer: string;
      readonly audience: string | undefined;
      readonly rolesClaim: string;
      /** A URL, or a file of the project. */
      readonly jwks: string | undefined;
      /** The text of that file, with LF alone, which decides who comes in. Null: it can't be read. Undefined: it is none. */
      readonly keys: string | null | undefined;
    };

export interface WrittenToken {
  readonly token: string;
  readonly at: Place;
}

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
}

export interface SourceDocument {
  readonly file: string;
  readonly guard: boolean;
  /** Of a file of another system: where in it the blocks were written. */
  readonly origins?: Origins | undefined;
  /** The same: where its lists give tools by names as a host shows them. */
  readonly givesAsShown?: GivesAsShown | undefined;
  /** Of a file of another system: tools that it names and that change nothing. */
  readonly mentions?: readonly Mention[];
  /** Of a file of another system: tools that its policies ask about. */
  readonly asks?: readonly Mention[];
  /** Servers that it gives to roles without a word on their tools. */
  readonly wholeServers?: readonly WholeServer[];
  /** Of a host's file: what settings of that host, in other files, take away of its servers. It isn't held here. */
  readonly takenBeside?: readonly TakenBeside[];
  /** The files of these settings, there or not. */
  readonly beside?: readonly string[];
  /** It lies over the documents before it: what it says of a server is said on top. */
  readonly layer?: boolean;
  /** What several such documents give to one role adds up. */
  readonly rolesAddUp?: boolean;
  /** Items of `policies`, `invariants` and `approved` keep their place in the list; one whose shape was wrong is null. */
  readonly blocks: SoundBlocks;
}

/** A line of another system that names a tool for roles. */
export interface Mention {
  readonly selector: string;
  readonly roles: readonly string[];
  readonly place: Place;
}

/** A role that was given a server and no word on its tools. */
export interface WholeServer {
  readonly role: string;
  readonly server: string;
  /** As the file names it. */
  readonly theirs: string;
  readonly place: Place;
}

/** The place of a whole document, that of its blocks is within. */
export function documentPlace({
  file,
  origins,
  givesAsShown,
}: Pick<SourceDocument, "file" | "origins" | "givesAsShown">): Place {
  return rootOf({ file, path: [], ...(origins && { origins }), ...(givesAsShown && { givesAsShown }) });
}

/** Where in a file of another system its servers stand. */
export function serversWritten({ origins = [] }: SourceDocument): readonly KeyPath[] {
  return origins.filter(([made]) => made.length === 2 && made[0] === "servers").map(([, written]) => written);
}

export type SoundBlocks = Omit<Blocks, "policies" | "invariants" | "approved"> & {
  readonly policies?: readonly (PolicyBlock | null)[] | undefined;
  readonly invariants?: readonly (InvariantBlock | null)[] | undefined;
  readonly approved?: readonly (ApprovalBlock | null)[] | undefined;
};

/** What a role tells its agents, in the author's own words. Anything but a control character may be in it. */
export interface Prompt {
  readonly file: string;
  /** LF alone, and never empty: without white space at its ends. */
  readonly text: string;
  /** Where it begins in the file, by the count of `Place.range`. */
  readonly start: number;
}

export interface PresetDocument {
  readonly file: string;
  readonly preset: Preset;
}

/** A pinned answer of a real server. Tools are sorted by name, names are unique, digests verified. */
export interface Manifest {
  readonly pin: string;
  readonly file: string;
  /** Digest of the file's bytes, where that is known. */
  readonly fingerprint: string | undefined;
  /** Of everything in it but the texts, schemas and digests of tools. */
  readonly fingerprintBesideTools: string;
  readonly server: string | undefined;
  readonly serverInfo: JsonObject | undefined;
  readonly protocolVersion: string | undefined;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  readonly variables: readonly string[];
  readonly tools: readonly ManifestTool[];
}

export interface ManifestTool {
  readonly name: ToolName;
  readonly annotations: JsonObject;
  readonly digest: Digest;
  /** Its place in the list as sent. */
  readonly at: number;
  readonly promisesResult: boolean;
  /** The one argument that chooses between reading and writing, where there is one. */
  readonly choice: Choice | undefined;
  /** The word of its name that says it changes something, where the server calls it read-only. */
  readonly contradiction: string | undefined;
  /** Why its schemas could keep a validator busy, as `inputSchema refers back to itself`; undefined when they are quick. */
  readonly slow: string | undefined;
  /** They may have to be read for it, and the file gone since: then it throws. */
  texts(): ToolTexts;
}

/** What the server sent, schemas as canonical JSON (RFC 8785): text is what digests and outputs need, and it is small. */
export interface ToolTexts {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly inputSchema: string;
  /** In the model also what `results:` says of it. */
  readonly outputSchema: string | undefined;
}

export interface Choice {
  readonly argument: string;
  readonly reads: string;
  readonly writes: string;
}

/** What was found out about the bytes of a manifest in an earlier build, so that it needn't be found out again. */
export interface ManifestMemory {
  recall(digest: string): ExaminedManifest | undefined;
  remember(digest: string, facts: ExaminedManifest): void;
}

/** The values of documents of which there was nothing to say, by what they were read as and their digest. */
export interface DocumentMemory {
  recall(key: string): JsonValue | undefined;
  remember(key: string, value: JsonValue): void;
}

/** What earlier builds found out; never needed for a right result. */
export interface Memories {
  readonly manifests: ManifestMemory;
  readonly documents: DocumentMemory;
}

/** A manifest without its large texts: plain data. Tools are sorted by name. */
export interface ExaminedManifest {
  readonly fingerprintBesideTools: string;
  readonly server: string | null;
  readonly serverInfo: JsonObject | null;
  readonly protocolVersion: string | null;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
  readonly variables: readonly string[];
  readonly tools: readonly ExaminedTool[];
}

export interface ExaminedTool {
  readonly name: ToolName;
  /** Its place in the list as sent. */
  readonly at: number;
  readonly annotations: JsonObject;
  readonly digest: Digest;
  readonly promisesResult: boolean;
  readonly choice: Choice | null;
  readonly contradiction: string | null;
  readonly slow: string | null;
}

/** From text to value; undefined where it isn't one, which was reported. */
export type ReadDocument = (file: string, text: string, report: Report) => JsonValue | undefined;

/** The project's files, handed in: the compiler never opens one itself. */
export interface SourceFiles {
  read(path: string): FileAnswer;
  /** All YAML and JSON files below a folder, sorted, links followed inside the project; entries that can't be read carry the problem. */
  list(folder: string): readonly ListedFile[];
  /** All that lies in the same folders and isn't listed. */
  others(folder: string): readonly ListedFile[];
  /** `sha256:...` of the bytes of a file, where that is known: it was read, or is certain without reading it. */
  digestOf?(path: string): string | undefined;
  /** Files that a glob of rolecall.yaml (`guards`) names, sorted. */
  match(glob: string): readonly ListedFile[];
  /** The names of all that lies in one folder. Undefined: there is no such folder in the project. */
  names?(folder: string): readonly string[] | undefined;
  /** The next folder above the project's that has such a file, as `../..`: only to say so. */
  above?(file: string): string | undefined;
}

export interface ListedFile {
  readonly path: string;
  readonly problem?: FileProblem;
}

export type FileAnswer =
  | { readonly text: string; readonly problem?: never }
  /** `latin1`: the bytes of what isn't UTF-8, to look whether it was meant as a source. */
  | { readonly problem: FileProblem; readonly latin1?: string };

/** `outside`: a link that leaves the project. `loop`: links in a circle. `not-text`: not UTF-8. */
export type FileProblem = "missing" | "directory" | "unreadable" | "too-large" | "outside" | "loop" | "not-text";
