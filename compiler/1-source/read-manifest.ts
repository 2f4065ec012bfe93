import { maskedWords } from "../base/secret-patterns.ts";
import type { Report } from "../diagnostics/report.ts";
import { examineManifest } from "./examine-manifest.ts";
import type { Shelf } from "./shelf.ts";
import type { Manifest, ManifestFacts, ManifestMemory } from "./types.ts";
import { writtenTokens } from "./written-tokens.ts";

export interface ManifestText {
  readonly pin: string;
  readonly file: string;
  readonly text: string;
  /** Of its bytes, where that is known. */
  readonly digest: string | undefined;
}

/** Reads a manifest. One that an earlier build found good isn't looked through again; undefined means it was refused. */
export function readManifest(
  source: ManifestText,
  memory: ManifestMemory | undefined,
  shelf: Shelf,
  report: Report,
): Manifest | undefined {
  const known = recallManifest(source, memory, shelf);
  if (known) return known;
  const said = report.count;
  const examined = examineManifest(source.pin, source.file, source.text, report);
  if (!examined) return undefined;
  sayTokens(source, report);
  shelf.put(source.file, source.text.length, examined.texts);
  // What was said of it must be said again next time.
  if (source.digest !== undefined && report.count === said) memory?.remember(memoryKey(source), examined.facts);
  return manifestOf(source, examined.facts, shelf);
}

/** One that an earlier build found good, when its digest is known: then its text isn't needed. */
export function recallManifest(
  source: Omit<ManifestText, "text">,
  memory: ManifestMemory | undefined,
  shelf: Shelf,
): Manifest | undefined {
  const facts = source.digest === undefined ? undefined : memory?.recall(memoryKey(source));
  return facts && manifestOf(source, facts, shelf);
}

/** The name is part of it: the same bytes under another server's name are refused. */
function memoryKey({ pin, digest }: Omit<ManifestText, "text">): string {
  return `${pin} ${digest}`;
}

function manifestOf({ pin, file, digest }: Omit<ManifestText, "text">, facts: ManifestFacts, shelf: Shelf): Manifest {
  return {
    pin,
    file,
    bytes: digest,
    saidIn: facts.saidIn,
    server: facts.server ?? undefined,
    serverInfo: facts.serverInfo ?? undefined,
    protocolVersion: facts.protocolVersion ?? undefined,
    capabilities: facts.capabilities,
    instructions: facts.instructions ?? undefined,
    variables: facts.variables,
    tools: facts.tools.map(
      ({ name, at, annotations, digest: ofTool, promisesResult, choice, contradiction, slow }) => ({
        name,
        at,
        annotations,
        digest: ofTool,
        promisesResult,
        choice: choice ?? undefined,
        contradiction: contradiction ?? undefined,
        slow: slow ?? undefined,
        texts: () => shelf.texts(file)[at]!,
      }),
    ),
  };
}

/** A stranger's text, and perhaps a stranger's token: it can't be mended here, and somebody should know. */
function sayTokens({ file, text }: ManifestText, report: Report): void {
  for (const { token, at } of writtenTokens(file, text))
    report.add("manifest/secret", { ...at, hide: token }, { masked: maskedWords(token) });
}
