import { describe, expect, it } from 'vitest';
import { countWork } from '../../../../test/harness/counting/count-work.ts';
import { atOnce } from '../../../text/words/in-turns.ts';
import { createHighlighter } from './highlight.ts';
import { parseQuery } from './query.ts';

const highlight = (body: string, query: string) =>
  atOnce(createHighlighter(parseQuery(query))(body));

/** The highlighted parts of the body. */
function parts(body: string, query: string): string[] {
  const characters = Array.from(body);
  return highlight(body, query).map(({ start, end }) => characters.slice(start, end).join(''));
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
    expect(highlight(body, 'needle')).toEqual([{ start: 400 * 9, end: 400 * 9 + 6 }]);
  });

  it('finds a phrase that two pieces share', () => {
    const body = 'alpha beta '.repeat(2_000);
    expect(highlight(body, '"beta alpha beta"')).toEqual([
      { start: 0, end: 5 },
      { start: 6, end: body.length - 1 },
    ]);
  });

  it('finds a phrase without spaces that two pieces share', () => {
    const body = Array.from({ length: 3_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(
      '',
    );
    expect(parts(body, `"${body.slice(990, 1_010)}"`)).toEqual([body.slice(990, 1_010)]);
    expect(parts(body, `"${body.slice(500, 2_490)}"`)).toEqual([body.slice(500, 2_490)]);
    const thai = 'ที่นี่มีของดี'.repeat(200);
    expect(parts(thai, `"${thai.slice(995, 1_008)}x"`)).toEqual([]);
    expect(parts(thai, `"${thai.slice(0, 1_900)}"`)).toHaveLength(1);
  });

  it('finds all phrases, also those that are parts of others', () => {
    expect(parts('a b c d e b c', '"b c" "c d" "c d e" "d"')).toEqual(['b c d e', 'b c']);
    expect(parts('a b c d', '"b c" "c d" "c d e"')).toEqual([]);
  });

  it('has at most a hundred parts, and takes linear work', () => {
    const work = (times: number) =>
      countWork(() => void highlight('a b '.repeat(times), '"a b a b" b'));
    expect(parts('b '.repeat(5_000), 'b')).toHaveLength(100);
    expect(work(4_000) / work(1_000)).toBeLessThan(6);
  });
});

describe('one search never holds up others', () => {
  /** A body of the maximum length in which a phrase nearly occurs everywhere, and the most that one step does. */
  function workOf(query: string, body = '東'.repeat(20_000)): { inAll: number; inStep: number } {
    const work = { inAll: 0, inStep: 0 };
    const steps = createHighlighter(parseQuery(query))(body);
    const state = { isDone: false };
    while (!state.isDone) {
      const inStep = countWork(() => {
        state.isDone = steps.next().done === true;
      });
      work.inAll += inStep;
      work.inStep = Math.max(work.inStep, inStep);
    }
    return work;
  }

  it.each([
    ['a long phrase that nearly occurs everywhere', `"${'東'.repeat(1_990)}京"`],
    ['a long phrase that occurs everywhere', `"${'東'.repeat(1_990)}"`],
    ['many phrases', '"東東" '.repeat(400)],
    [
      'many different phrases',
      Array.from({ length: 50 }, (_, at) => `"${'東'.repeat(at + 2)}"`).join(''),
    ],
  ])('%s: as much work as for one word, in short steps', (_, query) => {
    const word = workOf('京都');
    const phrase = workOf(query);
    expect(phrase.inAll / word.inAll).toBeLessThan(2);
    expect(phrase.inStep / word.inStep).toBeLessThan(2.5);
  });

  it('thousands of matches: in short steps', () => {
    const [few, many] = [workOf('a', 'b '.repeat(10_000)), workOf('a b', 'a b '.repeat(5_000))];
    expect(many.inStep / few.inStep).toBeLessThan(2.5);
  });
});
