import type { CatalogueEntry } from "../types.ts";
import { selectorCases } from "./selector-cases.ts";

export const policyCodes = {
  "policy/selector": {
    severity: "error",
    says: "`{written}` isn't of the form `server.tool`",
    help: [
      "write `{suggestion}`",
      "write `*.{written}` for every server, or put a server before it; a class such as `is:destructive` may stand alone",
    ],
    why: "In policies and invariants the server part comes first, and may be a glob.",
  },
  "policy/nameless-guard": {
    severity: "error",
    says: "{kind} of a guard has no name",
    help: "give it a `name:`",
    why: "Guards hold in every project that lists them, and are known there by name: a review sees that one is gone or changed.",
  },
  "policy/matches-nothing": {
    severity: "error",
    says: "`{written}` matches no tool of any server",
    help: ["{advice}", "did you mean `{nearest}`?", "correct it; `{ optional: ... }` says that nothing is fine"],
    cases: selectorCases,
    why: "A rule that matches nothing protects nothing. A slip in a pattern must not widen access, so it stops the build.",
  },
  "policy/not-absent": {
    severity: "error",
    says: "`{written}` is said to be absent, and `{tool}` matches it",
    help: "decide what the new tool is, or drop the `absent`",
    why: "`{ absent: x }` promises that a tool doesn't exist. A server has grown one, so somebody has to decide about it.",
  },
  "policy/unpinned": {
    severity: "warning",
    says: "whether {owner} covers `{server}` can't be checked: it has no manifest",
    help: "capture it: rolecall capture {server}",
    why: "Without a manifest a rule is applied to the tools that roles name, with the protocol's default hints, and a slip in it can't be found.",
  },
  "policy/misses-twin": {
    severity: "warning",
    says: "{owner} names `{server}` and not what reaches the same tools: {twins}",
    help: "name them all, or write `*` for the server",
    why: "The two servers share a connection or a manifest. A rule about the one leaves the other door open.",
  },
  "policy/guard-by-project-words": {
    severity: "warning",
    says: "{owner} goes by `{word}`, and the project alone says what that is on {servers}",
    help: "name tools or an `is:` class in the guard, or declare it in a preset",
    why: "A guard is what the project can't take back. Which tools have a label or a scope of its own, a change of the project decides.",
    adjustable: true,
  },
  "policy/without-effect": {
    severity: "warning",
    says: "{owner} changes nothing: no role that it names holds a tool that it names",
    help: "fine if it is there for later; otherwise correct its `roles` or `tools`",
    why: "A rule that is never decisive is often one that was meant for other names.",
    adjustable: true,
  },
} as const satisfies Record<string, CatalogueEntry>;
