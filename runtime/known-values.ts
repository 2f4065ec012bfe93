/**
 * Which values are known: those in use, and the last of those that were, since a text about a connection may come when it
 * is over. Whoever gives another value for each connection would have all of them looked for as long as the app lives.
 */
export type KnowValue = (value: string) => () => void;

const MOST_BEFORE = 100;
const MOST_CHARACTERS_BEFORE = 200_000;

export function createKnownValues(learn: (value: string) => void, forget: (value: string) => void): KnowValue {
  const uses = new Map<string, number>();
  /** The last that was in use is the last. */
  const before = new Set<string>();
  let characters = 0;
  const drop = (value: string): boolean => {
    if (!before.delete(value)) return false;
    characters -= value.length;
    return true;
  };
  const leave = (value: string): void => {
    const left = uses.get(value)! - 1;
    if (left > 0) return void uses.set(value, left);
    uses.delete(value);
    before.add(value);
    characters += value.length;
    for (const oldest of before) {
      if (before.size === 1 || (before.size <= MOST_BEFORE && characters <= MOST_CHARACTERS_BEFORE)) return;
      drop(oldest);
      forget(oldest);
    }
  };
  return (value) => {
    const known = uses.get(value) ?? 0;
    uses.set(value, known + 1);
    if (known === 0 && !drop(value)) learn(value);
    let isOver = false;
    return () => {
      if (!isOver) leave(value);
      isOver = true;
    };
  };
}
