/** Programs that download a package and run a command of it: `npx -y --package=@acme/files@1.2.0 files-server`. */
export interface Runner {
  /** It may stop and ask whether to install. */
  readonly asks: boolean;
  /** What stands between a package and its version. */
  readonly version: "@" | "==";
  /** The option that names the package where the command is called otherwise. */
  readonly option: string;
  /** Options that name the package, each time one. */
  readonly names: readonly string[];
  /** Options that name a further package. */
  readonly adds: readonly string[];
  /** Other options that take the next argument with them. */
  readonly takes: readonly string[];
  /** Whose packages lie in node_modules. */
  readonly installs: boolean;
}

const npm = {
  version: "@",
  option: "--package",
  names: ["-p", "--package"],
  adds: [],
  takes: ["--registry", "--cache", "--userconfig"],
  installs: true,
} as const;
const uv = {
  version: "==",
  option: "--from",
  names: ["--from"],
  adds: ["-w", "--with"],
  takes: ["-p", "--python", "--directory", "--index", "--default-index"],
  installs: false,
} as const;

const RUNNERS: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ["npx", { asks: true, ...npm }],
  ["bunx", { asks: false, ...npm }],
  ["uvx", { asks: false, ...uv }],
]);

/** Programs that are one by their first word. */
const SUBCOMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", ["exec", "x"]],
  ["pnpm", ["dlx", "exec"]],
  ["yarn", ["dlx"]],
  ["bun", ["x"]],
]);

export function runnerOf(words: readonly string[]): Runner | undefined {
  return runnerIn(words)?.runner;
}

/** `from`: where its options begin. Behind what starts another program and is none itself, such as `cmd /c` and `env A=b`. */
function runnerIn(words: readonly string[]): { readonly runner: Runner; readonly from: number } | undefined {
  let at = 0;
  if (programOf(words[at]) === "cmd" && /^\/c$/i.test(words[at + 1] ?? "")) at += 2;
  if (programOf(words[at]) === "env") {
    at++;
    while (/^\w+=/.test(words[at] ?? "")) at++;
  }
  const program = programOf(words[at]);
  const runner = RUNNERS.get(program);
  if (runner !== undefined) return { runner, from: at + 1 };
  const isSub = SUBCOMMANDS.get(program)?.includes(words[at + 1] ?? "") === true;
  return isSub ? { runner: { asks: program === "npm", ...npm }, from: at + 2 } : undefined;
}

function programOf(word: string | undefined): string {
  return (word ?? "").replace(/^.*[\\/]/, "").replace(/\.(cmd|exe)$/i, "");
}

/** The word that names what is downloaded. */
export interface Downloaded {
  readonly name: string;
  readonly index: number;
  /** It stands behind an option of its own; a word alone is a package, or a command that some package brings. */
  readonly isOption: boolean;
  /** Where the runner's own options end. */
  readonly end: number;
  /** Further packages. */
  readonly more: readonly string[];
}

/** npm's word for: only what is installed. */
const DOWNLOADS_NOTHING: readonly string[] = ["--no", "--no-install"];

export function downloadedBy(words: readonly string[]): Downloaded | undefined {
  const starting = runnerIn(words);
  if (starting === undefined) return undefined;
  const { runner, from } = starting;
  const named: { readonly name: string; readonly index: number }[] = [];
  const added: string[] = [];
  const found = (end: number): Downloaded | undefined => {
    const [first, ...others] = named;
    return first && { ...first, isOption: true, end, more: [...others.map(({ name }) => name), ...added] };
  };
  for (let i = from; i < words.length; i++) {
    const word = words[i]!;
    const [, option = word, assigned] = /^(--[a-z-]+)=(.+)$/s.exec(word) ?? [];
    if (runner.installs && DOWNLOADS_NOTHING.includes(word)) return undefined;
    const isKnown = [runner.names, runner.adds, runner.takes].some((options) => options.includes(option));
    if (!isKnown && !word.startsWith("-")) {
      if (named.length > 0) return found(i);
      return word.includes("${") ? undefined : { name: word, index: i, isOption: false, end: i, more: added };
    }
    const value = !isKnown ? undefined : (assigned ?? words[++i]);
    if (value === undefined) continue;
    if (runner.names.includes(option)) named.push({ name: value, index: i });
    else if (runner.adds.includes(option)) added.push(value);
  }
  return found(words.length);
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
    /^v?\d(?:[0-9A-Za-z.-]*|\d*(?:\.\d+)*\+[0-9A-Za-z.-]+)$/.test(version) &&
    !/[xX*]$/.test(version) &&
    /\d\.\d/.test(version)
  );
}

function writtenVersion(name: string, { version: separator }: Runner): string | undefined {
  return separator === "==" && name.includes("==") ? name.split("==")[1] : name.slice(1).split("@")[1];
}

/** An alias is what it stands for. Of a repository an `@` before its host is who signs in there. */
export function withoutVersion(written: string): string {
  const name = written.replace(/^(?:.*@)?npm:/, "");
  const [host = ""] = /^(?:[a-z][a-z+.-]*:\/\/[^/]*|[^@/:]+@[^@/:]+\.[^@/:]+:)/i.exec(name) ?? [];
  return (
    host +
    name
      .slice(host.length)
      .split("==")[0]!
      .replace(/(.)@.*$/, "$1")
  );
}
