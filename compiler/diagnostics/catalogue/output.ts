import type { CatalogueEntry } from "../types.ts";
import { refusalCases } from "./refusal-cases.ts";

/** What keeps anything from being written at a place. */
const PLACE = {
  outside: "`{folder}` is outside the project",
  nowhere: "`{folder}` is a link that leads nowhere",
  closed: "`{folder}` can't be entered",
  leaves: "`{folder}` is a link that leaves the project",
  file: "`{folder}` is a file, and a folder is needed there",
  "astray-closed": "`{folder}` leads into `{into}`",
  "astray-project": "`{folder}` leads to rolecall.yaml",
  "astray-sources": "`{folder}` leads into the sources in `{into}`",
  link: "it is a link that leaves the project or goes in a circle",
  "not-plain": "it is no plain file",
  whole: "rolecall writes the whole of that file itself",
} as const;

/** The same of a file of the user's that rolecall writes a part of. */
const userFileCases = {
  outside: { problem: PLACE.outside },
  nowhere: { problem: PLACE.nowhere },
  closed: { problem: PLACE.closed },
  leaves: { problem: PLACE.leaves },
  file: { problem: PLACE.file },
  "astray-closed": { problem: PLACE["astray-closed"] },
  "astray-project": { problem: PLACE["astray-project"] },
  "astray-sources": { problem: PLACE["astray-sources"] },
  link: { problem: PLACE.link },
  "not-plain": { problem: PLACE["not-plain"] },
  whole: { problem: PLACE.whole },
} as const;

