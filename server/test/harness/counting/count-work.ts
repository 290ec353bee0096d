import { createStepCounter, type Match } from './regexp-steps.ts';

/**
 * Measures how much a function does by counting instead of timing: the steps of its regular expressions,
 * and the characters and items that string and array methods read or copy, and lookups in maps and sets.
 */
export function countWork(work: () => void): number {
  const stop = startCounting();
  try {
    work();
  } finally {
    stop();
  }
  return stop();
}

/** Nothing else may run at the same time. */
export async function countAsyncWork(work: () => Promise<void>): Promise<number> {
  const stop = startCounting();
  try {
    await work();
  } finally {
    stop();
  }
  return stop();
}

function startCounting(): () => number {
  let count = 0;
  // Calls made by the counting itself do not count.
  let isCounting = true;
  const restore: (() => void)[] = [];

  function watch<T extends object>(owner: T, names: readonly (keyof T)[], costOf: Cost): void {
    for (const name of names) {
      const original = owner[name] as (...args: unknown[]) => unknown;
      Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
        if (isCounting) {
          isCounting = false;
          count += 1 + costOf(this, args);
          isCounting = true;
        }
        return Reflect.apply(original, this, args);
      });
      restore.push(() => void Reflect.set(owner, name, original));
    }
  }

  watch(String.prototype, ['at', 'charAt', 'charCodeAt', 'codePointAt'], () => 0);
  watch(String.prototype, ['slice', 'substring'], spanLength);
  watch(String.prototype, ['startsWith', 'endsWith'], (_, [start]) => String(start).length);
  watch(String.prototype, ['includes', 'indexOf', 'lastIndexOf', Symbol.iterator], ownLength);
  watch(String.prototype, ['trim', 'trimStart', 'trimEnd', 'toLowerCase'], ownLength);
  watch(String.prototype, ['split', 'replace', 'replaceAll', 'matchAll'], ownLength);
  watch(String.prototype, ['normalize'], normalizing);
  watch(Array.prototype, ['at', 'pop', 'push', 'shift'], () => 0);
  watch(Array.prototype, ['includes', 'indexOf', 'slice', 'join'], ownLength);
  watch(Array.prototype, ['every', 'filter', 'map', 'some', 'toSorted'], (_, args) => {
    const [visit] = args;
    // Each item that the callback is called with counts.
    if (typeof visit === 'function') args[0] = (...given: unknown[]) => ++count && visit(...given);
    return 0;
  });
  watch(Map.prototype, ['get', 'has', 'set'], () => 0);
  watch(Set.prototype, ['has', 'add'], () => 0);
  watch(RegExp.prototype, ['exec'], matching);
  return () => {
    for (const each of restore.splice(0)) each();
    return count;
  };
}

type Cost = (self: unknown, args: unknown[]) => number;

const ownLength: Cost = (self) => (self as string | unknown[]).length;

const spanLength: Cost = (self, [from, to]) =>
  String(self).slice(from as number, to as number).length;

/**
 * Combining marks are sorted by insertion, which takes quadratic time. None moves past a combining
 * grapheme joiner (U+034F).
 */
const normalizing: Cost = (self) => {
  const text = String(self);
  const runs = text.match(/(?:(?!\u034f)\p{M})+/gu) ?? [];
  return runs.reduce((sum, { length }) => sum + length ** 2, text.length);
};

const matching: Cost = (self, [text]) => {
  const pattern = self as RegExp;
  return stepsOf(pattern)(String(text), pattern.global || pattern.sticky ? pattern.lastIndex : 0)
    .steps;
};

const counters = new Map<string, (text: string, from: number) => Match>();

function stepsOf(pattern: RegExp) {
  const key = String(pattern);
  let counter = counters.get(key);
  if (!counter) counters.set(key, (counter = createStepCounter(pattern)));
  return counter;
}
