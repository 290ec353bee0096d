import { describe, expect, it } from 'vitest';
import { findReached } from './reached.ts';
import { splitText } from './text-parts.ts';

const people: Record<string, { name: string; email: string; handle: string }> = {
  b: { name: 'Berta Lind', email: '', handle: 'blind' },
  j: { name: 'Jürgen Öz', email: '', handle: 'joz' },
};
const known = {
  person: (id: string) => people[id] ?? { name: 'Former member', email: '' },
  answers: (slug: string) => slug === 'recall',
};

/** The parts of the body that are shown as mentions. */
function styled(body: string, mentions: string[], mentionedUserIds: string[] = []): string[] {
  const reached = findReached({ mentions, mentionedUserIds }, known);
  return splitText(body, new Set(reached.keys()), 0).flatMap((part) =>
    part.kind === 'mention' ? part.text : [],
  );
}

describe('what is shown as a mention', () => {
  it('is never a name that reached nobody', () => {
    expect(styled('@anna and @here, @recall', ['anna', 'here', 'recall'])).toEqual(['@recall']);
  });

  it('is a group that was reached, and not the word otherwise', () => {
    const mentions = ['everyone', 'old-name'];
    const of = (broadcast: 'EVERYONE' | null) => [
      ...findReached({ mentions, mentionedUserIds: ['b'], broadcast }, known).keys(),
    ];
    expect(of('EVERYONE')).toEqual(['everyone', 'berta lind', 'berta', 'blind', 'old-name']);
    expect(of(null)).toEqual(['berta lind', 'berta', 'blind', 'old-name']);
  });

  it('is a person by handle, first name, whole name, or a handle they had', () => {
    expect(styled('@blind', ['blind'], ['b'])).toEqual(['@blind']);
    expect(styled('Ask @Berta, please', ['berta'], ['b'])).toEqual(['@Berta']);
    expect(styled('@berta lind’s plan', ['berta'], ['b'])).toEqual(['@berta lind']);
    expect(styled('@Jürgen: hello', ['j'], ['j'])).toEqual(['@Jürgen']);
    expect(styled('@old-name hello', ['old-name'], ['b'])).toEqual(['@old-name']);
    expect(styled('@recall什么 @nobody', ['recall', 'nobody'])).toEqual(['@recall']);
  });
});