export const outputCodes = {
  "output/in-the-way": {
    severity: "error",
    says: "`{file}` is in the way: {what}",
    help: "move it away, or choose another place in rolecall.yaml, then build again",
    cases: {
      outside: { what: PLACE.outside },
      nowhere: { what: PLACE.nowhere },
      closed: { what: PLACE.closed },
      leaves: { what: PLACE.leaves },
      file: { what: PLACE.file },
      "astray-closed": { what: PLACE["astray-closed"] },
      "astray-project": { what: PLACE["astray-project"] },
      "astray-sources": { what: PLACE["astray-sources"] },
      folder: { what: "it is a folder" },
      "not-plain": { what: PLACE["not-plain"] },
      foreign: { what: "rolecall didn't write it" },
    },
    why: "What is the build's is always written anew: a file with rolecall's header, or one that files.txt names. Anything else at such a place is yours, and is never overwritten; nothing was written.",
  },
  "output/overwritten": {
    severity: "note",
    says: "written anew or removed, though no build here left it so: {what}",
    help: "what you want to keep belongs in the sources; files that you edit too are kept as they were in .rolecall/replaced",
    why: "Generated files are a function of the sources, so a build writes them anew whatever they hold: the conflict markers of a merge, one side of it, a formatter's changes, an edit by hand. This line names each that the last build on this machine didn't leave so, and without the notes of one in .rolecall each that differed.",
  },
  "output/newer": {
    severity: "error",
    says: "`{file}` was written by rolecall {version}, which is newer than this one",
    help: "update this one to {version}, from where you have it (in a clone, `git pull && npm ci`); to go back to the older runtime on purpose, `rolecall build --downgrade`",
    why: "The files of the runtime hold every call to the plan. An older rolecall would bring back what a newer one has mended in them, and nobody would see it in a review, so it stops before it writes anything. The version stands in the first line of those files.",
  },
  "output/cannot-write": {
    severity: "error",
    says: "`{file}` can't be written: {problem}",
    help: "{help}",
    cases: refusalCases,
    why: "Output is prepared beside the old files and put into place in one go. When any of it can't be written, nothing is changed and the last good output stays whole.",
  },
  "output/broken-block": {
    severity: "error",
    says: "the rolecall block in `{file}` can't be kept up to date: {problem}",
    cases: {
      ...userFileCases,
      unreadable: { problem: "the file can't be read" },
      "not-text": { problem: "the file isn't UTF-8" },
      twice: { problem: "it is there twice" },
      "no-end": { problem: "`<<< rolecall <<<` is missing" },
      "no-begin": { problem: "`>>> rolecall >>>` is missing" },
      crossed: { problem: "it ends before it begins" },
    },
    help: "leave exactly one pair of the lines `# >>> rolecall >>>` and `# <<< rolecall <<<`, or none, then build again",
    why: "rolecall changes only what stands between its two markers in a file of yours. When the markers don't make one clear block it can't tell your lines from its own, and touches none.",
  },
  "output/key-taken": {
    severity: "error",
    says: "`{file}` has a `{key}` that rolecall didn't write",
    help: "take that entry out of the file, or change what makes it (a server's or role's name, a prompt), then build again",
    why: "rolecall changes only its own keys in a file that you edit too: those that files.txt names. An entry of yours under the same name says something else than the sources do; joined, the two would grant what neither says. One that is equal to what rolecall would write is taken over. Nothing was written.",
  },
  "output/key-read": {
    severity: "error",
    says: "`{key}` in `{file}` is read as a source, and a host of this project would write it",
    help: "write the server in a source of the project and take it out of the file, or take the host out of `hosts`; under another name, with `servers:` beside the file, both can stand",
    why: "One entry can't be both: what a build wrote is never read as a source, so the server would be gone with the next build. Nothing was written.",
  },
  "output/text-taken": {
    severity: "error",
    says: "`{file}` has a text that rolecall didn't write, and its role has a `prompt`",
    help: "move that text into the role's prompt, or take it out of the file, then build again",
    why: "The text of an agent's file is yours until its role has a `prompt`; then it is the prompt, word for word. Two texts in one place would be a charter that neither file says, so the build stops before it writes anything.",
  },
  "output/left-agent": {
    severity: "error",
    says: "`{file}` holds text or keys of yours, and no role makes it any more",
    help: "delete it, or keep what is yours in a file elsewhere, build, and put it into the file of the agent that takes its place",
    why: "An agent's file without the keys of a role is an agent without its restriction: several hosts give one that names no tools all of them. So what is yours isn't left alone there.",
  },
  "output/lost-agent": {
    severity: "error",
    says: "`{file}` has {what} with tools of this project's servers, and no role makes it",
    cases: { one: { what: "an agent" }, named: { what: "agent {agents}" } },
    help: "take it away where it was a role's that is gone; an agent of your own isn't taken for one once it has a key that rolecall never writes, such as `model`",
    why: "What a build wrote is named by files.txt in `out`. Where that was deleted, or `out` is called otherwise in a fresh clone, a role that was removed keeps its agent, with every tool that it held. A file that holds nothing but what rolecall writes is removed, and kept in .rolecall/replaced; one with a text in it, or one that others share, is for you to look at.",
  },
  "output/broken-keys": {
    severity: "error",
    says: "rolecall can't keep its keys in `{file}` up to date: {problem}",
    cases: {
      ...userFileCases,
      same: { problem: "it is the same file as another that rolecall puts keys into" },
      unreadable: { problem: "it can't be read" },
      "not-text": { problem: "it isn't UTF-8" },
      // What stands in the file, as its reader tells it.
      content: { problem: "{content}" },
    },
    help: "mend the file, then build again",
    why: "rolecall changes a file that you edit too key by key. When it can't tell what the file says, it can't tell your keys from its own, and touches none. A conflict of git's that is about rolecall's keys alone is solved by the build; one with a key or a comment of yours in it is for you to solve.",
  },

  "output/device-name": {
    severity: "warning",
    says: "a file named for the {kind} `{name}` can't exist on Windows",
    help: "choose another name",
    why: "Windows takes such names for devices. A repository that holds one can't be checked out there.",
  },
  "output/among-sources": {
    severity: "error",
    says: "output would be written to `{out}`, among the sources in `{folder}`",
    help: "choose another `out:`, such as src/mcp",
    why: "Everything below the folder of sources is read at the next build. Generated files there would be read as sources.",
  },
  "output/no-place": {
    severity: "error",
    says: "`{key}` can't be `{path}`: {problem}",
    help: [
      "choose another folder, such as {usual}",
      "choose {host}, or one in another folder",
      "name guards by files that {others} is called as",
      "choose a file of variables, such as .env.example",
    ],
    cases: {
      shared: { problem: "`{shared}` is where hosts look" },
      written: { problem: "builds write `{output}`" },
      "not-of-host": { problem: "it isn't a file of {owner}'s" },
      closed: { problem: "`{closed}` is no place for a project's files" },
      colon: { problem: "not every system has names with `:`" },
      project: { problem: "it is the project itself" },
      generated: { problem: "all that lies in `{folder}` is generated" },
      sources: { problem: "all that lies in `{folder}` is read as sources" },
      values: { problem: "it holds the values themselves, which a build would blank" },
      "other-kind": { problem: "by its name it holds no variables" },
    },
    why: "rolecall writes at these places. What it writes into a folder of another program gets lost, or isn't known again as its own, and a block of variables spoils a file of another kind. So a place that can't be meant is refused before anything is written.",
  },
  "output/same-name": {
    severity: "error",
    says: "{kind}s `{one}` and `{other}` would both be `{identifier}` in what is generated",
    help: "rename one of them",
    why: "`-` and `_` can't stand in an identifier, so names that differ only there give one. Two roles in one place would be one role.",
  },
} as const satisfies Record<string, CatalogueEntry>;
