import type { JsonObject, JsonValue } from "../../base/json.ts";
import { explainStar } from "./explain-star.ts";
import { deepestNesting, mostAliased, tooDeep, tooManyAliased } from "./limits.ts";
import { whyNumberIsUnfit } from "./number.ts";
import type { CaseOf } from "../../diagnostics/report.ts";
import { lineStartAt, quoted } from "./phrase.ts";
import type { Stretch } from "../../base/place.ts";
import type { DocumentProblem } from "./problem.ts";
import { shorten } from "./text.ts";
import type { ContentNode, YamlAlias, YamlDocument, YamlMap, YamlModule, YamlNode, YamlScalar } from "./yaml-module.ts";

/**
 * The value of a document that the `yaml` package parsed without errors, held to the language: keys are text,
 * no key twice, no tags, numbers that survive, aliases bounded. The value counts only when there are no problems.
 */
export function valueOf(
  document: YamlDocument,
  text: string,
  yaml: YamlModule,
): { value: JsonValue; problems: DocumentProblem[] } {
  const walk: ValueWalk = { text, yaml, problems: [], anchors: new Map(), nodes: 0, aliased: 0, deepest: 0 };
  const root = document.contents as YamlNode | null;
  const isEmpty =
    root === null || (yaml.isScalar(root) && root.source === "" && root.type === "PLAIN" && !root.tag && !root.anchor);
  return { value: isEmpty ? {} : readNode(root, 1, walk), problems: walk.problems };
}

interface ValueWalk {
  readonly text: string;
  readonly yaml: YamlModule;
  readonly problems: DocumentProblem[];
  readonly anchors: Map<string, Anchored | "open">;
  /** Values so far, each alias counted with all that it stands for. */
  nodes: number;
  aliased: number;
  /** The deepest list or map so far. */
  deepest: number;
}

/** An alias is the same value again, not a copy: a bomb is only counted, never unfolded. */
interface Anchored {
  readonly value: JsonValue;
  readonly nodes: number;
  /** Levels of lists and maps below its first one; -1 for a scalar. */
  readonly height: number;
}

const mostProblems = 20;

function readNode(node: YamlNode | null, depth: number, walk: ValueWalk): JsonValue {
  const { yaml } = walk;
  walk.nodes++;
  if (node === null) return null;
  if (yaml.isAlias(node)) return readAlias(node, depth, walk);
  if (!yaml.isScalar(node)) walk.deepest = Math.max(walk.deepest, depth);
  if (depth > deepestNesting && !yaml.isScalar(node)) return refuse(tooDeep(node.range[0]), walk);
  if (node.tag !== undefined) return refuseTag(node, walk);
  return node.anchor === undefined ? readContent(node, depth, walk) : readAnchored(node, node.anchor, depth, walk);
}

