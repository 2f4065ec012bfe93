import type { Node } from "jsonc-parser";
import { keyLibraries } from "../libraries.ts";

interface JsonName {
  readonly at: readonly string[];
  readonly name: string;
  /** `enabled: false` stands in it. */
  readonly isOff: boolean;
}

/**
 * The keys of a map in JSON as people write it, each as often as it is there: readers differ about which of two counts. A
 * file that is broken says what can be made out. A key that OpenCode puts a text in place of may be any key.
 */
export function jsonNames(text: string, at: readonly string[]): readonly JsonName[] {
  return mapsAt(rootOf(text), at, []).flatMap(({ map, way }) =>
    propertiesOf(map).map(({ name, value }) => ({ at: [...way, name], name, isOff: isOff(value) })),
  );
}

/** What stands at a path, as often as it does; a map or a list as what is in it, so that none is empty. */
export function jsonValues(text: string, at: readonly string[]): readonly unknown[] {
  return mapsAt(rootOf(text), at, []).flatMap(({ map }) =>
    map === undefined ? [] : [map.type === "object" || map.type === "array" ? (map.children ?? []) : map.value],
  );
}

const REPLACED = /\{(?:env|file):/;

function mapsAt(
  node: Node | undefined,
  [step, ...rest]: readonly string[],
  way: readonly string[],
): readonly { readonly map: Node | undefined; readonly way: readonly string[] }[] {
  if (step === undefined) return [{ map: node, way }];
  return propertiesOf(node)
    .filter(({ name }) => name === step || REPLACED.test(name))
    .flatMap(({ name, value }) => mapsAt(value, rest, [...way, name]));
}

function propertiesOf(node: Node | undefined): { readonly name: string; readonly value: Node | undefined }[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).map(({ children: [key, value] = [] }) => ({ name: String(key?.value), value }));
}

function isOff(entry: Node | undefined): boolean {
  return propertiesOf(entry).some(({ name, value }) => name === "enabled" && value?.value === false);
}

function rootOf(text: string): Node | undefined {
  try {
    return keyLibraries()
      .jsonc()
      .parseTree(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
  } catch {
    // So many brackets in each other that the parser's stack has no room for them.
    return undefined;
  }
}
