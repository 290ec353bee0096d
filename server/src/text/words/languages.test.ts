import { describe, expect, it } from 'vitest';
import { languageOf, termIn, type Language } from './languages.ts';
import { languageOfText, queryTermsOf, readQuery, termsOf } from './terms.ts';

describe('the language of a text', () => {
  it.each([
    ['What does a seat cost?', 'en'],
    ['Wie viel kostet eine Lizenz?', 'de'],
    ['¿Cuánto cuesta cada usuario?', 'es'],
    ['Combien coûte un poste ?', 'fr'],
    ['Die Rechnung wird am Montag bezahlt.', 'de'],
  ] as const)('%j: %s', (text, language) => {
    expect(languageOfText(text)).toBe(language);
  });

  it.each(['Preise Januar', 'noodles', '東京都', '', '?!'])('%j: nobody can tell', (text) => {
    expect(readQuery(text).language).toBeUndefined();
    expect(languageOfText(text)).toBe('en');
  });

  it('is learnt from the beginning only', () => {
    let read = 0;
    function* words() {
      for (;;) {
        read++;
        yield 'und';
      }
    }
    expect(languageOf(words())).toBe('de');
    expect(read).toBeLessThan(1_000);
  });
});

describe('a term', () => {
  const families: Record<Exclude<Language, 'en'>, string[]> = {
    de: [
      'lizenz lizenzen',
      'preis preise preisen',
      'kunde kunden',
      'kosten kostet kostete',
      'arbeit arbeiten arbeitet',
      'wohnen wohnt',
      'straße strassen',
      'teams team',
    ],
    es: ['licencia licencias', 'precio precios', 'reunion reuniones', 'pagar paga pagan pagado'],
    fr: [
      'licence licences',
      'payer paye payez payait',
      'reunion reunions',
      'journal journaux',
      'client clients',
      'coute coutent couter',
    ],
  };

  it.each(
    Object.entries(families).flatMap(([language, lists]) => lists.map((list) => [language, list])),
  )('%s: one for %s', (language, list) => {
    const terms = list?.split(' ').map((word) => termIn(language as Language, word));
    expect(new Set(terms).size).toBe(1);
    expect(terms?.[0]?.length).toBeGreaterThanOrEqual(3);
  });

  it.each(['de', 'es', 'fr'] as const)(
    '%s: short words and numbers stay as they are',
    (language) => {
      for (const word of ['es', 'tes', '2026', 'v2', '東京', 'привет', '']) {
        expect(termIn(language, word)).toBe(word);
      }
    },
  );
});

describe('a query', () => {
  it('has the terms of its language and of English, and of all if nobody can tell', () => {
    expect(readQuery('Wie viele Lizenzen?')).toEqual({
      language: 'de',
      words: [{ word: 'lizenzen', terms: ['lizenzen', 'lizenz'] }],
    });
    expect(readQuery('What about licences?')).toEqual({
      language: 'en',
      words: [{ word: 'licences', terms: ['licenc'] }],
    });
    expect(readQuery('Lizenzen').words[0]?.terms).toContain('lizenz');
  });

  it('finds with one of its terms whatever a text of that language is indexed by', () => {
    const text = 'Die Kunden zahlen ihre Rechnungen am Ende des Monats.';
    const indexed = new Set(termsOf(text, languageOfText(text)));
    for (const query of ['Rechnung', 'Welche Rechnungen zahlt der Kunde?']) {
      const { words } = readQuery(query);
      expect(words.every(({ terms }) => terms.some((term) => indexed.has(term)))).toBe(true);
    }
  });

  it('in English has the terms that messages are indexed by', () => {
    const query = 'What did the customers pay for the licences?';
    expect(readQuery(query).words.flatMap(({ terms }) => terms)).toEqual(queryTermsOf(query));
  });
});
