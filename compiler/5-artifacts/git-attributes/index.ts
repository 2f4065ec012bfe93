import { hashHeader } from "../header.ts";
import type { Target } from "../target.ts";

/**
 * `<out>/.gitattributes`: reviews fold what is generated but the two files that are made for them, and both sides' lines of
 * the lists stay in a merge. The build after it writes them anew. It names each file: a pattern would fold what somebody
 * else puts beside them.
 */
export const gitAttributes: Target = {
  id: "git-attributes",
  title: "what git and reviews make of the output",
  emit: () => [],
  emitLast: ({ project: { out } }, paths) => [{ path: `${out}/.gitattributes`, text: textFor(out, paths) }],
};

const LISTS = ["/.gitattributes", "/files.txt"];
const FOR_REVIEWS = ["/access.json", "/ACCESS.md"];

function textFor(out: string, paths: readonly string[]): string {
  const below = paths.filter((path) => path.startsWith(`${out}/`)).map((path) => path.slice(out.length));
  const folded = below.filter((path) => !FOR_REVIEWS.includes(path) && PLAIN.test(path)).sort();
  const lines = [
    ...LISTS.map((path) => `${path} linguist-generated merge=union`),
    ...folded.map((path) => `${path} linguist-generated`),
  ];
  return `${hashHeader}\n${lines.join("\n")}\n`;
}

/** Other names would be patterns, or need quotes; no file of ours has one. */
const PLAIN = /^[\w./-]+$/;
