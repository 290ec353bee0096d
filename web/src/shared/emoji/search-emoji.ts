import type { Emoji } from '../../../../server/src/text/emoji/emoji.ts';
import { fold } from '../../ui/text/fold.ts';

interface Words {
  shortNames: readonly string[];
  name: readonly string[];
  keywords: readonly string[];
}

const known = new WeakMap<Emoji, Words>();

/**
 * The best matches first: by short name, then by name, then by what it is also used for. Of those that match
 * alike, the preferred ones are first.
 */
export function searchEmoji(
  all: readonly Emoji[],
  query: string,
  most: number,
  preferred: readonly string[] = [],
): Emoji[] {
  const typed = query.toLowerCase().replaceAll(/^:|:$/g, '').trim();
  const words = wordsOf(typed);
  if (words.length === 0) return typed === '' ? [] : all.filter((emoji) => has(emoji, typed));
  return all
    .map((emoji, at) => ({ emoji, at, score: scoreOf(emoji, typed, words) }))
    .filter(({ score }) => score > 0)
    .map((one) => (preferred.includes(one.emoji.text) ? { ...one, score: one.score + 100 } : one))
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most)
    .map(({ emoji }) => emoji);
}

/** `+` finds `+1`, although it is not a word, and an emoji finds itself. */
function has({ text, shortNames }: Emoji, typed: string): boolean {
  return text === typed || shortNames.some((name) => name.startsWith(typed));
}

function scoreOf(emoji: Emoji, typed: string, words: readonly string[]): number {
  if (emoji.shortNames.includes(typed)) return 1000;
  // Of names that begin alike, the shortest is nearest to what was typed.
  const begun = emoji.shortNames.filter((name) => name.startsWith(typed));
  if (begun.length > 0) return 600 - Math.min(...begun.map((name) => name.length));
  let sum = 0;
  const { shortNames, name, keywords } = wordsIn(emoji);
  for (const word of words) {
    const score =
      nearness(shortNames, word, 60) || nearness(name, word, 50) || nearness(keywords, word, 30);
    if (score === 0) return 0;
    sum += score;
  }
  return sum / words.length;
}

function nearness(words: readonly string[], typed: string, most: number): number {
  if (words.includes(typed)) return most + 5;
  return words.some((word) => word.startsWith(typed)) ? most : 0;
}

function wordsIn(emoji: Emoji): Words {
  const found = known.get(emoji);
  if (found) return found;
  const words = {
    shortNames: emoji.shortNames.flatMap(wordsOf),
    name: wordsOf(emoji.name),
    keywords: emoji.keywords.split(' '),
  };
  known.set(emoji, words);
  return words;
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
