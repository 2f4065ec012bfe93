import type { CatalogueEntry } from "../types.ts";

export const hostCodes = {
  "host/unknown": {
    severity: "error",
    says: "host `{host}` isn't one that rolecall writes for",
    help: [
      "{whole} can't be told which tools of a server a role holds, so a role would have them all: start it in one of the hosts that `rolecall hosts` shows",
      "did you mean `{nearest}`?",
      "`rolecall hosts` shows them all",
    ],
    why: "Each host reads files of its own, and holds other restrictions. For one that rolecall doesn't know it can neither write nor promise anything. For one whose files have no list of tools it could write, and everything that the roles don't hold would be open.",
  },
  "host/twice": {
    severity: "error",
    says: "host `{host}` stands twice under `hosts`",
    help: "keep one entry",
    why: "Two entries could ask for different things, and one of them would be ignored.",
  },
  "host/no-gateway": {
    severity: "error",
    says: "`gateway` for `{host}` needs a server of rolecall's own, which this version doesn't have",
    help: "choose `leave-out` or `error` until it has",
    why: "With a gateway the host would reach its tools through rolecall, which holds what the host can't. Without one, the restriction would be lost.",
  },
  "host/unknown-variable": {
    severity: "error",
    says: "`assume` speaks of `{name}`, which no server's connection refers to",
    help: ["did you mean `{nearest}`?", "leave it out"],
    why: "`assume` settles what a host can't ask: whether a variable is set. A name that nothing refers to settles nothing, and the variable that was meant counts as unset.",
  },
  "host/no-into": {
    severity: "error",
    says: "`into` is for {others}: `{host}` has no such file",
    help: "leave `into` out",
    why: "Only opencode reads its servers from a file that a team also edits by hand. The other hosts' files lie where each of them looks.",
  },
  "host/no-such-key": {
    severity: "error",
    says: "`{key}` is for {others}: `{host}` has no use for it",
    help: "leave `{key}` out",
    why: "Some keys say where a table's rows belong, or whose tokens open a gateway. A host that has neither would ignore them, and what they say would be lost silently.",
  },
  "host/lacks-key": {
    severity: "error",
    says: "host `{host}` can't be written for without {keys}",
    help: "write the host as a map: `{ id: {host}, ... }` with {keys}",
    why: "A gateway knows a role by the token that a client brings. Whose tokens it trusts, and for whom they are made out, is known to nobody but you, and a file that leaves it open would let in whoever comes.",
  },
  "host/left-out": {
    severity: "warning",
    says: "{host} is without {count} that roles hold, since it can't hold the restrictions",
    help: "who needs them has to run on a host that can hold them, as `rolecall hosts` shows; `whenUnenforceable: leave-out` of a host says that it is meant",
    why: "What a host can't hold would be lost silently: the agent would have the tool without its condition, its question, or its bounds. So the tool stays away from that host, and is there on every other. `whenUnenforceable: error` makes the build fail instead; `leave-out` written out says that this is known, and nothing is said of it again but in ACCESS.md and `rolecall hosts`.",
  },
  "host/may-grow": {
    severity: "warning",
    says: "{host} is given {servers} whole: a tool that one of them adds later is open there at once",
    help: "pin what the servers run, keep a server away with `without`, or set `host/may-grow` under `severities` where this is known",
    why: "Elsewhere a host's files name the tools that a role holds, and one that nobody has captured isn't among them. A host that can't hide a tool has every tool of a server, whatever was captured. So a server goes there only where the role holds all of it, and what it adds later is nobody's decision.",
    adjustable: true,
  },
  "host/closed-delegation": {
    severity: "note",
    says: "{host} can't hand work over as `delegates` say",
    help: "start those roles there by themselves, or choose a host that can hand work over; `rolecall hosts` shows which can",
    why: "`delegates` opens handing work to these roles and to no other agent. A host that can't hold an agent to another role's tools would give it more, or the role's own, so nothing is opened there. Nobody holds more for it, and nobody is restricted less.",
    adjustable: true,
  },
  "host/cannot-enforce": {
    severity: "error",
    says: "{what} can't go to {hosts} for {roles}: {why}",
    help: [
      "as the host's entry under `hosts` write `{mended}`",
      "take the host out, change the role, or choose `whenUnenforceable: leave-out` for this host",
    ],
    why: "The project says `whenUnenforceable: error` for this host, or the host takes names as they are and two tools have one: what the host can't hold stops the build.",
  },
  "host/cannot-spell": {
    severity: "warning",
    says: "{host} is without {servers}, since it can't be told the connection",
    help: "write its entry under `hosts` so, or add a way under `connect` that the host can be told",
    why: "References are never expanded at build time: a host's file holds the host's own spelling. One that has no such spelling would read the reference as plain text, and send it. So the server stays away from that host. `assume` says whether a variable is taken for set or unset in the host's files, `without` that the server is meant to stay away; a further way under `connect` that the host can be told helps as well.",
  },
  "host/counts-as-unset": {
    severity: "note",
    says: "connections on {host} are without what stands behind a `:+`: it can't ask whether a variable is set",
    help: "`assume` of a host says what is meant, such as `{example}`",
    why: "`${NAME:+text}` is there only where NAME is set. A host's file is the same on every machine, and most hosts can't ask. So the text is left out, a header or entry that comes to nothing with it: a login by OAuth then works, and no host sends a `Bearer` without a token.",
  },
  "host/needs-role": {
    severity: "error",
    says: "{host} knows no roles, and this project has {count}",
    help: "write the host as a map, with `id: {id}` and `role:` for the role that its files are for",
    why: "Whoever works with this host has everything that its files hold. Files for all roles together would give each the tools of the others.",
  },
  "host/builtins": {
    severity: "error",
    says: "{host} can't be held to the built-in tools that `{role}` lists",
    help: "take `{id}` out of its `builtins`, or the host out of `hosts`",
    why: "`builtins` say which of the host's own tools a role may use. A host that can't hide the others would give the role all of them, and the list would be lost silently.",
  },
  "host/no-builtin": {
    severity: "error",
    says: "`{name}` can't be a built-in tool of `{role}` on {host}: {why}",
    cases: {
      server: { why: "it would be a tool of `{server}`" },
      opens: { why: "it hands work over, or reads resources" },
      setting: { why: "it is a key of the host's permissions, and no tool" },
    },
    help: "take it out of `builtins`; tools of servers stand under `tools`, and roles that work is handed to under `delegates`",
    why: "A host takes the names of all tools from one list, its own and those of servers. Under `builtins` a name isn't held against policies, invariants and manifests, so a tool of a server could be given that every rule denies; and what hands work to any agent, or reads the resources of a server, would go around the role as a whole.",
  },
  "host/prompt-replaced": {
    severity: "error",
    says: "{host} would put something else in place of `{part}` in the {text} of role `{role}`",
    help: "{help}",
    why: "Some hosts look for references in what an agent is told: a variable's value, or a whole file, would be sent to the model in place of what is written. Where the host has no way to write such a text as it is, rolecall doesn't write it.",
  },
  "host/no-transport": {
    severity: "error",
    says: "server `{server}` can't go to {host}: it is reached over {ways}, and the table holds {held}",
    help: "add a way under `connect` that it holds, write `transports: {wanted}` where the column takes them, or keep the server away with `without: [{server}]`",
    why: "A row has one transport, and the column takes a few kinds. A server that can be reached in no such way would be missing there, and whoever uses the table would find out last.",
  },
  "host/other-transport": {
    severity: "note",
    says: "{host} doesn't hold the preferred way to {servers}",
    help: "`transports` of the host says what the column takes; put the way that is stored first where it is preferred anyhow",
    why: "`connect` lists ways in order of preference, and a row has one. The first that the column takes is stored; those before it aren't tried by whoever reads the row.",
    adjustable: true,
  },
  "host/prefix": {
    severity: "warning",
    says: "names of tools are joined on {host}, and servers there can't be told apart by their beginning",
    help: "rename one of the servers",
    why: "A rule about all tools of the one, as people write them by hand, would also be about tools of the other.",
  },
} as const satisfies Record<string, CatalogueEntry>;
