import { isObject, own, type JsonValue } from "../base/json.ts";
import { DEFAULTS } from "../base/project-layout.ts";
import type { FoundFormatter, ProposedFile, SetKey } from "./types.ts";

/** What a build writes, and a formatter would write again. docs/language.md has this list. */
const MADE = [DEFAULTS.out, ...["hosts", "schema", "manifests"].map((name) => `${DEFAULTS.folder}/${name}`)];

/** Lines that keep formatters away from what is made. `ofHosts`: files of hosts in which builds write. */
export function formatterEdits(
  formatters: readonly FoundFormatter[],
  ofHosts: readonly string[],
  setKey: SetKey,
): { readonly files: readonly ProposedFile[]; readonly byHand: readonly string[] } {
  const files: ProposedFile[] = [];
  const byHand: string[] = [];
  const made = [...MADE, ...ofHosts];
  for (const { kind, file, text } of formatters) {
    const edited =
      file === undefined ? undefined : kind === "prettier" ? ignoring(text, made) : including(text, made, setKey);
    if (file === undefined) byHand.push(`add globalIgnores(["${DEFAULTS.out}"]) to ESLint's configuration`);
    else if (edited === undefined) byHand.push(`let ${file} pass by ${made.join(", ")}`);
    else if (edited !== text) files.push({ path: file, before: text, text: edited });
  }
  return { files, byHand };
}

function ignoring(text: string | undefined, made: readonly string[]): string {
  const known = new Set((text ?? "").split(/\r?\n/).map((line) => line.trim()));
  const missing = [...made, ".rolecall"].filter((place) => !known.has(place) && !known.has(`${place}/`));
  if (missing.length === 0) return text ?? "";
  const before = text === undefined || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`;
  return `${before}${missing.join("\n")}\n`;
}

/** Undefined: it isn't plain JSON, or says nothing of what it includes that could be added to. */
function including(text: string | undefined, made: readonly string[], setKey: SetKey): string | undefined {
  let config: JsonValue;
  try {
    config = JSON.parse(text ?? "{}") as JsonValue;
  } catch {
    return undefined;
  }
  if (!isObject(config)) return undefined;
  const files = own(config, "files");
  const written = isObject(files) ? own(files, "includes") : undefined;
  if (written !== undefined && !Array.isArray(written)) return undefined;
  const includes = (written ?? ["**"]) as readonly JsonValue[];
  const missing = made.map((place) => `!${place}`).filter((pattern) => !includes.includes(pattern));
  return missing.length === 0 ? text : setKey(text ?? "{}", ["files", "includes"], [...includes, ...missing]);
}
