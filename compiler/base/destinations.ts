import { downloadedBy, runnerOf, withoutVersion } from "./package-runner.ts";

/**
 * What a process is, in one spelling: what is run, wherever its program lies; of what a runner downloads the package,
 * whichever version. One that only passes on to an address is that.
 */
export function processReached(words: readonly string[]): string {
  const run = program(words);
  const [name, to = "", ...more] = run;
  const passesOn = name === "mcp-remote" && more.length === 0 && URL.canParse(to);
  return passesOn ? addressReached(to) : `stdio ${JSON.stringify(run)}`;
}

/** What an address reaches, in one spelling. One that is a reference as a whole stays as it is. */
export function addressReached(written: string): string {
  return `url ${address(written)}`;
}

function address(written: string): string {
  if (!URL.canParse(written)) return written;
  const { origin, pathname, search } = new URL(written);
  return origin + pathname.replace(/(?<!\/)\/+$/, "") + search;
}

function program(words: readonly string[]): string[] {
  const downloaded = runnerOf(words) && downloadedBy(words);
  if (downloaded) {
    const { name, end, isOption } = downloaded;
    return [withoutVersion(name), ...words.slice(isOption ? end : end + 1)];
  }
  const [first = "", ...rest] = words;
  return [
    first.replace(/^.*[\\/]/, "").replace(/\.(?:cmd|exe)$/i, ""),
    ...rest.map((word) => word.replace(/^(?:\.\/+)+/, "")),
  ];
}
