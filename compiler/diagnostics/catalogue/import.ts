import type { CatalogueEntry } from "../types.ts";

export const importCodes = {
  "import/missing": {
    severity: "error",
    says: "`{file}` under `{key}` matches no file",
    help: ["did you mean `{nearest}`?", "correct the path; it is relative to rolecall.yaml"],
    why: "A file that isn't found brings neither its servers nor its restrictions.",
  },
  "import/unknown-format": {
    severity: "error",
    says: "`{file}` {where}is in no format that rolecall reads",
    help: ["{advice}", "say which one is meant: `{as}` takes {formats}"],
    why: "A format is recognised by its keys. What isn't recognised can't be read, and it may hold a restriction.",
  },
  "import/several-formats": {
    severity: "error",
    says: "`{file}` {where}could be read as {formats}",
    help: "say which one is meant, with `{as}`",
    why: "The same key means different things in different formats. rolecall doesn't guess what a restriction says.",
  },
  "import/not-of-format": {
    severity: "error",
    says: "{what} is nothing that {format} can say",
    help: "{help}",
    why: "A value that isn't understood may be a restriction. It is said, and never passed over.",
  },
  "import/means-nothing": {
    severity: "warning",
    says: "{what} means nothing to {format}",
    help: "{help}",
    why: "It restricts nothing and grants nothing as it stands. It may be a slip in a name.",
  },
  "import/renames-nothing": {
    severity: "error",
    says: "`servers` names `{server}`, and `{file}` has no server of that name",
    help: "correct the name; it is the one that the file uses",
    why: "A name that finds nothing would leave the server under another name than rules speak of.",
  },
  "import/same-name": {
    severity: "error",
    says: "`{one}` and `{other}` would both be called `{name}` here",
    help: "give one of them another name, with `servers:` beside its file under `{key}`",
    why: "Names of servers and roles are lower-case letters, digits, `-` and `_` here; two that are alike in them can't be told apart.",
  },
  "import/from-nothing": {
    severity: "error",
    says: "`{file}` under `from` brings no server `{server}`",
    help: ["did you mean `{nearest}`?", "list the file under `imports:`, or take `from` out"],
    why: "`from` refines a server that a file of another system brings. Without it there is no connection to refine.",
  },
  "import/takes-out-nothing": {
    severity: "error",
    says: "`{server}` is taken out here, and no layer below brings it",
    help: ["did you mean `{nearest}`?", "take this entry out, or put its layer after the one that brings the server"],
    why: "`null` in a layer takes a server of the layers before it out, for good. Where the name is a slip, the server that was meant would stay.",
  },
  "import/left-behind": {
    severity: "warning",
    says: "{what} of {format} isn't taken along",
    help: "{help}",
    why: "It has no like here. What would open something opens nothing, and what is asked or sought elsewhere has to be there: nothing of it is passed over in silence.",
  },
  "import/taken-beside": {
    severity: "warning",
    says: "{program}'s settings {told}",
    cases: {
      deny: { told: "take away {tools}, which {roles} may call here" },
      ask: { told: "ask about {tools}, which {roles} may call unasked here" },
    },
    help: "say it in the role or in a policy, or take the file of servers over with `rolecall import {file}`",
    why: "A file of a host's is read alone under `imports`. What other settings of that host take away stays with it, and reaches no role, no other host and no call of yours.",
  },
  "import/own-output": {
    severity: "error",
    says: "`{file}` under `{key}` is what this project's own build writes",
    help: "take it out of `{key}`: what it says comes from the sources of this project",
    why: "What a build wrote is never read as a source: it would bring back what was taken out of the sources, and each build would confirm the last one. In a file that others edit too, the keys that files.txt names are passed by, and the others are read.",
  },
  "import/allow-line": {
    severity: "note",
    says: "`allow` for `{tool}` grants nothing and lifts nothing",
    help: "it may stay, its name is checked; what a role holds is what its own entry grants",
    why: "A policy only narrows. What a line of another system allows has to be granted by an agent or a skill, and stays denied or asked where another line says so.",
  },
  "import/read-by-default": {
    severity: "note",
    says: "`{key}: {value}` is `true` here, whatever the variable is set to",
    help: "where it is meant to be off, write `{key}: false`: the access that this gives shows in the next review",
    why: "A plan is made before any variable is known. What the file takes away by default stays away, and no environment brings it back.",
  },
  "import/read-strictly": {
    severity: "warning",
    says: "`{key}: {value}` is read as `true`",
    help: "a build can't know the variable; where it is meant to be off, write `{key}: false`",
    why: "What a file of another system leaves open until a program runs can't be known when a plan is made. The reading that gives least is taken, so that nothing which is set later gives more.",
  },
} as const satisfies Record<string, CatalogueEntry>;
