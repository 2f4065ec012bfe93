import type { AgentsFolder, MergedFile, MergedIn, MergedPlace, PersonsFolder } from "../../../4-fit/merged-place.ts";

const OF_PERSON: PersonsFolder = { variable: "XDG_CONFIG_HOME", otherwise: ".config", below: "opencode" };
const HOME: PersonsFolder = { otherwise: ".opencode" };
const CHOSEN: PersonsFolder = { variable: "OPENCODE_CONFIG_DIR", otherwise: ".opencode" };
/** It names the file itself. */
const NAMED: PersonsFolder = { variable: "OPENCODE_CONFIG", otherwise: ".config/opencode/opencode.json" };

/**
 * As its loader has them, seen in opencode-ai 1.18.33: it asks git for the root, and where git refuses the repository it
 * goes on to the top. All are merged, ours last but for `mode`, which is laid above `agent`.
 */
export const MERGES: readonly MergedPlace[] = [
  ...both("top", ""),
  ...both("top", ".opencode/"),
  ...agents("top", ".opencode/"),
  ...both(OF_PERSON, ""),
  file(OF_PERSON, "config.json"),
  // Of an older version, as TOML, which it turns into config.json when it starts: no reader of ours takes it.
  file(OF_PERSON, "config"),
  file(NAMED, ""),
  ...agents(OF_PERSON, ""),
  ...[HOME, CHOSEN].flatMap((one) => [...both(one, ""), ...agents(one, "")]),
];

function both(where: MergedIn, folder: string): readonly MergedFile[] {
  return [file(where, `${folder}opencode.json`), file(where, `${folder}opencode.jsonc`)];
}

function file(where: MergedIn, name: string): MergedFile {
  const isOpen = where === "top" ? ({ isOpen: true } as const) : {};
  return {
    in: where,
    file: name,
    names: [
      { of: "servers", at: ["mcp"], ...isOpen },
      { of: "servers", at: ["mcp", "servers"], ...isOpen },
      { of: "agents", at: ["agent"] },
      { of: "agents", at: ["agents"] },
      { of: "agents", at: ["mode"] },
    ],
  };
}

function agents(where: MergedIn, folder: string): readonly AgentsFolder[] {
  return ["agent", "agents", "mode", "modes"].map((name) => ({
    in: where,
    folder: `${folder}${name}`,
    byPath: { when: "nameless", slash: "/", endings: [".md"] },
  }));
}
