import { expect, it } from 'vitest';
import { listLinks } from './links.ts';

const read = (body: string) => listLinks(body, () => true, 3);

it.each([
  ['See https://example.com/a.', 'https://example.com/a'],
  ['(https://example.com/a)', 'https://example.com/a'],
  ['https://example.com/wiki/Atrium_(heart)', 'https://example.com/wiki/Atrium_(heart)'],
  ['(see https://example.com/Atrium_(heart)).', 'https://example.com/Atrium_(heart)'],
  ['[text](https://example.com/a "Title")', 'https://example.com/a'],
  ['[https://example.com/a](https://example.com/a)', 'https://example.com/a'],
  ['<https://example.com/a?b=1&c=2#d>', 'https://example.com/a?b=1&c=2#d'],
  ['**https://example.com/a**, _https://example.com/a_', 'https://example.com/a'],
  ['| https://example.com/a|b |', 'https://example.com/a'],
  ['Https://Example.com/a', 'Https://Example.com/a'],
  ['https://例え.jp/道', 'https://例え.jp/道'],
])('%s', (body, link) => {
  expect(read(body)).toEqual([link]);
});

it.each([
  'no link, though://this',
  'http://example.com/not-encrypted',
  'ftp://example.com',
  'xhttps://example.com',
  'https://',
  'https://[half',
  '`https://example.com/span`',
  '```\nhttps://example.com/block\n```',
  `https://example.com/${'a'.repeat(2_048)}`,
])('none in %s', (body) => {
  expect(read(body)).toEqual([]);
});

it('lists each once, in order, as many as are wanted', () => {
  const body = ['c', 'a', 'c', 'b', 'd'].map((one) => `https://example.com/${one}`).join(' ');
  expect(read(body).map((link) => link.at(-1))).toEqual(['c', 'a', 'b']);
  const wanted = listLinks(body, ({ pathname }) => pathname !== '/a', 3);
  expect(wanted.map((link) => link.at(-1))).toEqual(['c', 'b', 'd']);
});
