import type { Locate, Located, Place, Stretch } from "../../base/place.ts";
import { findingWritten } from "../../base/place.ts";
import { isJsonFile } from "./fast-json.ts";
import { findJsonFault } from "./json-fault.ts";
import { longestText } from "./limits.ts";
import { parseYaml } from "./parse-yaml.ts";
import { lineEndAt } from "./phrase.ts";
import { plainText } from "./plain-text.ts";
import { prepareText } from "./text.ts";
import { stretchInJson } from "./stretch-in-json.ts";
import { parseToml } from "./toml/parse-toml.ts";
import { isTomlFile, stretchInToml } from "./toml/read-toml.ts";
import type { YamlDocument, YamlModule, YamlNode } from "./yaml-module.ts";

/**
 * Finds the lines of places. A document is parsed again for it, once and only when asked, because the way to an error
 * may be slow while the way to a value may not. It works for broken documents too, as far as they could be read.
 */
export function createLocator(textOf: (file: string) => string | undefined, loadYaml: () => YamlModule): Locate {
  const opened = new Map<string, Opened | undefined>();
  const open = (file: string): Opened | undefined => {
    if (!opened.has(file)) {
      const raw = textOf(file);
      opened.set(file, raw === undefined ? undefined : openDocument(file, prepareText(raw), loadYaml));
    }
    return opened.get(file);
  };
  const written = findingWritten();
  return (place) => {
    const at = written(place);
    const document = open(at.file);
    return document && locatedIn(at.file, document, at.range ?? document.stretchOf(at));
  };
}

interface Opened {
  readonly text: string;
  readonly lineStarts: readonly number[];
  /** Reads the document at the first place that has no range of its own. */
  readonly stretchOf: (place: Place) => Stretch;
}

function openDocument(file: string, text: string, loadYaml: () => YamlModule): Opened {
  let finder: Opened["stretchOf"] | undefined;
  const stretchOf = (place: Place): Stretch => (finder ??= finderIn(file, text, loadYaml))(place);
  return { text, lineStarts: findLineStarts(text), stretchOf };
}

function finderIn(file: string, text: string, loadYaml: () => YamlModule): Opened["stretchOf"] {
  if (isTomlFile(file)) {
    const { root } = parseToml(text.length > longestText ? "" : text);
    return (place) => stretchInToml(root, place);
  }
  if (isJsonFile(file) && findJsonFault(text) === undefined) return stretchInJson(text);
  const yaml = loadYaml();
  const document = text.length > longestText ? undefined : parseYaml(plainText(file, text) ?? "", yaml).document;
  return (place) => stretchInYaml(place, document, yaml);
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Of the place, or of the nearest thing around it that was written. */
function stretchInYaml(place: Place, document: YamlDocument | undefined, yaml: YamlModule): Stretch {
  let found: FoundNode = { key: undefined, value: document?.contents as YamlNode | null | undefined };
  let isWhole = true;
  for (const step of place.path) {
    const next = enter(found.value, step, document, yaml);
    if (!next) {
      isWhole = false;
      break;
    }
    found = next;
  }
  const { key, value } = found;
  const wanted = isWhole && place.at === "key" ? (key ?? value) : isWritten(value) ? value : (key ?? value);
  return wanted ? [wanted.range[0], wanted.range[1]] : [0, 0];
}

interface FoundNode {
  readonly key: YamlNode | undefined;
  readonly value: YamlNode | null | undefined;
}

function enter(
  around: FoundNode["value"],
  step: string | number,
  document: YamlDocument | undefined,
  yaml: YamlModule,
): FoundNode | undefined {
  const node = yaml.isAlias(around) && document ? (around.resolve(document) as YamlNode | undefined) : around;
  if (yaml.isMap(node)) {
    const pair = node.items.find(({ key }) => yaml.isScalar(key) && String(key.value) === String(step));
    return pair && { key: pair.key as YamlNode, value: pair.value as YamlNode | null };
  }
  if (!yaml.isSeq(node) || typeof step !== "number") return undefined;
  const item = node.items[step] as YamlNode | undefined;
  return item && { key: undefined, value: item };
}

/** A key with nothing behind it has a value all the same: an empty one. */
function isWritten(node: FoundNode["value"]): boolean {
  return !!node && node.range[1] > node.range[0];
}

/** Of several lines the first one. */
function locatedIn(file: string, { text, lineStarts }: Opened, [start, end]: Stretch): Located {
  const line = lineOf(lineStarts, start);
  const lineStart = lineStarts[line]!;
  const lineEnd = lineEndAt(text, lineStart);
  const meant = text.slice(start, Math.min(end, lineEnd)).trimEnd();
  return {
    file,
    line: line + 1,
    column: start - lineStart + 1,
    length: Math.max(1, meant.length),
    text: text.slice(lineStart, lineEnd),
    ...(line > 0 && { above: linesAbove(text, lineStarts, line) }),
  };
}

const LINES_ABOVE = 30;
const LONGEST_ABOVE = 4000;

function linesAbove(text: string, lineStarts: readonly number[], line: number): string {
  const end = lineStarts[line]! - 1;
  const last = lineStarts[line - 1]!;
  const first = lineStarts[Math.max(0, line - LINES_ABOVE)]!;
  return text.slice(Math.min(last, Math.max(first, end - LONGEST_ABOVE)), end);
}

/** The last line that starts at or before the offset. */
function lineOf(lineStarts: readonly number[], offset: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lineStarts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
