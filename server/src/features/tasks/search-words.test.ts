import { expect, it } from 'vitest';
import { countWork } from '../../../test/harness/counting/count-work.ts';
import { wordsOf } from './search-words.ts';

it('takes linear work for a description of combining marks', () => {
  const work = (marks: number) =>
    countWork(() => {
      const description = `a${'\u0301\u0316'.repeat(marks / 2)}`;
      wordsOf('cabcdef', { title: 'Marks', description });
    });
  expect(work(16_000) / work(4_000)).toBeLessThan(5);
});
