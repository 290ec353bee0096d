import { describe, expect, it } from 'vitest';
import { branchName } from './branch-name.ts';

describe('branchName', () => {
  it.each([
    [12, 'Short title', '12-short-title'],
    [3, 'Übergröße: “Maße” prüfen!', '3-ubergrosse-masse-prufen'],
    [7, '設計', '7-task'],
    [
      104,
      'Let people of several organisations choose which of them a link opens',
      '104-let-people-of-several-organisations-choose',
    ],
  ])('#%i %s', (number, title, name) => {
    expect(branchName({ number, title })).toBe(name);
  });

  it('is never longer than 50 characters, even if it is one word', () => {
    expect(branchName({ number: 1, title: 'a'.repeat(200) })).toHaveLength(50);
  });
});
