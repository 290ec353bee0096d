/**
 * Light stemmers: they take endings off, so that the forms of a noun and the common forms of a verb become
 * one term. Words come in lower case and without accents, so `ü` is `u` and `é` is `e`.
 */

/** What is left of a word has at least this many letters. */
const SHORTEST = 3;

export function stemGerman(word: string): string {
  if (!isPlain(word)) return word;
  const plain = word.replaceAll('ß', 'ss');
  // After a vowel, an s belongs to the word.
  const isCase = /[bdfghklmnrt]s$/.test(plain);
  const noun = drop(plain, ['ern', 'em', 'en', 'er', 'es', 'e', 'n', ...(isCase ? ['s'] : [])]);
  const verb = drop(noun, ['est', 'et', 'te', 'st']);
  return verb === noun && verb.length >= 5 ? verb.replace(/(?<=[bdgklmnprz])t$/, '') : verb;
}

const SPANISH_ENDINGS =
  'amiento imiento acion ando iendo ieron aron aban aba amo emo imo ado ada ido ida an en ar er ir a e o'.split(
    ' ',
  );

export function stemSpanish(word: string): string {
  return isPlain(word) ? drop(drop(word, ['es', 's']), SPANISH_ENDINGS) : word;
}

export function stemFrench(word: string): string {
  if (!isPlain(word)) return word;
  const one = drop(word.replace(/aux$/, 'al'), ['s', 'x']);
  const long = drop(one, ['aient', 'ent'], SHORTEST + 1);
  return long === one ? drop(one, ['ait', 'ai', 'ee', 'er', 'ez', 'on', 'e']) : long;
}

/** Not a number, not of another script, and long enough to have an ending. */
function isPlain(word: string): boolean {
  return word.length > SHORTEST && /^[a-zß]+$/.test(word);
}

/** Without the first of the endings that it has, if enough is left. */
function drop(word: string, endings: readonly string[], shortest = SHORTEST): string {
  const ending = endings.find(
    (each) => word.endsWith(each) && word.length - each.length >= shortest,
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}
