import { nearest } from "../../base/nearest.ts";
import { shownWord } from "../../base/shell-word.ts";
import { git } from "./ask-git.ts";

/** What to type where git knows no such revision, as a sentence. */
export function unknownRevisionAdvice(dir: string, named: string): string {
  const [base = ""] = named.split(/[~^:]|@\{/, 1);
  const rest = named.slice(base.length);
  const [remotes, refs] = [linesOf(dir, "remote"), linesOf(dir, "for-each-ref", "--format=%(refname)")];
  const known = new Set(refs);
  const there = inOrder(remotes).find((remote) => base !== "" && known.has(`refs/remotes/${remote}/${base}`));
  if (isKnown(dir, base)) return backAdvice(dir);
  if (there !== undefined)
    return isKnown(dir, `${there}/${base}${rest}`) ? `write \`${there}/${base}${rest}\`` : backAdvice(dir);
  const near = nearest(base, new Set(refs.flatMap(shortName)));
  const meant = near === undefined ? [] : [`did you mean \`${near}${rest}\`?`];
  return [...meant, fetchAdvice(dir, base, rest, remotes)].join(" Or ");
}

/** Where two commits have none in common here. */
export function historyAdvice(dir: string): string {
  return isShallow(dir) ? UNSHALLOW : "name a revision: rolecall diff REVISION";
}

const UNSHALLOW = "this clone has a part of the history: git fetch --unshallow";

/** Of a branch that is known, and of no commit so far back. */
function backAdvice(dir: string): string {
  return isShallow(dir) ? UNSHALLOW : "its history goes less far back: `git log` shows what there is";
}

/** In a clone of one branch a fetched one gets no name but this. */
function fetchAdvice(dir: string, base: string, rest: string, remotes: readonly string[]): string {
  const remote = inOrder(remotes).find((one) => base.startsWith(`${one}/`)) ?? inOrder(remotes)[0];
  if (remote === undefined || base === "") return "name a branch, a tag or a commit that `git log --all` shows";
  if (/^[0-9a-f]{7,64}$/.test(base) && isShallow(dir)) return UNSHALLOW;
  const branch = base.startsWith(`${remote}/`) ? base.slice(remote.length + 1) : base;
  return `fetch it: git fetch ${shownWord(remote)} ${shownWord(branch)}, and write \`FETCH_HEAD${rest}\``;
}

function inOrder(remotes: readonly string[]): readonly string[] {
  return remotes.includes("origin") ? ["origin", ...remotes.filter((one) => one !== "origin")] : remotes;
}

function shortName(ref: string): string[] {
  const name = /^refs\/(?:heads|tags|remotes)\/(.+)$/s.exec(ref)?.[1];
  return name === undefined || /^[^/]+\/HEAD$/.test(name) ? [] : [name];
}

function isKnown(dir: string, name: string): boolean {
  return git(dir, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]).ok;
}

function isShallow(dir: string): boolean {
  return git(dir, ["rev-parse", "--is-shallow-repository"]).out.toString("utf8").trim() === "true";
}

function linesOf(dir: string, ...args: string[]): string[] {
  const { ok, out } = git(dir, args);
  return ok
    ? out
        .toString("utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}
