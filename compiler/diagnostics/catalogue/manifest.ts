import type { CatalogueEntry } from "../types.ts";
import { selectorCases } from "./selector-cases.ts";

const MANIFEST = "a manifest is what `tools/list` answered: an object with a list `tools`, each with a `name`";
const CAPTURE = "capture the server: rolecall capture NAME";

export const manifestCodes = {
  "manifest/not-json": {
    severity: "error",
    says: "this manifest isn't valid JSON: {problem}",
    help: ["{advice}", "capture it again, or restore it from version control"],
    why: "A manifest is the pinned answer of a server. One that can't be read pins nothing.",
  },
  "manifest/unsound": {
    severity: "error",
    says: "this manifest says something that JSON readers understand differently: {problem}",
    help: "capture it again; if the server really sends this, it can't be pinned",
    why: "Duplicate keys, numbers that don't survive a round trip and broken characters are read differently by different programs. A digest of such text would mean different things in different places.",
  },
  "manifest/shape": {
    severity: "error",
    says: "this isn't a manifest: {problem}",
    help: "{advice}",
    cases: {
      "no-object": { problem: "it is not an object", advice: MANIFEST },
      list: { problem: "it is a list, not an object", advice: MANIFEST },
      "no-tools": { problem: "it has no list `tools`", advice: MANIFEST },
      nameless: { problem: "tool {tool} has no name", advice: MANIFEST },
      page: { problem: "it is one page of several: `nextCursor` says that more follow", advice: MANIFEST },
      "in-result": {
        problem: "its list `tools` stands within `result`, as in the answer that a server sent",
        advice: 'take `result` out: keep what it holds, which begins with `{ "tools": [`',
      },
      "tools-alone": { problem: "it is the list `tools` alone", advice: 'put it under `tools`: `{ "tools": [...] }`' },
      map: {
        problem: "its `tools` is a map",
        advice: "write a list, each tool with its `name`, as `tools/list` answers; or capture the server",
      },
      "error-answer": { problem: "it is an error that the server answered", advice: CAPTURE },
      request: { problem: "it is a request, not its answer", advice: CAPTURE },
      "other-answer": { problem: "it is the answer to another question: it has no list `tools`", advice: CAPTURE },
    },
    why: "Only `server` and `tools` are needed, but those must have the shape that the protocol gives them.",
  },
  "manifest/format": {
    severity: "error",
    says: "this manifest has format `{format}`, and this version reads format 1",
    help: "use the version of rolecall that wrote it",
    why: "A later format may hold restrictions that this version doesn't know.",
  },
  "manifest/wrong-server": {
    severity: "error",
    says: "this manifest says it is of server `{server}`, but its file is named for `{pin}`",
    help: "rename the file, or capture `{pin}` again; `manifest: {server}` shares a pin",
    why: "A pin under the wrong name would judge one server's tools by another's list.",
  },
  "manifest/duplicate-tool": {
    severity: "error",
    says: "this manifest has two tools named `{tool}`",
    help: "report it to the author of the server; the manifest can't be used",
    why: "Clients differ in which of two equal names they call, so a decision about the one could open the other.",
  },
  "manifest/digest": {
    severity: "error",
    says: "the digest of `{tool}` doesn't match its text",
    help: "capture the server again, or restore the manifest from version control",
    why: "The manifest was changed after it was captured. The digest guards against accidents; the review of the change guards against the rest.",
  },
  "manifest/odd-schema": {
    severity: "warning",
    says: "the {which} of `{tool}` is {form}, not a JSON Schema",
    help: "the tool can be held, but {lack}",
    cases: {
      inputSchema: { lack: "its arguments are untyped and it can't have conditions" },
      outputSchema: { lack: "its results are untyped" },
    },
    why: "Some servers send schemas that aren't objects. rolecall carries such a tool without a type instead of guessing one.",
  },
  "manifest/unused": {
    severity: "warning",
    says: "no server uses the manifest `{pin}`",
    help: ["remove {file}, or rename it: `{nearest}` has no manifest", "remove {file}, or declare the server"],
    why: "A manifest of no server is often a server that was renamed without its pin.",
    adjustable: true,
  },
  "manifest/missing": {
    severity: "warning",
    says: "`{server}` has no manifest: {tools} held untyped and unpinned",
    help: "capture it: rolecall capture {server}",
    together: "server",
    why: "Without a manifest nobody can say which tools exist, what they take, or whether a policy covers them. Exact names compile; everything else needs the pin.",
  },
  "manifest/no-such-pin": {
    severity: "error",
    says: "server `{server}` shares the manifest `{pin}`, and {file} isn't there",
    help: ["did you mean `{nearest}`?", "capture it, or take `manifest:` out"],
    why: "`manifest:` names a pin that is shared with another server. Without it nothing of the server can be judged.",
  },
  "manifest/needed": {
    severity: "error",
    says: "{user} needs the manifest of `{server}`, and there is none",
    help: "capture it: rolecall capture {server}, or place it at {file}",
    once: "server",
    why: "Excludes, globs, classes, scopes, labels and conditions are resolved against the tools that the server really has. Without the list they could mean anything.",
  },
  "manifest/unknown-tool": {
    severity: "error",
    says: "`{tool}` is not a tool of `{server}`",
    help: ["{advice}", "did you mean `{nearest}`?", "{absent}", "see what it has: rolecall inspect {server}"],
    cases: selectorCases,
    why: "Exact names are held against the manifest. One that the server doesn't have is a slip, or a tool that went away: in a grant it gives nothing, in a restriction it would leave a hole. `{ optional: x }` says that nothing is fine, `{ absent: x }` that it must not exist.",
  },
  "manifest/grants-nothing": {
    severity: "warning",
    says: "`{written}` finds no tool of `{server}`, so it grants nothing",
    help: [
      "{advice}",
      "did you mean `{nearest}`?",
      "say with `hints` of `{unsaid}` which of its tools only read: `rolecall import FILE` makes a source of the file that declares it",
      "correct it, or remove it",
    ],
    cases: selectorCases,
    why: "A glob or class that finds nothing grants nothing today, and something unexpected after the next capture.",
  },
  "manifest/matches-nothing": {
    severity: "error",
    says: "`{written}` restricts nothing: no tool of `{server}` matches",
    help: [
      "{advice}",
      "did you mean `{nearest}`?",
      "{spacing}",
      "correct it; `{ optional: ... }` says that nothing is fine",
    ],
    cases: selectorCases,
    why: "A restriction that matches nothing protects nothing. A slip in a pattern must not widen access, so it stops the build.",
  },
  "manifest/not-absent": {
    severity: "error",
    says: "`{written}` is said to be absent, and `{server}` has the tool `{tool}`",
    help: "decide what the new tool is: exclude it, or drop the `absent`",
    why: "`{ absent: x }` promises that a tool doesn't exist. The server has grown one, so somebody has to decide about it.",
  },
  "manifest/slow-schema": {
    severity: "note",
    says: "`{tool}` of `{server}`{more} can keep a validator busy: its {why}",
    help: "nothing to do: it has 90 ms for each value, and what takes longer is refused, as is every value for a pattern that names too many classes or has too many choices in a row",
    why: "A schema is a stranger's text, and so is a result that is held against it. A pattern that goes back and tries again, alternatives that refer to themselves, or a long list without two alike could stop the whole app. What can't be shown to be quick is judged under a deadline; a pattern that no deadline would end is held against nothing.",
    adjustable: true,
  },
  "manifest/look-alike": {
    severity: "warning",
    says: "`{one}` and `{other}`, {where} look alike",
    help: "make sure that each rule names the one that is meant",
    why: "A reviewer can't tell them apart, and a server that imitates its own tools may be up to something.",
  },
  "manifest/hint-and-name": {
    severity: "warning",
    says: "`{selector}` gives {tools}: `{server}` says read-only, and {names} otherwise",
    help: "look at what it does, and say it for the server: {hints}, or `true`",
    why: "`is:read-only` believes what a server says of its own tools. Where the name of a tool says that it changes something, one of the two is wrong: a slip of its author's, or a tool that wants to be held where only reading is allowed. `hints` of the project settle it, both ways; so does naming the tool.",
  },
  "manifest/secret": {
    severity: "warning",
    says: "this manifest holds what looks like a secret: {masked}",
    help: "if it is yours, have it renewed; tell the author of the server, and capture it again",
    why: "What a server says of its tools is committed, and models read it. A token there is an example in the best case; it may also be one that the server was given, and repeats.",
  },
  "manifest/invisible-name": {
    severity: "warning",
    says: "the name `{tool}` of `{server}` {is}",
    cases: {
      unseen: { is: "holds characters that can't be seen" },
      empty: { is: "is empty: no list can name the tool" },
    },
    help: "ask the author of the server; don't grant it by a glob",
    why: "Invisible characters make one name look like another, or like nothing. What has no name can't be taken away by its name, and a glob that means all grants it.",
  },
} as const satisfies Record<string, CatalogueEntry>;
