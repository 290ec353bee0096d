import { GROUP_WORDS } from './group-words.ts';
import { readOutsideCode, trimSlug } from './mentions.ts';
import { firstNameKey, nameKey } from './name-key.ts';

/**
 * Who is meant by an `@` and a name that isn't a handle: `@Berta`, `@Berta Lind`, `@berta.lind`. The web app
 * uses the same rule, so that the composer says beforehand what the server will do.
 */

/** An `@` with what follows it, which is nobody's handle, agent or model. */
export interface NamedMention {
  /** What it would be as a slug. Empty if it begins with a letter that slugs don't have. */
  slug: string;
  /** As written, with the `@`, up to the end of the first word. */
  written: string;
  /** The names it can stand for, longest first, as `nameKey` makes them. */
  keys: string[];
}

/** Up to four words: more than that is not a name in a sentence. */
const WORD = String.raw`[\p{L}\p{M}\p{N}'’._-]*`;
const NAMED = new RegExp(
  String.raw`@(?<![\p{L}\p{N}_][\p{M}\u200c\u200d]*@)(\p{L}WORD(?: \p{L}WORD){0,3})`.replaceAll(
    'WORD',
    WORD,
  ),
  'gu',
);
const SLUG = /^[A-Za-z0-9_-][A-Za-z0-9._:-]*/;
const MOST_NAMED = 50;

/** The distinct mentions that could be names. `isKnown` says which slugs belong to somebody. */
export function listNamedMentions(
  body: string,
  isKnown: (slug: string) => boolean,
): NamedMention[] {
  const found = new Map<string, NamedMention>();
  for (const text of readOutsideCode(body, '@')) {
    for (const [, words = ''] of text.matchAll(NAMED)) {
      if (found.size >= MOST_NAMED) return [...found.values()];
      const slug = trimSlug(SLUG.exec(words)?.[0] ?? '', isKnown) ?? '';
      const keys = keysOf(words);
      const last = keys.at(-1);
      if (last === undefined || GROUP_WORDS.has(last) || isKnown(slug)) continue;
      const [first = ''] = words.split(' ', 1);
      if (!found.has(keys[0] ?? '')) {
        found.set(keys[0] ?? '', { slug, written: `@${first.replace(/[._'’-]+$/u, '')}`, keys });
      }
    }
  }
  return [...found.values()];
}

/** `Ada Roe’s plan` can be `ada roe's plan`, `ada roe`, or `ada`. */
function keysOf(written: string): string[] {
  const words = written.split(' ');
  const readings = words.flatMap((_, at) => {
    const reading = words.slice(0, words.length - at).join(' ');
    return [reading, reading.replace(/['’]\p{L}{0,2}$/u, '')];
  });
  return [...new Set(readings.map(nameKey))].filter((key) => key.length > 1);
}

interface Person {
  userId: string;
  name: string;
  /** Whether they can read what mentions them. */
  isHere: boolean;
}

/** One person is meant, or several could be; nobody has the name if there are none. */
export function findNamed<P extends Person>({ keys }: NamedMention, people: readonly P[]): P[] {
  for (const key of keys) {
    const called = people.filter(({ name }) => nameKey(name) === key);
    const here = people.filter(
      ({ name, isHere }) => isHere && (nameKey(name) === key || firstNameKey(name) === key),
    );
    if (here.length > 0) return here;
    // Somebody who can't read it is meant, not the one with the same first name who can.
    if (called.length > 0 && key !== keys.at(-1)) return [];
  }
  return [];
}
