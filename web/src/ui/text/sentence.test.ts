import { describe, expect, it } from 'vitest';
import { toSentence } from './sentence.ts';

describe('a message of the API', () => {
  it.each([
    ['must not be empty', 'It must not be empty.'],
    ['is not a member of this Project', 'It is not a member of this Project.'],
    ['has no tools', 'It has no tools.'],
    [
      'contains a character that looks like another letter',
      'It contains a character that looks like another letter.',
    ],
    ['the name does not exist', 'The name does not exist.'],
    ['this is the address of Atrium itself', 'This is the address of Atrium itself.'],
    ['no response within 10 s', 'No response within 10 s.'],
    ['unknown field', 'Unknown field.'],
    ['Atrium is shutting down', 'Atrium is shutting down.'],
    ['The name is taken. Choose another.', 'The name is taken. Choose another.'],
  ])('%s', (message, sentence) => {
    expect(toSentence(message)).toBe(sentence);
  });
});
