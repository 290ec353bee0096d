import { expect, it } from 'vitest';
import { questionAbout } from './first-question.ts';

it.each([
  ['the example', '@recall what goes into memory?'],
  ['**Planning** is on Monday. At ten.', '@recall what do we know about “Planning is on Monday”?'],
  ['word '.repeat(40), `@recall what do we know about “${'word '.repeat(12).trim()}”?`],
])('asks about %j', (content, question) =>
  expect(questionAbout(content, 'the example')).toBe(question),
);
