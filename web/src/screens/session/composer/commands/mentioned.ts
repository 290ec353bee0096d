import type { Member } from '@atrium/sdk';

interface Mentioned {
  people: Member[];
  /** Written with an @, but nobody’s handle. */
  unknown: string[];
  /** The text without them. */
  rest: string;
}

/** The people that a command names by their handles. The list of mentions inserts these. */
export function findMentioned(text: string, members: readonly Member[]): Mentioned {
  const found: Mentioned = { people: [], unknown: [], rest: '' };
  const others: string[] = [];
  for (const word of text.split(/\s+/)) {
    const [, handle] = /^@([a-z0-9][a-z0-9._-]*?)[,.;:]?$/i.exec(word) ?? [];
    if (handle === undefined) {
      others.push(word);
      continue;
    }
    const person = members.find((member) => member.handle === handle.toLowerCase());
    if (person && !found.people.includes(person)) found.people.push(person);
    if (!person) found.unknown.push(`@${handle}`);
  }
  return { ...found, rest: others.join(' ').trim() };
}
