import { partsOf } from "../../runtime/uri-glob.ts";

/** Whether some address may fit both globs. Where it can't be told, it may. */
export function globsMeet(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.begin !== b.begin) return false;
  return reaches(a.segments, b.segments, {
    isOpen: (segment) => segment === "**",
    skips: () => true,
    meets: charactersMeet,
  });
}

function charactersMeet(one: string, other: string): boolean {
  return reaches([...one], [...other], {
    isOpen: (character) => character === "*",
    skips: (character) => character !== "?" && character !== "&" && character !== ";",
    meets: (a, b) => a === b,
  });
}

interface Steps {
  /** It stands for any number of what the other has. */
  isOpen(step: string): boolean;
  /** What an open one may stand for. */
  skips(step: string): boolean;
  meets(one: string, other: string): boolean;
}

/** Whether both can be walked to their ends together; each pair of places once. */
function reaches(a: readonly string[], b: readonly string[], { isOpen, skips, meets }: Steps): boolean {
  const seen = new Set<number>();
  const todo: [number, number][] = [[0, 0]];
  const go = (i: number, j: number): void => {
    const key = i * (b.length + 1) + j;
    if (seen.has(key)) return;
    seen.add(key);
    todo.push([i, j]);
  };
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [i, j] = next;
    if (i === a.length && j === b.length) return true;
    const [openA, openB] = [i < a.length && isOpen(a[i]!), j < b.length && isOpen(b[j]!)];
    if (openA) go(i + 1, j);
    if (openB) go(i, j + 1);
    if (openA && j < b.length && (openB || skips(b[j]!))) go(i, j + 1);
    if (openB && i < a.length && (openA || skips(a[i]!))) go(i + 1, j);
    if (!openA && !openB && i < a.length && j < b.length && meets(a[i]!, b[j]!)) go(i + 1, j + 1);
  }
  return false;
}
