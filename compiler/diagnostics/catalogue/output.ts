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
  "too-large": "it is larger than 50 MB",
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
  "too-large": { problem: PLACE["too-large"] },
  whole: { problem: PLACE.whole },
} as const;

/** The step for a file that hosts read in different ways. */
const MEND = "mend the file (sound JSON or TOML, in UTF-8), or take it away";

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
      "too-large": { what: PLACE["too-large"] },
      foreign: { what: "rolecall didn't write it" },
    },
    why: "What is the build's is always written anew: a file with rolecall's header, or one that files.txt names. Anything else at such a place is yours, and is never overwritten; nothing was written.",
  },
  "output/shadowed": {
    severity: "error",
    says: "{files} would be taken for {module} by whatever imports {that}",
    help: "{help}",
    cases: {
      own: {
        help: "move it out of there or call it otherwise, then build again; a compiler that puts its files beside their sources has a setting for another folder (`outDir`)",
      },
      compiled: {
        help: 'they are what `tsc` makes of generated code: write {folder} in {config} ("noEmit": true where nothing runs what it makes), delete them, then build again',
      },
      left: {
        help: "they are what `tsc` made of generated code before it had another folder for it: delete them, then build again",
      },
    },
    why: "Imports of generated code end in `.js`, and bundlers take a file of that name, or one with another ending that they know, before the module that rolecall wrote. A role would then be what somebody else's file says, while all that is generated is up to date. Other files of yours below `out` are left alone.",
  },
  "output/overwritten": {
    severity: "note",
    says: "written anew or removed, though what it held is neither committed nor known to be a build's: {files}",
    help: "what you want to keep belongs in the sources; files that you edit too are kept as they were in .rolecall/replaced",
    why: "Generated files are a function of the sources, so a build writes them anew whatever they hold: the conflict markers of a merge, one side of it, a formatter's changes, an edit by hand. This line names each that held something else than the last build on this machine had left there, whichever version of rolecall that was, and than git has: the last commit in the file, or in that key of it, and while a merge or a rebase isn't done its sides, line by line. Without notes of a build in .rolecall nothing is known of it, and each that git hasn't is named.",
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
  "output/gives-way": {
    severity: "note",
    says: "`{key}` of `{file}` is yours, and stays as it is",
    help: "what roles hold of that server is held to all the same; take the entry out to have the preset's",
    why: "The server is there by a preset under `layers`, unless somebody says otherwise, and an entry of that name in a file of yours says otherwise. rolecall knows nothing of it but its name: tools are allowed and denied by the names of the preset's manifest.",
  },
  "output/taken-out": {
    severity: "note",
    says: "{keys} {became} out of `{file}`{why}",
    cases: {
      emptied: { why: ", and nothing else was in it, so it is gone: builds write no servers there now" },
      without: { why: ": builds write no servers there now" },
      fewer: { why: ": builds write there what roles hold and the host can be given" },
    },
    help: "the file as it was is in {copy}; `rolecall hosts` says how a role is started",
    why: "Servers of a host's own file that became sources are the build's. Some hosts get them in files of their own for each role, and are started with those; where a host reads one file for everybody, it holds what roles hold and the host can be given. An entry that stayed would be open to every role.",
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
  "output/joined": {
    severity: "error",
    says: "`{file}` {what}",
    cases: {
      named: {
        what: "has `{key}`, which {host} would join with the role's own",
        step: "take it out of that file, or call it otherwise there",
      },
      agent: {
        what: "has `{key}`, which {host} would join with the role's own",
        step: "call that agent otherwise (`name:` in it, or the file where that is its name), or remove the file (what it says can be the role's `prompt`)",
      },
      unreadable: {
        what: "can't be read for sure, and may have names of a role's, which {host} would join with the role's own",
        step: MEND,
      },
      "unread-agent": {
        what: "may be an agent with a role's name, which {host} would join with the role's own: its name can't be read for sure",
        step: "write `name:` on a line of its own between two lines `---`, in UTF-8 and without `<<`, `&`, `*` and escapes",
      },
      "unread-folder": {
        what: "leads to too many folders, where an agent may have a role's name, which {host} would join with the role's own",
        step: "take away the link that leads out of it",
      },
      "unread-settings": {
        what: "can't be read for sure, and may have settings that {host} puts above what a role is held to",
        step: MEND,
      },
      asks: {
        what: "has `{key}`, and {host} then runs what a role asks about without a question",
        step: "take it out of that file, or write `via: serve` for the host: who is asked is behind its entry then",
      },
      "handing over": {
        what: "has `{key}`, and {host} then lets roles without delegates hand work on",
        step: "take it out of that file",
      },
      prompt: { what: "has `{key}`, which {host} tells in place of a role's prompt", step: "take it out of that file" },
      all: {
        what: "has `{key}`, which {host} puts above all that a role is held to",
        step: "take it out of that file",
      },
    },
    help: "{step}, then build again",
    why: "Hosts know servers and agents by their names, and read them in further files: of the project, of folders above up to the repository's root, of a person. What stands there under a name of ours is joined with ours key by key, or taken in its place, so it opens what the role's own closes. Settings of theirs in the same files can undo what ours say as well. `rolecall doctor --host` and `start` look into a person's own files too. A file that hosts read in different ways (a mistake in it, an encoding, a line end in a comment) may have anything.",
  },
  "output/open-servers": {
    severity: "warning",
    says: "`{file}` gives every tool of {servers} to whoever uses the host that reads it, which isn't among `hosts`",
    help: "take them out of the file where a build wrote them, or add the host to `hosts`; a server of your own there isn't told once it differs from what a build writes",
    why: "The entries are what a build writes for these servers. Where the list of what was written (files.txt in `out`) was deleted, or `out` is called otherwise in a fresh clone, nobody can tell whose they are, so they stay. Without the host's agent files no role narrows them.",
  },
  "output/left-secret": {
    severity: "warning",
    says: "`{file}` holds a secret as it is, at {secrets}, of a server that is a source now",
    help: "take the entry out by hand, and the secret into your environment: one that was committed is to be renewed",
    why: "`import` leaves secrets out of sources and refers to variables. The host's own file stays as it was until a person takes the entry out: a build changes its own keys alone, and where the server can't go to that host or goes into other files, nothing of it is written there.",
  },
  "output/broken-keys": {
    severity: "error",
    says: "rolecall can't keep its keys in `{file}` up to date: {problem}",
    cases: {
      ...userFileCases,
      same: { problem: "it is the same file as another that rolecall puts keys into" },
      unreadable: { problem: "it can't be read" },
      "not-text": { problem: "it isn't UTF-8" },
      marker: { problem: "line {line} is a conflict marker that has no partner" },
      conflict: { problem: "the conflict in line {line} is about something of yours too: solve it" },
      "bad-json": { problem: "line {line} isn't valid JSON" },
      "no-object": { problem: "it holds no object" },
      "open-header": { problem: "the front matter that begins in line 1 has no second line `---`" },
      "bad-yaml": { problem: "line {line} isn't valid YAML" },
      "deep-header": { problem: "its front matter is too long, or nested too deeply" },
      "early-end": { problem: "line {line} holds `---`, where some readers end its front matter" },
      "odd-line": { problem: "line {line} holds a character that ends a line for some readers" },
      "no-list": { problem: "its front matter isn't a plain list of keys, each at the start of its line" },
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
      unseen: { problem: "it holds a character that nobody sees" },
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
