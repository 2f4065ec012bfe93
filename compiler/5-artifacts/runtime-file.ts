import type { ProjectSettings } from "../3-plan/types.ts";
import { isVersion } from "../base/versions.ts";
import { HEADER_WITHIN } from "../base/bears-header.ts";
import { header, typeScriptHead } from "./header.ts";
import { madeWhenAsked } from "./made-when-asked.ts";
import type { WholeFile } from "./types.ts";
import { importSuffix } from "./typescript/writer.ts";

/** A file of the runtime as it comes with rolecall: our own text, not a stranger's. Its neighbours are imported as `.js`. */
export interface RuntimeFile {
  /** `runtime`, `runtime-types`, `runtime-connect`, `runtime-<host>`. */
  readonly name: string;
  readonly text: string;
  /** Of rolecall. */
  readonly version: string;
}

type Settings = Pick<ProjectSettings, "out" | "runtime" | "importExtension">;

/** Nothing when the project takes the runtime from the package. */
export function* runtimeArtifacts(files: readonly RuntimeFile[], project: Settings): Generator<WholeFile> {
  if (project.runtime === "package") return;
  const suffix = importSuffix(project.importExtension);
  for (const file of files)
    yield madeWhenAsked(`${project.out}/${file.name}.ts`, `runtime ${suffix}`, () => fileText(file, suffix));
}

/** What generated code imports the runtime, or a part of it, from. `to`: from the file's folder to `out`. */
export function runtimeFrom(project: Settings, to: "." | "..", part?: string): string {
  if (project.runtime === "package") return part === undefined ? "rolecall/runtime" : `rolecall/runtime/${part}`;
  return `${to}/runtime${part === undefined ? "" : `-${part}`}${importSuffix(project.importExtension)}`;
}

/**
 * The version stands in the first line and nowhere else: a later build knows by it whose the file is. A project's type
 * checker is spared the rest; the tests of rolecall check it, in every version that is promised.
 */
function fileText({ text, version }: RuntimeFile, suffix: string): string {
  const head = typeScriptHead.replace(/$/m, ` Runtime of version ${version}.`);
  return `${head}\n// @ts-nocheck\n${text.replace(NEIGHBOUR, `$1${suffix}$2`)}`;
}

const NEIGHBOUR = /(\b(?:from |import\()"\.\/[^"\n]*)\.js(")/g;

/** The name of a file in `out` says that it is one of the runtime. */
export function isRuntimeFile(name: string): boolean {
  return /^runtime(?:-[a-z-]+)?\.ts$/.test(name);
}

/** Of rolecall, as a runtime's first line says; several where git left two first lines in conflict. */
export function runtimeVersionsIn(text: string): string[] {
  const lines = text
    .slice(0, HEADER_WITHIN)
    .replace(/^\uFEFF/, "")
    .split("\n");
  const headers = lines.filter((line) => line.startsWith(FIRST_LINE)).map((line) => line.slice(FIRST_LINE.length));
  // A licence or an empty line may stand above the first header; only in a conflict there are two.
  const told = text.includes("<<<<<<<") ? headers : headers.slice(0, 1);
  return told.flatMap((rest) => / Runtime of version ([^ ]+)\.\s*$/.exec(rest)?.[1] ?? []).filter(isVersion);
}

const FIRST_LINE = header;
