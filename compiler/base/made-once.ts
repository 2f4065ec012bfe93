/** What `make` gives, made at the first question: for what many things share. It knows them as long as it lives itself. */
export function madeOnce<Key, Value>(make: (of: Key) => Value): (of: Key) => Value {
  const known = new Map<Key, Value>();
  return (of) => {
    if (!known.has(of)) known.set(of, make(of));
    return known.get(of) as Value;
  };
}
