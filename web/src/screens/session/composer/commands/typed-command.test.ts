import type { Member } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { COMMANDS, findSimilar, suggestCommands } from './command-table.ts';
import { findMentioned } from './mentioned.ts';
import { findCommandQuery, needsLook, readCommand } from './typed-command.ts';

describe('a draft', () => {
  it.each([
    ['/remind me  tomorrow', 'remind', 'me  tomorrow'],
    ['/Mute', 'mute', ''],
    ['/task\nTitle', 'task', 'Title'],
    ['/shrug', 'shrug', ''],
  ])('%j is the command %s', (body, name, args) =>
    expect(readCommand(body)).toEqual({ name, args }),
  );

  it.each(['/etc/hosts', '/', '/ remind', 'a /remind', '//', '/2', '/a.b'])(
    '%j is a message',
    (body) => expect([readCommand(body), needsLook(body)]).toEqual([undefined, false]),
  );

  it('to many people is looked at before it is sent', () => {
    expect(['@here', 'hi @Everyone.', '@hereafter', '@all'].map(needsLook)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

it('offers commands only at the beginning, by the letters up to the caret', () => {
  expect(findCommandQuery('/re', 3)).toBe('re');
  expect(findCommandQuery('/remind x', 2)).toBe('r');
  expect(findCommandQuery('/remind x', 9)).toBeUndefined();
  expect(findCommandQuery('x /re', 5)).toBeUndefined();
  expect(suggestCommands('re').map(({ title }) => title)).toEqual(['/remind', '/remember']);
  expect(suggestCommands('')).toHaveLength(COMMANDS.length);
});

it('guesses what a command was meant to be', () => {
  expect(findSimilar('remidn')).toEqual(['remind']);
  expect(findSimilar('re')).toEqual(['remind', 'remember']);
  expect(findSimilar('stauts')).toEqual(['status']);
  expect(findSimilar('shrug')).toEqual([]);
});

it('finds people by their handles, and what is left', () => {
  const bea = { userId: 'b', handle: 'bea' } as Member;
  expect(findMentioned('Fix it, @Bea, please', [bea])).toEqual({
    people: [bea],
    unknown: [],
    rest: 'Fix it, please',
  });
  expect(findMentioned('@bea @nobody @bea', [bea])).toEqual({
    people: [bea],
    unknown: ['@nobody'],
    rest: '',
  });
});
