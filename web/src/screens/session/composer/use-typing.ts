import { useCallback, useEffect, useRef, useState } from 'react';
import { useHints, type Hint } from '../../../data/live.ts';
import { useMembers, usePeople } from '../../../data/queries.ts';
import { webApi } from '../../../data/web-api.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { nameTypists } from './name-typists.ts';

const TELL_EVERY_MS = 4_000;
/** Longer than between two hints, so that the line stays while somebody goes on writing. */
const SHOWN_MS = 6_000;

/** To be called at each change of the text. Tells others now and then that the person is writing. */
export function useTellTyping(slug: string, sessionId: string): () => void {
  const { org } = useWorkspace();
  const { data: members } = useMembers();
  const isAlone = (members?.length ?? 1) < 2;
  const toldAt = useRef(-Infinity);
  return useCallback(() => {
    const now = performance.now();
    if (isAlone || now - toldAt.current < TELL_EVERY_MS) return;
    toldAt.current = now;
    // It is only a courtesy. Nobody needs to know that it failed.
    webApi.tellTyping(org.id, slug, sessionId).catch(() => {});
  }, [isAlone, org.id, slug, sessionId]);
}

/** Who else is writing in the session, in words. */
export function useTypists(sessionId: string): string | undefined {
  const person = usePeople();
  const [until, setUntil] = useState<ReadonlyMap<string, number>>(new Map());
  useHints(
    useCallback(
      (hint: Hint) => {
        if (!('sessionId' in hint) || hint.sessionId !== sessionId) return;
        if (hint.type === 'session.typing') {
          const { userId } = hint;
          setUntil((old) => new Map(old).set(userId, performance.now() + SHOWN_MS));
        }
        // Somebody has sent what they wrote. Whoever still writes says so again.
        if (hint.type === 'message.created') setUntil(new Map());
      },
      [sessionId],
    ),
  );
  useEffect(() => {
    if (until.size === 0) return undefined;
    const wait = Math.min(...until.values()) - performance.now();
    const timer = setTimeout(() => {
      setUntil((old) => new Map([...old].filter(([, end]) => end > performance.now())));
    }, wait);
    return () => clearTimeout(timer);
  }, [until]);
  return nameTypists([...until.keys()].map((userId) => person(userId).name));
}
