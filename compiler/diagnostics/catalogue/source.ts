import type { CatalogueEntry } from "../types.ts";

/** Why a file of the project can't be read, as whoever reads files tells it. */
export const fileCases = {
  missing: { problem: "it isn't there", help: "restore it, or remove what names it" },
  directory: { problem: "it is a folder", help: "put a file in its place, or rename the folder" },
  unreadable: { problem: "the system refuses", help: "check its permissions" },
  "too-large": { problem: "it is larger than 50 MB", help: "split it, or check that it is the right file" },
  outside: {
    problem: "it is a link that leaves the project",
    help: "copy the file into the project; only `guards` may name files outside",
  },
  loop: { problem: "its links go in a circle", help: "remove the link" },
  "not-text": { problem: "it isn't UTF-8 text", help: "save it as UTF-8" },
} as const;

export const sourceCodes = {
  "source/secret": {
    severity: "error",
    says: "this looks like a secret: {masked}",
    help: "take it out of the file, and have it renewed where it comes from: whoever read the file has it",
    why: "Sources are committed, with their comments, and descriptions go on into everything that is generated. The form is one that an issuer gives its tokens. A secret belongs into the environment or a secret store, and its name into the file.",
  },
  "source/no-project": {
    severity: "error",
    says: "there is no rolecall.yaml here",
    help: [
      "rename `{other}` to `rolecall.yaml`",
      "one lies in `{above}`: go there, or name it with --project {above}",
      "`rolecall init` makes one, or name the folder with --project DIR",
    ],
    why: "A project is a folder with a rolecall.yaml at its root. Without --project it is the nearest one, here or above, and where it lies above it is said; with --project it is that folder and no other.",
  },
  "source/unreadable": {
    severity: "error",
    says: "`{file}` can't be read: {problem}",
    help: "{help}",
    cases: fileCases,
    why: "A file that is skipped could hold a restriction. rolecall stops instead of building without it.",
  },
  "source/conflict-markers": {
    severity: "error",
    says: "git left a conflict here{others}",
    help: "keep what both sides mean, take out the lines with `<<<<<<<`, `=======` and `>>>>>>>`, then build again: generated files need no solving",
    why: "Git couldn't join two changes of this file and wrote both. Which of them holds is for a person to say. The files that rolecall writes are made anew from the sources, whatever git left in them.",
  },
  "source/yaml": {
    severity: "error",
    says: "this isn't valid YAML: {problem}",
    help: "{help}",
    why: "A document that is only half understood could lose a restriction, so nothing of it is used until all of it parses.",
  },
  "source/json": {
    severity: "error",
    says: "this isn't valid JSON: {problem}",
    help: "{help}",
    why: "A file that ends in .json is read as strict JSON, as every other program would read it. What only some readers understand has no place in a file about access.",
  },
  "source/toml": {
    severity: "error",
    says: "this isn't valid TOML: {problem}",
    help: "{help}",
    why: "A file that ends in .toml is read as TOML 1.0, as the program that it belongs to reads it. A file that only one of the two understands can't be held to what it says.",
  },
  "source/character": {
    severity: "error",
    says: "{character} can't stand in a document",
    help: "remove it; in double quotes it can be written as an escape, such as `\\t` or `\\u2028`",
    why: "Control characters and invisible ones make a file look different from what it says, and readers differ about which of them end a line.",
  },
  "source/number": {
    severity: "error",
    says: "the number `{number}` can't be kept as it is written",
    help: "{help}",
    cases: {
      "not-json": { help: "quote it if it is text; JSON has no such number" },
      "too-long": { help: "quote it if it is an id; a number keeps about 15 digits" },
    },
    why: "Numbers are held as 64-bit floating point, like everywhere in JSON tooling. A number with more digits would silently become another one.",
  },
  "source/yaml-feature": {
    severity: "error",
    says: "{feature} is not part of the language",
    help: "{help}",
    cases: {
      directive: {
        feature: "a `%` directive",
        help: "remove the line; a value that begins with `%` needs quotes",
      },
      documents: {
        feature: "a second document in one file",
        help: "remove the `---` or `...`, or write two files",
      },
      tag: {
        feature: "the tag `{tag}`",
        help: "remove the tag; text that begins with `!` needs quotes",
      },
      negation: {
        feature: "the tag `{tag}`",
        help: "nothing is negated here: in a role, name what is left out under `exclude`; text that begins with `!` needs quotes",
      },
      "alias-key": { feature: "an alias as a key", help: "write the key out, or quote it if it is text" },
      "nested-key": { feature: "a list or map as a key", help: "quote the key if it is text" },
      "tagged-key": { feature: "a tag on a key", help: "remove the tag" },
      "empty-key": { feature: "an empty key", help: "write the key before the colon" },
      "other-key": { feature: "a key that isn't text, `{written}`,", help: "quote it: `{quoted}`" },
      merge: {
        feature: "the merge key `<<`",
        help: "write the entries out; in roles, `extends` says what is shared",
      },
      proto: { feature: "the key `__proto__`", help: "use another name" },
    },
    why: "Sources are YAML 1.2 core or JSON: one document, no tags, no directives, no merge keys, keys that are plain text. What different YAML readers understand differently has no place in a file about access.",
  },
  "source/too-large": {
    severity: "error",
    says: "this document is too large: {problem}",
    help: "{help}",
    cases: {
      long: {
        problem: "it is longer than {most} MB",
        help: "split it into several files; all of them together are one program",
      },
      value: {
        problem: "one of its values is too long to be read",
        help: "look for a text of megabytes, perhaps one whose closing quote is missing",
      },
      deep: {
        problem: "it is nested more than {most} levels deep",
        help: "nothing in the language needs more than ten levels: look for brackets or dashes that were repeated by mistake",
      },
      aliases: {
        problem: "its aliases stand for more than {most} values",
        help: "write what is meant instead of repeating it with aliases",
      },
    },
    why: "Documents are bounded in size, depth and aliases, so that no file can make a build hang or run out of memory.",
  },
  "source/duplicate-key": {
    severity: "error",
    says: "the key `{key}` is written twice",
    help: "put both together under one `{key}`",
    why: "Readers differ about which of two equal keys wins. In a file about access that would be a coin toss.",
  },
} as const satisfies Record<string, CatalogueEntry>;

