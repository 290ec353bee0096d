import type { Message, Session } from '@atrium/sdk';
import { useMemo, useState } from 'react';
import { useMembers } from '../../../data/queries.ts';
import { useAnswerers } from '../answerers.ts';
import { hintAfter } from './ask-hint.ts';

/** How to ask somebody, after a message that asked nobody. `noteSent` takes what was sent. */
export function useAskHint(
  slug: string,
  session: Session,
): [hint: string | undefined, noteSent: (message: Message) => void] {
  const [sent, setSent] = useState<Message>();
  const { fallback } = useAnswerers(slug, session);
  const { data: members } = useMembers();
  const usual = session.model ?? fallback;
  const isForOne = session.answersWithoutMention;
  const hint = useMemo(() => {
    // Until both are loaded, it isn't known whom to name.
    if (!sent || !members || usual === '…') return undefined;
    return hintAfter(sent, { usual, isForOne, members });
  }, [sent, members, usual, isForOne]);
  return [hint, setSent];
}
