import { fold } from './fold.ts';

/**
 * How well a name matches what was typed; 0 is no match. Every typed word has to occur: best at the start
 * of a word, then anywhere, then as letters in order and close together ("prc" finds "Pricing"), then with
 * a slip of the finger ("jhon" finds "John"). In `about`, which says more about what has the name, a word
 * has to occur as it was typed.
 */
export function scoreMatch(query: string, name: string, about = ''): number {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const folded = fold(name);
  const more = fold(about);
  let sum = 0;
  for (const word of words) {
    // A word in the name counts more than one in what is said about it.
    const inName = scoreWord(word, folded) || scoreSpread(word, folded) || scoreSlip(word, folded);
    const score = 2 * inName || scoreWord(word, more);
    if (score === 0) return 0;
    sum += score;
  }
  // Of two equal matches, the shorter text is more likely the one.
  return sum + 1 / (1 + folded.length);
}

function scoreWord(word: string, text: string): number {
  if (text.startsWith(word)) return 10;
  if (!text.includes(word)) return 0;
  return hasAtWordStart(word, text) ? 8 : 4;
}

function hasAtWordStart(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isWordStart(text, at)) return true;
  }
  return false;
}

function isWordStart(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/** Spread further than this, the letters of a word are found in almost any long name. */
const MOST_SPREAD = 2.5;

/** 1 if the word's letters are there in order and close together, beginning where a word does. */
function scoreSpread(word: string, text: string): number {
  const [first = ''] = word;
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const end = isWordStart(text, at) ? findSpreadEnd(word, text, at) : undefined;
    if (end !== undefined && end - at <= word.length * MOST_SPREAD) return 1;
  }
  return 0;
}

function findSpreadEnd(word: string, text: string, from: number): number | undefined {
  let end = from;
  for (const letter of word) {
    const at = text.indexOf(letter, end);
    if (at < 0) return undefined;
    end = at + letter.length;
  }
  return end;
}

/** In a shorter word, swapped letters are as likely meant. */
const SHORTEST_WITH_SWAP = 4;
/** And any other slip makes another word. */
const SHORTEST_WITH_SLIP = 5;

/** Less than anything else, if the word is how one of the name's words begins, but for one slip. */
function scoreSlip(word: string, text: string): number {
  if (word.length < SHORTEST_WITH_SWAP) return 0;
  const lengths = [word.length, word.length - 1, word.length + 1];
  const isThere = text
    .split(/[^\p{L}\p{N}]+/u)
    .some((other) => lengths.some((length) => isSlip(word, other.slice(0, length))));
  return isThere ? 0.5 : 0;
}

/** One letter is missing, too many or wrong, or two are swapped. Nobody slips on the first. */
function isSlip(typed: string, meant: string): boolean {
  if (typed[0] !== meant[0]) return false;
  let start = 0;
  while (start < meant.length && typed[start] === meant[start]) start++;
  const [left, right] = [typed.slice(start), meant.slice(start)];
  if (left.length > 1 && left === `${right[1]}${right[0]}${right.slice(2)}`) return true;
  if (typed.length < SHORTEST_WITH_SLIP) return false;
  const [shortLeft, shortRight] = [left.slice(1), right.slice(1)];
  return shortLeft === right || left === shortRight || shortLeft === shortRight;
}
