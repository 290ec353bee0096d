import { describe, expect, it } from 'vitest';
import { scoreMatch } from './fuzzy-match.ts';

describe('scoreMatch', () => {
  it('ranks a match at the start first, then a word, a part, and letters in order', () => {
    const scores = ['Pricing', 'Our Pricing', 'Repricing', 'Paper, inc'].map((text) =>
      scoreMatch('pric', text),
    );
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0)).toBe(true);
  });

  it('needs every word', () => {
    expect(scoreMatch('team plan', 'The Team plan')).toBeGreaterThan(0);
    expect(scoreMatch('team xyz', 'The Team plan')).toBe(0);
  });

  it('finds letters in order only close together, from the start of a word, and only in the name', () => {
    expect(scoreMatch('prc', 'Pricing')).toBeGreaterThan(0);
    expect(scoreMatch('prc', 'Our Pricing')).toBeGreaterThan(0);
    expect(scoreMatch('banker', 'Backend engineer')).toBe(0);
    expect(scoreMatch('banker', 'Backend engineer', 'bank clerk Session in Hiring')).toBe(0);
    expect(scoreMatch('banker', 'Backend, network, maker')).toBe(0);
    expect(scoreMatch('pcg', 'Repricing it')).toBe(0);
  });

  it('counts a word in the name more than in what is said about it', () => {
    const inName = scoreMatch('hiring', 'About hiring', 'Session in People');
    const inAbout = scoreMatch('hiring', 'People', 'hiring');
    expect(inAbout).toBeGreaterThan(0);
    expect(inName).toBeGreaterThan(inAbout);
    expect(scoreMatch('people hiring', 'People', 'Session in Hiring')).toBeGreaterThan(0);
  });

  it('forgives one slip in a longer word, and ranks it last', () => {
    for (const typed of ['jhonson', 'johnsn', 'johnsoon', 'jphnson', 'jhon']) {
      expect([typed, scoreMatch(typed, 'Ada Johnson') > 0]).toEqual([typed, true]);
    }
    for (const typed of ['jhnosn', 'hohnson', 'joh', 'joxx', 'jahnsen']) {
      expect([typed, scoreMatch(typed, 'Ada Joynson')]).toEqual([typed, 0]);
    }
    expect(scoreMatch('john', 'Ada Johnson')).toBeGreaterThan(scoreMatch('jhon', 'Ada Johnson'));
  });

  it('ignores case and accents', () => {
    expect(scoreMatch('cafe', 'Café')).toBeGreaterThan(0);
    expect(scoreMatch('إطلاق', 'مشروع الإطلاق')).toBeGreaterThan(0);
  });

  it('treats a pattern as plain text', () => {
    expect(scoreMatch('.*', 'Pricing')).toBe(0);
  });
});