/** Said by the shape check and by the reading of a project as a whole. */
export const shapeCodes = {
  "source/unknown-key": {
    severity: "error",
    says: "`{key}` is not a key of {owner}",
    help: "{help}",
    why: "A key that nobody reads could be a restriction that somebody meant. Every key that the language doesn't know is an error, at every level.",
  },
  "source/missing-key": {
    severity: "error",
    says: "{owner} lacks the key `{key}`",
    help: "{help}",
    cases: {
      roles: { help: 'add `roles:`; `["*"]` says all' },
      version: { help: "add `version: 1`" },
      limits: { help: "`key` is of doors that share a Redis: name it as `limits`, or take `key` out" },
      other: { help: "add `{key}:` there" },
    },
    why: "This key has no default that would be safe to assume.",
  },
  "source/nothing-written": {
    severity: "error",
    says: "nothing is written for {owner}",
    help: "{help}",
    cases: {
      entry: { help: "write `none` for no tool, `all` for every tool, or name them" },
      include: { help: "name the tools, or write `none` in place of the whole entry" },
      exclude: {
        help: "name the tools, or remove the key; `none` in place of the whole entry excludes everything",
      },
      roles: { help: 'name the roles, or write ["*"] for all of them' },
      project: { help: "write the project's name" },
      "tools-of-rule": { help: "name the tools as `server.tool`, such as `github.create_*`" },
      "tools-of-role": { help: "name the servers, or remove the key" },
      builtins: { help: "name the tools, or write `none` or `all`" },
      key: { help: "write what is meant, or remove `{key}`" },
      item: { help: "write what is meant, or remove it" },
    },
    why: "Nothing written never means everything: an empty list or a null is how a grant widens by accident. The language has a word for each meaning: `none`, `all`, or no key at all.",
  },
  "source/wrong-shape": {
    severity: "error",
    says: "{owner} takes {expected}, and {found} is written",
    help: "{help}",
    why: "The value has another form than the language gives it, so its meaning would be a guess.",
  },
  "source/one-of": {
    severity: "error",
    says: "{owner} takes one of {keys}, and {found}",
    help: "{help}",
    cases: {
      several: { found: "{both} are written", help: "write them as two, each with a name of its own" },
      none: { found: "none of them is written", help: "write the one that is meant" },
    },
    why: "The keys say different things, and a rule that says two of them, or none, has no meaning.",
  },
  "source/wrong-value": {
    severity: "error",
    says: "`{value}` is not {expected}",
    help: "{help}",
    why: "Only the values that the language names have a meaning.",
  },
  "source/bad-address": {
    severity: "error",
    says: "`{glob}` of {owner} can't be a glob of addresses: {problem}",
    help: [
      "write `{meant}`: the server, a colon, and the address",
      "write it as `docs://guide/**`: a scheme in lower case, `*` within a segment, `**` for any number of segments",
    ],
    why: "Addresses of resources are judged as text, and one that isn't in its normal form is refused. A glob that no such address could match would seem to allow or forbid something, and wouldn't.",
  },
  "source/address-both": {
    severity: "error",
    says: "{owner} both includes and excludes `{glob}`",
    help: "keep the one that is meant",
    why: "What is taken away can't be given in the same entry: one of the two is a slip, and nobody can tell which.",
  },
  "source/bad-name": {
    severity: "error",
    says: "`{name}` can't be the name of a {kind}",
    help: "{help}",
    cases: {
      reserved: { help: "choose another name" },
      variable: { help: "write letters, digits and `_`, no digit first" },
      wildcard: { help: "there is no wildcard for servers in a role: name each" },
      tool: { help: "write the server, and the tool below it: `{entry}`" },
      near: { help: "write `{meant}`: {characters}, a letter first" },
      other: { help: "write {characters}, a letter first" },
    },
    why: "Servers and roles are named with lower-case letters, digits, `-` and `_`, so that `server.tool` divides at its first dot and every name can be a file and an identifier. `then` and `constructor` would be mistaken for something else by JavaScript.",
  },
  "source/declared-twice": {
    severity: "error",
    says: "{kind} `{name}` is declared twice",
    help: [
      "list its file as `{entry}`, or both files under `layers:`, the later over the earlier",
      "keep one, or give the other a name of its own",
    ],
    why: "All files of a project are one program. Two declarations of one name have no order, so neither can win.",
  },
  "source/empty-guard": {
    severity: "error",
    says: "the guard `{file}` holds no policy and no invariant",
    help: "restore it, or take it out of `guards`",
    why: "A guard that says nothing guards nothing, and an emptied file is how one gets lost.",
  },
  "source/empty": {
    severity: "warning",
    says: "`{file}` is empty",
    help: "restore it, or delete it; a line of comment says that it is meant to be empty",
    why: "What an emptied file held, such as policies, is gone for every role, and nothing else tells of it.",
  },
  "source/too-many": {
    severity: "note",
    says: "{more} more problems were found",
    help: "mend the first ones and build again: many have one cause",
    why: "A list of thousands helps nobody, and finding each line takes time.",
  },
  "source/not-read": {
    severity: "warning",
    says: "`{file}` holds {blocks}, and nothing reads it",
    help: "move it into `{folder}/`, or rename it if it belongs to another program",
    why: "Sources are rolecall.yaml and the files below the folder of sources. A file beside that folder says nothing, however it looks: what it restricts isn't restricted.",
  },
  "source/misnamed": {
    severity: "error",
    says: "`{file}` holds {blocks}, and nothing reads it under this name",
    help: "rename it to `{meant}`, or put a dot before its name if nobody is to read it",
    why: "Sources are the YAML and JSON files below the folder of sources, but for its folders manifests, presets, hosts and schema. A slip in a name would take away all that the file restricts.",
  },
  "source/stray": {
    severity: "warning",
    says: "nothing reads {files}",
    help: "move what isn't rolecall's out of `{folder}/`, or put a dot before its name",
    why: "What lies in the folder of sources should be a source, a manifest, a preset that a server names, a prompt or what a build writes. Anything else may be one of these with a slip in its name. Markdown, README, LICENSE, CODEOWNERS, names that begin with a dot and what editors leave behind are passed by.",
    adjustable: true,
  },
  "source/no-folder": {
    severity: "error",
    says: "there is no folder `{folder}`, where the sources should be",
    help: "make the folder, or name another one with `folder:` in rolecall.yaml",
    why: "Without its sources a project has no roles and no rules. A slip in this name would take all of them away.",
  },
  "source/guard-missing": {
    severity: "error",
    says: "`{glob}` under `guards` matches no file",
    help: "install the package that brings it, or correct the path",
    why: "Guards are rules that nothing in the project can switch off. A guard that isn't found would be switched off silently.",
  },
  "source/read-twice": {
    severity: "error",
    says: "`{file}` is a source of this project and also under `{key}`",
    help: "move it out of `{folder}`, or take it out of `{key}`",
    why: "A file has one meaning: guards may hold only policies and invariants, and a file of another system is read as that system does.",
  },
  "source/fixed-severity": {
    severity: "error",
    says: "the severity of `{code}` can't be changed",
    help: "only these can: {adjustable}",
    why: "What is said about access, secrets and names is never silenced. The codes that can be adjusted are matters of taste.",
  },
  "source/unknown-code": {
    severity: "error",
    says: "`{code}` is not a code of rolecall",
    help: "did you mean `{nearest}`?",
    why: "A misspelt code under `severities` would change nothing, silently.",
  },
  "source/unknown-class": {
    severity: "error",
    says: "`{written}` is not a class of tools",
    help: [
      "did you mean `is:{nearest}`? there are `is:read-only`, `is:write`, `is:destructive`, `is:idempotent` and `is:open-world`",
      "there are `is:read-only`, `is:write`, `is:destructive`, `is:idempotent` and `is:open-world`",
    ],
    why: "Classes come from the protocol's annotations and the author's hints. Another word selects nothing.",
  },
  "source/negated": {
    severity: "error",
    says: "nothing is negated in a list: `{written}` would be taken as it stands",
    help: "{help}",
    cases: {
      exclude: { help: "list it under `exclude`, as `{list}`, and under `include` what is held" },
      beside: { help: "write `{exclude}` beside `{include}`" },
      instead: { help: "write `{list}` in place of the list" },
      left: { help: "write `{list}`" },
      tools: { help: "name the tools that are meant, without {mark}" },
      roles: { help: "name the roles that are meant, without {mark}" },
    },
    why: "A list only adds up what its items find. An item that was to leave something out would find nothing, and what it was to keep out would stay in.",
  },
  "source/empty-selector": {
    severity: "error",
    says: "an empty text selects nothing",
    help: "name a tool, a glob or a class; parts are joined by ` & `",
    why: "Nothing written never means everything: a selector is a name, a glob or a class.",
  },
} as const satisfies Record<string, CatalogueEntry>;
