import type { CatalogueEntry } from "../types.ts";
import { selectorCases } from "./selector-cases.ts";
import { fileCases } from "./source.ts";

const PARTIAL_HELP = "write `{open}` where more may stand there, `{closed}` where not";
const EXACT_HELP = "write `{closed}` to say that nothing may";
const PARTIAL_HELP_FOLDER =
  'write `{open}` where more may stand there, `{closed}` where not; a path is kept in a folder by `glob: "{folder}**"`';
const EXACT_HELP_FOLDER =
  'write `{closed}` to say that nothing may; a path is kept in a folder by `glob: "{folder}**"`';

export const roleCodes = {
  "role/unknown": {
    severity: "error",
    says: "{owner} names the role `{role}`, which no file declares",
    help: [
      "{advice}",
      "did you mean `{nearest}`?",
      "list the file that has it under `imports:` too, as skills are by `{glob}`",
      "declare it under `roles:`, or correct the name",
    ],
    cases: selectorCases,
    why: "A name that no file declares grants nothing and restricts nothing. In a rule that restricts, that would be a hole.",
  },
  "role/matches-nothing": {
    severity: "error",
    says: "`{written}` matches no role",
    help: ["{advice}", "did you mean `{nearest}`?", "correct it; `{ optional: ... }` says that nothing is fine"],
    cases: selectorCases,
    why: "A rule for roles that don't exist holds for nobody.",
  },
  "role/not-absent": {
    severity: "error",
    says: "`{written}` is said to be absent, and there is the role `{role}`",
    help: "decide what the role may do, or drop the `absent`",
    why: "`{ absent: x }` promises that a role doesn't exist.",
  },
  "role/server-alone": {
    severity: "note",
    says: "role `{role}` is given `{server}`, and nothing says which of its tools: it holds the read-only ones, and those that a line names for it",
    help: "give `{server}` scopes, or write a line `require-approval` or `allow` under `policies.tools` for each other tool that is meant",
    why: "A file that names a server alone means the tools within the server's scopes. Where there are no scopes and no ceiling, that would be every tool it has or ever gets. A line about one tool says nothing of the others.",
  },
  "role/addresses-meet": {
    severity: "error",
    says: "role `{role}`: `{glob}` of `{server}` and `{also}` of `{other}` may mean one address",
    help: "write them so that no address fits both",
    why: "An agent asks for an address and names no server. Where two may have it, nobody could say which is asked, and what was allowed for the one would be read from the other.",
  },
  "role/excludes-no-address": {
    severity: "error",
    says: "`{glob}` takes nothing away: no role with this rule reads such an address of `{server}`",
    help: "correct it, or take it out",
    why: "What restricts and finds nothing is mostly a slip, and what was meant to be closed stays open.",
  },
  "role/no-resources": {
    severity: "warning",
    says: "role `{role}` may read resources of `{server}`, whose pin says that it has none",
    help: "take `{server}` out of `resources:`, or capture it again: `rolecall capture {server}`",
    why: "A server says in its first answer whether it has resources. Without them the grant gives nothing, and would give something unseen once the server has some.",
  },
  "role/extends-cycle": {
    severity: "error",
    says: "`extends` goes in a circle: {cycle}",
    help: "take one of these `extends` out",
    why: "A role holds what it and its ancestors include. In a circle there is no first.",
  },
  "role/bad-prompt": {
    severity: "error",
    says: "the prompt of role `{role}` can't be `{file}`: {problem}",
    help: "{help}",
    cases: {
      ...fileCases,
      missing: {
        problem: "it isn't there",
        help: "write it, or correct the path, which begins at the project's folder",
      },
      beside: { problem: "it isn't there", help: "paths begin at the project's folder: write `{beside}`" },
      directory: { problem: "it is a folder", help: "name a file in it" },
      "too-large": {
        problem: "it is longer than 100,000 characters",
        help: "keep to what an agent needs at the beginning of every session; it can read the rest when it needs it",
      },
      empty: { problem: "it is empty", help: "write the charter, or take `prompt` out of the role" },
      character: { problem: "it holds {character}", help: "name a text file, or remove that character" },
      generated: {
        problem: "all that lies in `{folder}` is generated",
        help: "move its text into a file of its own, such as {better}",
      },
      "of-hosts": {
        problem: "hosts read agents there, and builds write there",
        help: "move its text into a file of its own, such as {better}",
      },
    },
    why: "A role's prompt is told to every agent that works as it. One that is missing, or half understood, would leave the agent without its charter, and nobody would notice.",
  },
  "role/prompts-differ": {
    severity: "error",
    says: "role `{role}` inherits two prompts: `{one}` from `{first}`, and `{other}` from `{second}`",
    help: "give it a `prompt` of its own",
    why: "A role has one prompt. Its parents have no order, so neither prompt can win, and two charters put together may contradict each other.",
  },
  "role/prompt-secret": {
    severity: "error",
    says: "the prompt of role `{role}` holds what looks like a secret: {masked}",
    help: "take it out of the file; an agent is given what it needs by its servers, whose secrets come from the environment",
    why: "A prompt is copied into the files of every host and sent to a model with every request. What stands in it isn't secret any more.",
  },
  "role/unknown-host": {
    severity: "error",
    says: "`builtins` names the host `{host}`, which rolecall doesn't know",
    help: ["did you mean `{nearest}`?", "it knows {known}"],
    why: "A host's own tools are governed once a role writes them. Under a misspelt host they would stay open.",
  },
  "role/include-and-exclude": {
    severity: "error",
    says: "`{tool}` is both included and excluded in this entry",
    help: "keep the one that is meant",
    why: "An exclude always wins, so the include would say something that isn't so.",
  },
  "role/include-taken-away": {
    severity: "error",
    says: "`{tool}` is included by name, and `{exclude}` of the same entry takes it away",
    help: "narrow the exclude, or remove the include",
    why: "An exclude always wins. A tool that is named and not held reads like a grant and isn't one.",
  },
  "role/undoes-restriction": {
    severity: "error",
    says: "role `{role}` includes `{tool}`, which it can't hold: `{ancestor}` excludes it",
    help: "take it out here, or narrow the exclude of `{ancestor}`",
    why: "A child can add tools and restrictions; it can't undo a restriction of a parent. What looks like a grant here would grant nothing.",
  },
  "role/read-only-widened": {
    severity: "error",
    says: "role `{role}` says `read-only` for `{server}`, and inherits more: {tools}",
    help: "take `{ancestor}` out of `extends`, or write `include: [is:read-only]` to say that more is fine",
    why: "`read-only` states the whole of what a role holds on a server. A reader must be able to trust the word.",
  },
  "role/ask-not-held": {
    severity: "error",
    says: "`{tool}` is asked, and role `{role}` doesn't hold it",
    help: "include it too, or take it out of `ask`",
    why: "`ask` doesn't grant. A name there that isn't held is a grant that somebody forgot, or a restriction on nothing.",
  },
  "role/where-not-held": {
    severity: "error",
    says: "`{tool}` has a condition, and role `{role}` doesn't hold it",
    help: "include it too, or take the condition out",
    why: "`where` doesn't grant. A name there that isn't held is a grant that somebody forgot, or a restriction on nothing.",
  },
  "role/ask-denied": {
    severity: "note",
    says: "`{tool}` is asked, and {by} denies it for role `{role}`: deny wins",
    help: "take it out of `ask` when that is meant to last",
    why: "deny > ask > allow, wherever they are written.",
  },
  "role/argument-missing": {
    severity: "error",
    says: "{holders}, {which} `{argument}`: the condition would leave it unscoped",
    help: "{help}",
    cases: {
      "in-some": {
        help: "narrow the selector to the tools that have it: {having}; the others are then held without this condition: take out those that must not be",
      },
      elsewhere: { help: "it has {known}; condition one of those, or take the tool out" },
      none: { help: "it has no arguments that a condition could name; take the tool out" },
    },
    why: "A selector under `where` says that everything it matches is scoped. A tool without the argument would be held with no condition at all.",
  },
  "role/bad-condition": {
    severity: "error",
    says: "this {kind} can't be a condition: it {problem}",
    help: "{help}",
    // What is wrong with a pattern, a glob or a schema is told by whoever judges it, at run time too.
    cases: {
      pattern: { kind: "pattern", help: "write it simpler, or use `enum` or `glob`" },
      glob: { kind: "glob", help: "{advice}" },
      "slow-schema": {
        kind: "schema",
        problem: "can take very long: it {slow}",
        help: "write it without references to itself, and give a list with `uniqueItems` a `maxItems`",
      },
      "open-schema": {
        kind: "schema",
        problem: "restricts nothing: every value satisfies it",
        help: "write a JSON Schema that refuses something, with keywords that JSON Schema has",
      },
      "bad-schema": {
        kind: "schema",
        help: "write a JSON Schema that refuses something, with keywords that JSON Schema has",
      },
      "schema-pattern": { kind: "pattern", help: "write it simpler, or use `pattern` beside the schema" },
      "unanchored-pattern": {
        kind: "pattern",
        help: "begin it with `^`, write it simpler, or use `pattern` beside the schema",
      },
    },
    why: "Conditions are judged on every call, on text that a model wrote. One that can't be judged, or that could run for minutes, protects nothing.",
  },
  "role/partial-pattern": {
    severity: "warning",
    says: "the pattern `{pattern}` {problem}: it must match the whole value",
    help: "{help}",
    cases: {
      before: { problem: "lets nothing stand before what is written", help: PARTIAL_HELP },
      behind: { problem: "lets nothing stand behind what is written", help: PARTIAL_HELP },
      "only-before": { problem: "lets nothing stand before what is written", help: EXACT_HELP },
      "only-behind": { problem: "lets nothing stand behind what is written", help: EXACT_HELP },
      folder: { problem: "lets nothing stand behind what is written", help: PARTIAL_HELP_FOLDER },
      "only-folder": { problem: "lets nothing stand behind what is written", help: EXACT_HELP_FOLDER },
    },
    why: "A pattern that matched anywhere in a value would let `evil/tests/` pass for `tests/`. So the whole value must match, and one anchor alone is mostly what is left of a search: calls would be refused that it was meant to let through.",
  },
  "role/bad-builtin": {
    severity: "error",
    says: "`{name}` isn't the exact name of a built-in tool",
    help: "name the tools one by one, or write `all` or `none`",
    why: "Hosts read patterns in ways of their own. Only exact names mean the same on each.",
  },
  "role/unknown-builtin": {
    severity: "error",
    says: "`{name}` isn't one of {host}'s own tools, as seen in {seenIn}",
    help: [
      "{host} holds it under `{under}`, which gives more than this one: write that where it is meant",
      "did you mean `{nearest}`? A name that only another version has is written `{spelling}`",
      "a name that only another version has is written `{spelling}`; `rolecall hosts {id}` shows those that were seen",
    ],
    why: "A name that the host doesn't have gives nothing, and one that was misspelt is a tool that the agent then lacks. rolecall knows the names of one version of each host; others differ by platform, model and settings, so `optional` takes any name.",
  },
  "role/builtins-open": {
    severity: "warning",
    says: "all of {host}'s own tools are open to {count}: some of them run commands, write files or reach out",
    help: "write `builtins` in a role or an ancestor, such as `{example}`; `all` says that every one is meant",
    why: "A host brings tools of its own: a shell, an editor of files, the web. Until a role or an ancestor writes `builtins` for that host they aren't governed, and a role that may only read on every server may still change every file.",
  },
  "role/argument-not-text": {
    severity: "error",
    says: "{holders} `{tool}`, whose argument `{argument}` is {type}: a {kind} can never hold for it",
    help: "use `enum` or `schema` for it",
    why: "`glob` and `pattern` judge text and refuse every other value, so each call would be refused.",
  },
  "role/beyond-ceiling": {
    severity: "warning",
    says: "role `{role}` includes `{tool}`, which `{ceiling}` of server `{server}` rules out",
    help: "take it out here, or widen the ceiling",
    why: "`tools` and `scopes` of a server hold for every role. An include beyond them grants nothing.",
  },
  "role/exclude-without-effect": {
    severity: "note",
    says: "`{written}` takes nothing away from role `{role}`",
    help: "fine if it is there for later; `{ absent: ... }` says that a tool must not exist",
    why: "Every tool that it matches wasn't held anyway.",
    adjustable: true,
  },
  "role/parents-disagree": {
    severity: "note",
    says: "role `{role}` doesn't hold {tools}, which `{one}` includes and `{other}` excludes",
    help: "fine when that is meant: an exclude holds for every role that inherits it",
    why: "Where one parent includes what another excludes, it is out.",
    adjustable: true,
  },
  "role/empty": {
    severity: "note",
    says: "role `{role}` holds no tool",
    help: "fine for a role that only hands work on",
    why: "A role that holds nothing compiles to an empty module.",
    adjustable: true,
  },
  "role/shell-undoes-policy": {
    severity: "warning",
    says: "{holders} {shell}, which can do what {rule} forbids",
    help: "{help}",
    cases: {
      "all-builtins": {
        shell: "all built-in tools of {host}",
        help: "name the tools under `builtins` of {host} in place of `all`, without those that run commands",
      },
      "whole-host": {
        shell: "all built-in tools of {host}",
        help: "{host} can't be held to some of them: give it a role that no such rule is about, or none; `rolecall hosts` shows which hosts can",
      },
      builtin: {
        shell: "`{tool}` of {host}",
        help: "take `{tool}` out of `builtins` of {host}: no rule there can have it asked or kept to some commands",
      },
      tool: {
        shell: "`{server}.{tool}`",
        help: "name `{tool}` under `exclude` or `ask` of server `{server}`, or keep it to the commands that you list with `where`",
      },
    },
    why: "A tool that runs any command can do whatever the other tools can. Rules on those then keep honest mistakes out, and nothing else.",
  },
  "role/conditions-too-large": {
    severity: "error",
    says: "written out for each role and tool, the project's conditions have {total} million characters, and this one alone {length} million",
    help: "say in one condition what several say, shorten it, or name fewer roles and tools; {most} million are the most",
    why: "A reviewer sees every tool with its conditions, and so does the runtime. A short rule for many roles and tools can grow beyond what anybody reads, and beyond what a build can write.",
  },
  "role/mixed-enum": {
    severity: "note",
    says: "`{tool}` reads and writes, as its argument `{argument}` says: {values}",
    help: "keep the role to the part that is meant: `{where}`",
    why: "A tool whose one argument chooses between reading and writing can't be split by its name. A condition on that argument can.",
    adjustable: true,
  },
  "role/served-name": {
    severity: "error",
    says: "role `{role}` holds `{one}` and `{other}`, which `rolecall serve` would both call `{name}`",
    help: "rename one of the two servers, so that neither name begins the other's with `_`",
    why: "Behind one server, tools of several are called `server__tool`. A name that could mean two would be judged as one of them and meant as the other.",
  },
} as const satisfies Record<string, CatalogueEntry>;
