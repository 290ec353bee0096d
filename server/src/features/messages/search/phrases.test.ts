import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compilePhrases, searchPhrases } from './phrases.ts';

type Terms = readonly string[];

/** The plain way: compares each phrase at each place. */
function findPlainly(text: Terms, phrases: readonly Terms[]) {
  const endsAt = (phrase: Terms, end: number) =>
    phrase.length <= end && phrase.every((term, at) => text[end - phrase.length + at] === term);
  const endings = text.map((_, at) =>
    Math.max(0, ...phrases.filter((each) => endsAt(each, at + 1)).map(({ length }) => length)),
  );
  const hasAll = phrases.every(
    (each) => each.length === 0 || text.some((_, at) => endsAt(each, at + 1)),
  );
  return { endings, hasAll };
}

it('finds what comparing each phrase at each place finds', () => {
  // Few different terms, so that phrases overlap and nearly occur.
  const terms = (maxLength: number) => fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength });
  const property = fc.property(terms(60), fc.array(terms(6), { maxLength: 5 }), (text, phrases) => {
    const search = searchPhrases(compilePhrases(phrases));
    const endings = text.map((term) => search.read(term));
    expect({ endings, hasAll: search.hasAll() }).toEqual(findPlainly(text, phrases));
  });
  fc.assert(property, { numRuns: 2_000 });
});
