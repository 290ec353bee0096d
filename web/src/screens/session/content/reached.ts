import type { Message } from '@atrium/sdk';
import { GROUP_WORDS, wordOf } from '../../../../../server/src/text/group-words.ts';
import { firstNameKey, nameKey } from '../../../../../server/src/text/name-key.ts';
import type { KnownPerson } from '../../../data/queries.ts';

interface Known {
  person: (userId: string) => KnownPerson;
  /** Whether an agent, a model or an integration answers to it here. */
  answers: (slug: string) => boolean;
}

type Reaching = Pick<Message, 'mentions' | 'mentionedUserIds'> &
  Partial<Pick<Message, 'broadcast'>>;

/** Whom the mentions of a message reach, by slug or name: a person's id, or null for who answers and for groups. */
export function findReached(
  { mentions, mentionedUserIds, broadcast }: Reaching,
  { person, answers }: Known,
): Map<string, string | null> {
  const reached = new Map<string, string | null>();
  for (const slug of mentions) if (answers(slug)) reached.set(slug, null);
  if (broadcast) reached.set(wordOf(broadcast), null);
  const renamed = mentionedUserIds.filter((userId) => {
    const { name, handle } = person(userId);
    const keys = [nameKey(name), firstNameKey(name), handle ?? ''].filter(Boolean);
    for (const key of keys) reached.set(key, userId);
    return !keys.some((key) => mentions.some((slug) => slug === key || nameKey(slug) === key));
  });
  // Whoever has another handle or name by now was mentioned by the former one.
  const others = mentions.filter(
    (slug) => !reached.has(slug) && !reached.has(nameKey(slug)) && !GROUP_WORDS.has(slug),
  );
  if (renamed.length === others.length) {
    for (const [at, slug] of others.entries()) reached.set(slug, renamed[at] ?? null);
  }
  return reached;
}
