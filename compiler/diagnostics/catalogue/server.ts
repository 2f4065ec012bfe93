import type { CatalogueEntry } from "../types.ts";
import { selectorCases } from "./selector-cases.ts";

export const serverCodes = {
  "server/unknown": {
    severity: "error",
    says: "{owner} names the server `{server}`, which no file declares",
    help: ["{advice}", "did you mean `{nearest}`?", "declare it under `servers:`, or correct the name"],
    cases: selectorCases,
    why: "A name that no file declares grants nothing and restricts nothing. In a rule that restricts, that would be a hole.",
  },
  "server/no-connection": {
    severity: "error",
    says: "server `{server}` has no `connect`, and no preset that brings one",
    help: "add `connect:` with `http:`, `sse:` or `stdio:`",
    why: "A server is reached over its transports, in the order written. Without one it can't be reached.",
  },
  "server/unknown-preset": {
    severity: "error",
    says: "there is no preset `{preset}` in this project: {file} isn't there",
    help: "`rolecall presets {preset} --copy` brings it, if rolecall has one of that name; else write the file, or take `preset:` out",
    why: "A preset is a file of the project, copied into it when it is added. Nothing else is read, so an upgrade of rolecall can't change what a server may do.",
  },
  "server/bad-url": {
    severity: "error",
    says: "`{url}` isn't an http or https URL",
    help: "write the whole URL, such as https://example.com/mcp, or one reference",
    why: "Remote servers are reached over http (streamable) or sse; both take a complete URL.",
  },
  "server/plain-http": {
    severity: "error",
    says: "`{url}` is sent unencrypted over the network",
    help: "write https://; plain http:// is for loopback addresses only",
    why: "Tokens and tool results would be readable by everyone on the way.",
  },
  "server/bad-header": {
    severity: "error",
    says: "the header `{header}` can't be sent",
    help: "header names are letters, digits and `-`; values hold no line break",
    why: "A name or value that HTTP doesn't allow would fail at the first connection, or be read as two headers.",
  },
  "server/literal-secret": {
    severity: "error",
    says: "{where} of server `{server}` holds what looks like a secret: {masked}",
    help: "put it into the environment and write `{reference}`",
    why: "Sources are committed, and everything that is generated from them too. A secret belongs into the environment or a secret store, and its name into the file.",
  },
  "server/written-secret": {
    severity: "error",
    says: "{where} of server `{server}` holds a secret that is written out: {masked}",
    help: [
      "put it into the environment and write `{reference}`; what everybody may read is written `{literal}`",
      "put it into the environment and write `{reference}`",
    ],
    why: "Under a name such as PASSWORD or TOKEN stands a secret sooner or later, and what stands in a source is committed. The same holds for the default of a variable with such a name, for user and password in an address, and for what a key in a query names. A password that is none, as of a local test database, is written `{ literal: postgres }`.",
  },
  "server/unknown-scope": {
    severity: "error",
    says: "server `{server}` has no scope `{scope}`",
    help: ["did you mean `{nearest}`?", "{help}"],
    cases: {
      declare: { help: "declare it under `scopes:` of the server" },
      copy: {
        help: 'a preset of rolecall knows this server: `rolecall presets {preset} --copy` brings what its scopes cover into the project; or write `scopes: { "{scope}": [tool, ...] }` in a server of yours with `from: {file}`',
      },
      map: { help: 'write a map that says which tools it covers: `scopes: { "{scope}": [tool, ...] }`' },
    },
    why: "A scope says which tools lie within it, by a map. Without a map only `read:…` (the read-only tools) and `write:…` (the others) have a meaning.",
  },
  "server/unsaid-scope": {
    severity: "warning",
    says: "scope `{scope}` covers nothing: `{server}` says of none of its tools whether it only reads",
    help: [
      "`rolecall presets {preset} --copy` brings what its scopes cover into the project",
      'write a map that says which tools it covers: `scopes: { "{scope}": [tool, ...] }`, or `hints` of the tools',
    ],
    why: "Without a map `read:…` covers the tools that are read-only, and a tool of which nobody says so counts as one that writes.",
  },
  "server/several-presets": {
    severity: "error",
    says: "several presets of the project reach what server `{server}` reaches: {presets}",
    help: "say which one is meant, in a server of yours: `{server}: { from: {file}, preset: <name> }`",
    why: "A server of another system's file takes what scopes cover, labels and hints from the preset of the project that has the same package or address. Which of several is meant is for a person to say.",
  },
  "server/unknown-label": {
    severity: "error",
    says: "no tool of {server} is labelled `{label}`",
    help: ["did you mean `{nearest}`?", "declare it under `labels:` of the server, or in its preset"],
    why: "A label that nothing carries selects nothing. In a rule that restricts, that would be a hole.",
  },
  "server/closed": {
    severity: "note",
    says: "server `{server}` has `tools: none`: it is given to no role",
    help: "write the tools that roles may hold, or remove the server",
    why: "`tools:` of a server is a ceiling for every role.",
  },
  "server/must-connect-idle": {
    severity: "note",
    says: "server `{server}` must connect, and no role holds a tool of it",
    help: "take `mustConnect` out, or give a role what it needs",
    why: "`mustConnect` keeps a session from starting without a server that its role needs. Nobody needs this one.",
    adjustable: true,
  },
  "server/unused": {
    severity: "warning",
    says: "no role uses server `{server}`",
    help: "give a role tools of it, or remove it",
    together: "server",
    why: "A server that nobody holds is one more thing to keep up to date, and often a misspelt name elsewhere.",
    adjustable: true,
  },
  "server/dangerous-scope": {
    severity: "warning",
    says: "the scope `{scope}` of server `{server}` opens nearly everything",
    help: "name the narrower scopes that are needed",
    why: "`execute:…` and `admin:…` scopes let an agent run commands or change the rules themselves.",
  },
  "server/command-in-one": {
    severity: "warning",
    says: "`{program}` is started as one word, and no program is called so",
    help: "write `{suggestion}`, each word an item",
    why: "A command is started as it is written, without a shell that would take it apart. A whole command in the first item is looked for as a program of that name.",
  },
  "server/unpinned-package": {
    severity: "warning",
    says: "`{package}` is started without a version",
    help: "{help}",
    cases: {
      installed: { help: "write `{pinned}`, as it is installed" },
      "brings-it": { help: "write `{pinned}` before it: the installed package that brings it" },
      package: { help: "write `{pinned}`" },
      command: { help: "write `{pinned}` before it, with the package that brings `{name}`" },
    },
    together: "package",
    why: "npx and uvx download and run whatever is newest at that moment. Where the word is a command and no package, they take a package of that name, which may be a stranger's. A version makes what runs the same thing that was captured and reviewed.",
  },
  "server/home-not-known": {
    severity: "warning",
    says: "`~` in {where} of server `{server}` isn't expanded: it is a folder of that name",
    help: "write `{suggestion}`",
    why: "A server is started without a shell, which would put the home folder in place of `~`. References are expanded.",
  },
  "server/npx-may-prompt": {
    severity: "warning",
    says: "npx may stop and ask before it starts `{package}`",
    help: "write `-y` before the package name",
    why: "Without `-y` npx asks whether to install. A server that is started by a program has nobody to answer. Behind the package name `-y` goes to the server instead.",
  },
  "server/not-a-tool": {
    severity: "error",
    says: "`{key}` names `{tool}`, which is not a tool of `{server}`",
    help: ["did you mean `{nearest}`?", "see what it has: rolecall inspect {server}"],
    why: "Hints decide what `is:read-only` and `is:destructive` select, and results what a call is checked against. One for a tool that is not there corrects nothing.",
  },
  "server/preset-name-missing": {
    severity: "note",
    says: "preset `{preset}` names `{tool}`, which this manifest of `{server}` lacks",
    help: "fine if this version of the server has no such tool",
    why: "A preset serves several versions of a server, so its lists may name tools that yours doesn't have.",
    adjustable: true,
  },
  "server/bad-result": {
    severity: "error",
    says: "the result schema of `{tool}` can't be used: it {problem}",
    help: ["take `{promised}` out of `results`: the server's own is checked", "write a JSON Schema that compiles"],
    why: "Results are checked against this schema at run time. One that doesn't compile would check nothing.",
  },
} as const satisfies Record<string, CatalogueEntry>;
