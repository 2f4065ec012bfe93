import type { CatalogueEntry } from "../types.ts";

export const sourceCodes = {
  "source/no-project": {
    severity: "error",
    says: "there is no rolecall.yaml here",
    help: "make one with the lines `version: 1` and `project: <name>`, or name the folder with --project DIR",
    why: "A project is a folder with a rolecall.yaml at its root. rolecall doesn't look in the folders above, so that a build never reads another project by accident.",
  },
  "source/unreadable": {
    severity: "error",
    says: "`{file}` can't be read: {problem}",
    help: "{help}",
    why: "A file that is skipped could hold a restriction. rolecall stops instead of building without it.",
  },
  "source/yaml": {
    severity: "error",
    says: "this isn't valid YAML: {problem}",
    help: "{help}",
    why: "A document that is only half understood could lose a restriction, so nothing of it is used until all of it parses.",
  },
  "source/yaml-feature": {
    severity: "error",
    says: "{feature} is not part of the language",
    help: "{help}",
    why: "Sources are YAML 1.2 core or JSON: one document, no tags, no directives, no merge keys, keys that are plain text. What different YAML readers understand differently has no place in a file about access.",
  },
  "source/too-large": {
    severity: "error",
    says: "this document is too large: {problem}",
    help: "{help}",
    why: "Documents are bounded in size, depth and aliases, so that no file can make a build hang or run out of memory.",
  },
  "source/duplicate-key": {
    severity: "error",
    says: "the key `{key}` is written twice",
    help: "put both together under one `{key}`",
    why: "Readers differ about which of two equal keys wins. In a file about access that would be a coin toss.",
  },
} as const satisfies Record<string, CatalogueEntry>;
