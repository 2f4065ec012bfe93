import type { CatalogueEntry } from "../types.ts";

export const invariantCodes = {
  "invariant/never": {
    severity: "error",
    says: "{owner} is broken: role `{role}` holds {tools}",
    help: "{help}",
    cases: {
      one: { help: "take it from the role, or add the policy {policy}" },
      several: { help: "take them from the role, or add the policy {policy}" },
    },
    why: "An invariant is a statement that must be true of the finished plan. `never` with `tools` says that no named role holds a matched tool, asked or not.",
  },
  "invariant/together": {
    severity: "error",
    says: "{owner} is broken: role `{role}` holds {tools}",
    help: "take one of them from the role, with a policy such as {policy}",
    why: "`together` says that no role holds a tool for each selector. Each may be harmless; the combination isn't.",
  },
  "invariant/always": {
    severity: "error",
    says: "{owner} is broken: role `{role}` holds {tools} with effect `{effect}`, and it must be `{wanted}`",
    help: "{help}",
    cases: {
      ask: { help: "add the policy {policy}" },
      allow: { help: "take out what makes it ask, or change the invariant" },
    },
    why: "`always` says with which effect a matched tool is held by the named roles.",
  },
  "invariant/can": {
    severity: "error",
    says: "{owner} is broken: role `{role}` {state}",
    help: "{help}",
    cases: {
      "not-held": { state: "doesn't hold `{tool}`", help: "grant it to the role, or change the invariant" },
      asked: {
        state: "is asked before each call of `{tool}`",
        help: "take it out of what asks, or change the invariant",
      },
    },
    why: "`can` says that each named role holds each named tool without a question. It keeps a later restriction from stopping work that is needed.",
  },
  "invariant/idle": {
    severity: "note",
    says: "{owner} can't be broken: {why}",
    cases: {
      "no-role": { why: "it names no role" },
      "no-tool": { why: "`{written}` matches no tool" },
    },
    help: "correct it, or take it out",
    why: "A statement about roles or tools that aren't there holds whatever else is written. Where `optional` or `absent` says that nothing is fine, that may have come true without anybody seeing it.",
    adjustable: true,
  },
  "invariant/unlabelled": {
    severity: "note",
    says: "{owner} can't judge {tools} of `{server}`: they have no label",
    help: "label them under `labels:` of `{server}`, if only to say what they are",
    why: "`together` counts labelled tools. On a server where some tools are labelled, one without a label may have been forgotten.",
    adjustable: true,
  },
} as const satisfies Record<string, CatalogueEntry>;
