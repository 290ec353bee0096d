/**
 * How well a text matches what was typed; 0 is no match. Every typed word has to occur: best at the start
 * of a word, then anywhere, then as letters in order ("prc" finds "Pricing").
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
  // Of two equal matches, the shorter text is more likely the one.
  return sum + 1 / (1 + folded.length);
}

/** Ignores case and accents. */
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
