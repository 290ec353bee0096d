import type { Message } from '@atrium/sdk';
import { useMemo, useState } from 'react';
import { useMembers } from '../../../data/queries.ts';
import { useAnswerers } from '../answerers.ts';
import { useSession } from '../session-context.ts';
import { hintAfter } from './ask-hint.ts';

/** How to ask somebody, after a message that asked nobody. `noteSent` takes what was sent. */
export function useAskHint(): [hint: string | undefined, noteSent: (message: Message) => void] {
  const { session } = useSession();
  const { kind } = session;
  const [sent, setSent] = useState<Message>();
  const { usual } = useAnswerers();
  const { data: members } = useMembers();
  const isForOne = session.answersWithoutMention;
  const hint = useMemo(() => {
    // Until both are loaded, it isn't known whom to name. People who talk to each other ask each other.
    if (kind === 'DIRECT' || !sent || !members || usual === '…') return undefined;
    return hintAfter(sent, { usual, isForOne, members });
  }, [sent, members, usual, isForOne, kind]);
  return [hint, setSent];
}
