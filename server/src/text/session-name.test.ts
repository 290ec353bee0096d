import { expect, it } from 'vitest';
import { sessionNameFrom } from './session-name.ts';

it.each([
  ['what did we decide about pricing?', 'What did we decide about pricing?'],
  ['@recall, @gpt-5.1 what is **new**?', 'What is new?'],
  ['Hello. And then much more.', 'Hello'],
  ['# Plan\n\nWe do it.', 'Plan'],
  ['\n\n@model\nSummarise v2.1 for me', 'Summarise v2.1 for me'],
  ['決めましたか？はい。', '決めましたか？'],
  ['word '.repeat(30), `Word ${'word '.repeat(11).trim()}…`],
  ['😀'.repeat(80), `${'😀'.repeat(60)}…`],
  ['@model', undefined],
  ['…', '…'],
])('%j is called %j', (body, name) => {
  expect(sessionNameFrom(body)).toBe(name);
});
