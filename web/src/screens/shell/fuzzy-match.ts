/**
 * How well a text answers what was typed: 0 for not at all. Every typed word has to be in it, at best at
 * the start of a word, else somewhere, else as letters in order ("prc" finds "Pricing").
 */
export function scoreMatch(query: string, text: string): number {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const folded = fold(text);
  let sum = 0;
  for (const word of words) {
    const score = scoreWord(word, folded);
    if (score === 0) return 0;
    sum += score;
  }
  // Of two texts that match alike, the shorter one is more likely meant.
  return sum + 1 / (1 + folded.length);
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function scoreWord(word: string, text: string): number {
  if (text.startsWith(word)) return 10;
  const at = text.indexOf(word);
  if (at < 0) return isSpread(word, text) ? 1 : 0;
  return hasAtWordStart(word, text) ? 8 : 4;
}

function hasAtWordStart(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}

function isSpread(word: string, text: string): boolean {
  let at = -1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
