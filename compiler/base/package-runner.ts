/** Programs that download a package and run a command of it: `npx -y --package=@acme/files@1.2.0 files-server`. */
export interface Runner {
  /** It may stop and ask whether to install. */
  readonly asks: boolean;
  /** What stands between a package and its version. */
  readonly version: "@" | "==";
  /** The option that names the package where the command is called otherwise. */
  readonly option: string;
  /** Whose packages lie in node_modules. */
  readonly installs: boolean;
}

const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  ["npx", { asks: true, version: "@", option: "--package", installs: true }],
  ["bunx", { asks: false, version: "@", option: "--package", installs: true }],
  ["uvx", { asks: false, version: "==", option: "--from", installs: false }],
]);

export function runnerOf(words: readonly string[]): Runner | undefined {
  return RUNNERS.get((words[0] ?? "").replace(/^.*[\\/]/, "").replace(/\.(cmd|exe)$/, ""));
}

/** The word that names what is downloaded. */
export interface Downloaded {
  readonly name: string;
  readonly index: number;
  /** It stands behind an option of its own; a word alone is a package, or a command that some package brings. */
  readonly isOption: boolean;
  /** Where the runner's own options end. */
  readonly end: number;
}

/** Options of the runners that take the next argument with them, or name the package themselves. */
const NAMES_PACKAGE = new Set(["-p", "--package", "--from"]);

export function downloadedBy(words: readonly string[]): Downloaded | undefined {
  let named: Omit<Downloaded, "end"> | undefined;
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    const assigned = /^--(?:package|from)=(.+)$/.exec(word)?.[1];
    if (assigned !== undefined) named ??= { name: assigned, index: i, isOption: true };
    else if (NAMES_PACKAGE.has(word)) {
      i++;
      if (words[i] !== undefined) named ??= { name: words[i]!, index: i, isOption: true };
    } else if (!word.startsWith("-")) {
      if (named) return { ...named, end: i };
      return word.includes("${") ? undefined : { name: word, index: i, isOption: false, end: i };
    }
  }
  return named && { ...named, end: words.length };
}

/** The exact version that is written; undefined for none, a tag or a range. */
export function versionOf(name: string, runner: Runner): string | undefined {
  return hasVersion(name, runner) ? writtenVersion(name, runner) : undefined;
}

/** One exact version: a tag such as `latest` or a range is whatever is newest. */
export function hasVersion(name: string, runner: Runner): boolean {
  const version = writtenVersion(name, runner);
  return (
    version !== undefined &&
    /^v?\d+(\.\d+)*([-+.]?[0-9A-Za-z.-]+)?$/.test(version) &&
    !/[xX*]$/.test(version) &&
    /\d+\.\d+/.test(version)
  );
}

function writtenVersion(name: string, { version: separator }: Runner): string | undefined {
  return separator === "==" && name.includes("==") ? name.split("==")[1] : name.slice(1).split("@")[1];
}

export function withoutVersion(name: string): string {
  return name.split("==")[0]!.replace(/(.)@.*$/, "$1");
}
