/** About 2 MB for words and what they become. */
const MOST = 10_000;

/**
 * Calls `find` only for keys that were not asked for lately: people use few different words. What was asked
 * for since the newer map was started is kept when it is full.
 */
export function remembering<T>(find: (key: string) => T): (key: string) => T {
  let newer = new Map<string, T>();
  let older = newer;
  return (key) => {
    let found = newer.get(key);
    if (found !== undefined) return found;
    found = older.get(key) ?? find(key);
    if (newer.size >= MOST) {
      older = newer;
      newer = new Map();
    }
    newer.set(key, found);
    return found;
  };
}

/** Numbers and ids hardly ever come again, and would take the place of words. */
export function mayComeAgain(word: string): boolean {
  return !/\d/.test(word);
}
