import { describe, expect, it } from 'vitest';
import { callInWords } from './tool-words.ts';

describe('callInWords', () => {
  it('names the task that was proposed, changed or read', () => {
    const proposed = { name: 'create_task', arguments: { title: 'x' }, result: 'Proposed as #12.' };
    expect(callInWords(proposed, false)).toBe('Proposed task #12');
    const again = { ...proposed, result: 'Not proposed again: it is #3 already.' };
    expect(callInWords(again, false)).toBe('Found task #3, proposed before');
    expect(callInWords({ name: 'update_task', arguments: { number: 4 } }, false)).toBe(
      'Updated task #4',
    );
    expect(callInWords({ name: 'list_tasks', arguments: { number: 4 } }, false)).toBe(
      'Read task #4',
    );
  });

  it('says what is under way, what failed and what was looked for', () => {
    const search = { name: 'search_memory', arguments: { query: 'prices' } };
    expect(callInWords(search, true)).toBe('Searching memory');
    expect(callInWords(search, false)).toBe('Searched memory for “prices”');
    expect(callInWords({ ...search, isError: true }, false)).toBe('Searching memory failed');
    expect(callInWords({ name: 'remember', arguments: 'broken' }, false)).toBe('Saved to memory');
  });

  it('knows nothing about tools of others', () => {
    expect(callInWords({ name: 'get-sum' }, false)).toBeUndefined();
  });
});
