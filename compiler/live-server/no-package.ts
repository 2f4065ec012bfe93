import { downloadedBy, runnerOf, withoutVersion } from "../base/package-runner.ts";
import { shownWord } from "../base/shell-word.ts";

/** A runner that found no package says so in many lines; this is the one that counts, and the next step. */
export interface NoPackage {
  readonly says: string;
  readonly next: string;
}

/** What begins the command of a server that is downloaded when it isn't there. */
export const DOWNLOADERS: ReadonlySet<string> = new Set(["npx", "uvx", "bunx", "docker"]);

/** What the runners themselves say of a package that isn't there. */
const NO_PACKAGE = /\bE404\b|\bETARGET\b|not found in the package registry|canceled due to missing packages/;
const NO_IMAGE = /manifest unknown|repository does not exist/;

/** What the runners say where they don't reach the place that they download from; a server's own words are about other places. */
const NO_REGISTRY: readonly (readonly [who: string, says: RegExp])[] = [
  [
    "npm",
    /^npm (?:error|ERR!) .*\b(?:EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ERR_SOCKET_TIMEOUT)\b/m,
  ],
  [
    "uv",
    /^[ \t]*(?:error: |├─▶ |╰─▶ |× )*(?:Failed to fetch: |Request failed after \d+ retries|dns error|error sending request for url)/m,
  ],
  [
    "docker",
    /^(?:docker: )?(?:Error response from daemon|error pulling image|Unable to find image)[\s\S]*\b(?:dial tcp|no such host|i\/o timeout|Client\.Timeout exceeded|failed to do request|network is unreachable)/m,
  ],
];

/** Undefined: what was said isn't about a registry that can't be reached. */
function noRegistry(said: string): NoPackage | undefined {
  const who = NO_REGISTRY.find(([, says]) => says.test(said))?.[0];
  if (who === undefined) return undefined;
  return {
    says: `${who} can't reach its registry`,
    next: "check your network or proxy; `rolecall image` lists what to install beforehand",
  };
}

/** `commands`: those by which the server is started. Undefined: what was said isn't about a package. */
export function noPackage(said: string, commands: readonly (readonly string[])[]): NoPackage | undefined {
  const unreached = commands.some((words) => DOWNLOADERS.has(words[0]!)) ? noRegistry(said) : undefined;
  if (unreached !== undefined) return unreached;
  if (NO_IMAGE.test(said))
    return { says: "there is no such image, or no such tag of it", next: "check its name in `stdio`" };
  if (!NO_PACKAGE.test(said)) return undefined;
  const written = commands.flatMap((words) => packageIn(words));
  // A package may need another that isn't there.
  const named = namedIn(said);
  const absent = notInstalled(named, commands);
  if (absent !== undefined) return absent;
  const meant = written.find(({ name }) => named === undefined || withoutVersion(named) === name);
  if (meant === undefined)
    return { says: `there is no package${named === undefined ? "" : ` \`${named}\``}`, next: HAND };
  const { name, from } = meant;
  if (from === "uv")
    return { says: `uv finds no package \`${name}\``, next: "check its name in `stdio`: it is looked for on PyPI" };
  if (/\bETARGET\b/.test(said)) {
    const version = meant.word.slice(name.length + 1);
    const what = version === "" ? "no version to install" : `no version ${version}`;
    return {
      says: `npm has ${what} of \`${name}\``,
      next: `write one that it has: npm view ${shownWord(name)} versions`,
    };
  }
  return {
    says: `npm has no package \`${name}\``,
    next: `check its name in \`stdio\`, as with: npm search ${shownWord(name.replace(/^@[^/]*\//, ""))}; a private one needs npm login`,
  };
}

/** With `--no` nothing is downloaded: it is to be there. */
function notInstalled(named: string | undefined, commands: readonly (readonly string[])[]): NoPackage | undefined {
  const words = commands.find(
    ([runner, no, name]) =>
      runner === "npx" && no === "--no" && (named === undefined || withoutVersion(named) === name),
  );
  if (words === undefined) return undefined;
  const [, , name = "", command, flag, team] = words;
  const says = `\`npx --no\` finds no \`${name}\` here`;
  const isState = name === "rolecall" && command === "state" && flag === "--name" && team !== undefined;
  if (!isState) return { says, next: `install \`${name}\` in the project` };
  return {
    says,
    next: `install it in the project; or take the server out, and write \`state: { name: ${team} }\` in rolecall.yaml: builds pin it, and it is started as \`serve: { command }\` says`,
  };
}

const HAND = "run its command by hand to see which it needs";

/** As npm names it: `["pkg@1.0.0"]`, `'pkg@1.0.0' could not be found`, `No matching version found for pkg@1.0.0.` */
function namedIn(said: string): string | undefined {
  const [, missing, unmatched, canceled] =
    /'([^'\s]+)' (?:could not be found|is not in)|No matching version found for ([^\s]+?)\.?(?=\s|$)|missing packages and no YES option: \["([^"\s]+)"/.exec(
      said,
    ) ?? [];
  return missing ?? unmatched ?? canceled;
}

interface WrittenPackage {
  readonly word: string;
  readonly name: string;
  readonly from: "npm" | "uv";
}

function packageIn(words: readonly string[]): WrittenPackage[] {
  const runner = runnerOf(words);
  const found = downloadedBy(words);
  if (runner === undefined || found === undefined) return [];
  const name = withoutVersion(found.name);
  return [{ word: found.name, name, from: runner.installs ? "npm" : "uv" }];
}
