/** Porter's stemmer (1980) for English: words of one family become one term. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stemmed = dropPlural(word);
  stemmed = dropPastAndIng(stemmed);
  stemmed = replaceEnding(stemmed, /y$/, (rest) => (hasVowel(rest) ? 'i' : undefined));
  stemmed = shorten(stemmed, DOUBLE_SUFFIXES, 1);
  stemmed = shorten(stemmed, SINGLE_SUFFIXES, 1);
  stemmed = dropLastSuffix(stemmed);
  return tidy(stemmed);
}

const DOUBLE_SUFFIXES: Record<string, string> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};

const SINGLE_SUFFIXES: Record<string, string> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};

const LAST_SUFFIXES =
  /(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou)$/;

function dropPlural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function dropPastAndIng(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const rest = word.replace(/(ed|ing)$/, '');
  if (rest === word || !hasVowel(rest)) return word;
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeiouylsz])\1$/.test(rest)) return rest.slice(0, -1);
  return isShort(rest) ? `${rest}e` : rest;
}

function replaceEnding(
  word: string,
  ending: RegExp,
  replacement: (rest: string) => string | undefined,
): string {
  const rest = word.replace(ending, '');
  const replaced = rest === word ? undefined : replacement(rest);
  return replaced === undefined ? word : rest + replaced;
}

/** Replaces the longest suffix in the table, if enough of the word is left. */
function shorten(word: string, suffixes: Record<string, string>, least: number): string {
  for (let at = Math.max(0, word.length - 7); at < word.length; at++) {
    const replacement = suffixes[word.slice(at)];
    if (replacement === undefined) continue;
    const rest = word.slice(0, at);
    return measure(rest) >= least ? rest + replacement : word;
  }
  return word;
}

function dropLastSuffix(word: string): string {
  const suffix = LAST_SUFFIXES.exec(word)?.[0] ?? (/[st]ion$/.test(word) ? 'ion' : undefined);
  if (suffix === undefined) return word;
  const rest = word.slice(0, -suffix.length);
  return measure(rest) > 1 ? rest : word;
}

function tidy(word: string): string {
  let tidied = word;
  if (tidied.endsWith('e')) {
    const rest = tidied.slice(0, -1);
    if (measure(rest) > 0 && !isShort(rest)) tidied = rest;
  }
  return tidied.endsWith('ll') && measure(tidied) > 1 ? tidied.slice(0, -1) : tidied;
}

/** Vowels become v and consonants c. A y after a consonant is a vowel. */
function shape(word: string): string {
  let shaped = '';
  for (const letter of word) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && shaped.endsWith('c'));
    shaped += isVowel ? 'v' : 'c';
  }
  return shaped;
}

/** How many times a vowel is followed by a consonant: Porter's m. */
function measure(word: string): number {
  return shape(word).match(/v+c/g)?.length ?? 0;
}

function hasVowel(word: string): boolean {
  return shape(word).includes('v');
}

/** One syllable that ends in consonant, vowel, consonant, and the last is not w, x or y. */
function isShort(word: string): boolean {
  return measure(word) === 1 && shape(word).endsWith('cvc') && !/[wxy]$/.test(word);
}