function refuseTag(node: YamlNode, walk: ValueWalk): null {
  // The tag stands before the node, which begins behind it.
  const line = lineStartAt(walk.text, node.range[0]);
  const before = walk.text.slice(line, node.range[0]);
  const tag = /!\S*(?=[^!]*$)/.exec(before);
  const at: Stretch = tag ? [line + tag.index, line + tag.index + tag[0].length] : [node.range[0], node.range[0] + 1];
  // `!name` with nothing behind it is a negation of somebody's: without its mark it would be granted.
  const isItem = /(?:[[,]|^\s*-)\s*$/.test(walk.text.slice(line, at[0]));
  const isAlone = /^[ \t]*(?:[,\]#\n]|$)/.test(walk.text.slice(at[1], at[1] + 200));
  const kind = isItem && isAlone ? "negation" : "tag";
  return refuse({ code: "source/yaml-feature", at, case: kind, tag: shorten(tag?.[0] ?? "!") }, walk);
}

function readAnchored(node: ContentNode, anchor: string, depth: number, walk: ValueWalk): JsonValue {
  const { nodes, deepest } = walk;
  walk.anchors.set(anchor, "open");
  walk.deepest = walk.yaml.isScalar(node) ? depth - 1 : depth;
  const value = readContent(node, depth, walk);
  walk.anchors.set(anchor, { value, nodes: walk.nodes - nodes + 1, height: walk.deepest - depth });
  walk.deepest = Math.max(walk.deepest, deepest);
  return value;
}

function readAlias(node: YamlAlias, depth: number, walk: ValueWalk): JsonValue {
  const anchored = walk.anchors.get(node.source);
  const at: Stretch = [node.range[0], node.range[1]];
  if (anchored === undefined) {
    const found = explainStar(walk.text, at[0]);
    const problem = found?.problem ?? `\`*${shorten(node.source)}\` is an alias, and nothing above has that anchor`;
    return refuse({ code: "source/yaml", at, problem, help: found?.help }, walk);
  }
  if (anchored === "open") {
    return refuse(
      {
        code: "source/yaml",
        at,
        problem: `\`*${shorten(node.source)}\` stands inside the value that it repeats`,
        help: "write what is meant",
      },
      walk,
    );
  }
  walk.nodes += anchored.nodes;
  walk.aliased += anchored.nodes;
  walk.deepest = Math.max(walk.deepest, depth + anchored.height);
  if (depth + anchored.height > deepestNesting) return refuse(tooDeep(at[0]), walk);
  if (walk.aliased <= mostAliased) return anchored.value;
  return refuse(tooManyAliased(at), walk);
}

function readContent(node: ContentNode, depth: number, walk: ValueWalk): JsonValue {
  if (walk.yaml.isMap(node)) return readMap(node, depth, walk);
  if (walk.yaml.isSeq(node)) return node.items.map((item) => readNode(item, depth + 1, walk));
  return readScalar(node, walk);
}

function readMap(node: YamlMap, depth: number, walk: ValueWalk): JsonObject {
  const map: Record<string, JsonValue> = {};
  const seen = new Map<string, Stretch>();
  for (const pair of node.items) {
    const key = readKey(pair.key, walk);
    const value = readNode(pair.value, depth + 1, walk);
    if (key === undefined) continue;
    const at = stretchOf(pair.key);
    const first = seen.get(key);
    if (first) refuse({ code: "source/duplicate-key", at, key: shorten(key), first }, walk);
    else seen.set(key, at);
    map[key] = value;
  }
  return map;
}

/** Undefined: it was refused. */
function readKey(node: YamlNode, walk: ValueWalk): string | undefined {
  const { yaml } = walk;
  const at = stretchOf(node);
  const unfit = (how: CaseOf<"source/yaml-feature">): undefined => {
    refuse({ code: "source/yaml-feature", at, ...how }, walk);
  };
  if (yaml.isAlias(node)) return unfit({ case: "alias-key" });
  if (!yaml.isScalar(node)) return unfit({ case: "nested-key" });
  if (node.tag !== undefined && node.tag !== "tag:yaml.org,2002:str") return unfit({ case: "tagged-key" });
  const written = walk.text.slice(at[0], at[1]);
  if (typeof node.value !== "string") {
    if (node.source === "") return unfit({ case: "empty-key" });
    return unfit({ case: "other-key", written: shorten(written), quoted: quoted(shorten(written)) });
  }
  if (node.value === "<<") return unfit({ case: "merge" });
  if (node.value === "__proto__") return unfit({ case: "proto" });
  if (node.anchor !== undefined) walk.anchors.set(node.anchor, { value: node.value, nodes: 1, height: -1 });
  return readText(node.value, at, walk);
}

function readScalar(node: YamlScalar, walk: ValueWalk): JsonValue {
  const { value } = node;
  if (typeof value === "string") return readText(value, stretchOf(node), walk);
  if (typeof value === "number") {
    const why = whyNumberIsUnfit(node.source, value);
    if (why === undefined) return value === 0 ? 0 : value;
    return refuse({ code: "source/number", at: stretchOf(node), number: shorten(node.source), case: why }, walk);
  }
  return typeof value === "boolean" ? value : null;
}

/** Half of a pair can only come from an escape, and can't be written to a file again. */
function readText(value: string, at: Stretch, walk: ValueWalk): string {
  if (/\p{Surrogate}/u.test(value)) {
    refuse(
      { code: "source/yaml", at, problem: "an escape stands for half a character", help: "write the character itself" },
      walk,
    );
  }
  return value;
}

function stretchOf(node: YamlNode): Stretch {
  return [node.range[0], Math.max(node.range[1], node.range[0] + 1)];
}

function refuse(problem: DocumentProblem, walk: ValueWalk): null {
  const isRepeated = problem.code === "source/too-large" && walk.problems.some((known) => known.code === problem.code);
  if (!isRepeated && walk.problems.length < mostProblems) walk.problems.push(problem);
  return null;
}
