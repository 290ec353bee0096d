import { describe, expect, it } from 'vitest';
import { countWork } from '../../../../test/harness/count-work.ts';
import { atOnce } from '../../../words/in-turns.ts';
import { highlight } from './highlight.ts';
import { parseQuery } from './query.ts';

/** The highlighted parts of the body. */
function parts(body: string, query: string): string[] {
  const characters = Array.from(body);
  const found = atOnce(highlight(body, parseQuery(query)));
  return found.map(({ start, end }) => characters.slice(start, end).join(''));
}

describe('highlight', () => {
  it.each([
    ['We ship the release notes.', 'release', ['release']],
    ['🚀🚀 Releases, RELEASED', 'release', ['Releases', 'RELEASED']],
    ['Cafe\u0301 café', 'CAFÉ', ['Cafe\u0301', 'café']],
    ['東京都に住む', '東京都', ['東京都']],
    ['We ship the release notes.', '"the release notes"', ['the release notes']],
    ['The release, the notes', '"release notes"', []],
    ['Notes of a release', '"release notes"', []],
    ['release notes', '"release notes" "of may"', []],
    ['May I read the release notes of May?', 'read "release notes"', ['read', 'release notes']],
    ['Nothing', 'release', []],
    ['', 'release', []],
  ])('%j, %j', (body, query, expected) => {
    expect(parts(body, query)).toEqual(expected);
  });

  it('counts code points across the pieces that a long body is read in', () => {
    const body = `${'🙂 filler '.repeat(400)}needle`;
    expect(atOnce(highlight(body, parseQuery('needle')))).toEqual([
      { start: 400 * 9, end: 400 * 9 + 6 },
    ]);
  });

  it('finds a phrase that two pieces share', () => {
    const body = 'alpha beta '.repeat(2_000);
    expect(atOnce(highlight(body, parseQuery('"beta alpha beta"')))).toEqual([
      { start: 0, end: 5 },
      { start: 6, end: body.length - 1 },
    ]);
  });

  it('has at most a hundred parts, and takes linear work', () => {
    const work = (times: number) =>
      countWork(() => atOnce(highlight('a b '.repeat(times), parseQuery('"a b a b" b'))));
    expect(parts('b '.repeat(5_000), 'b')).toHaveLength(100);
    expect(work(4_000) / work(1_000)).toBeLessThan(6);
  });
});
