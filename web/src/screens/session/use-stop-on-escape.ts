import { useEffect, useEffectEvent, type KeyboardEvent } from 'react';
import { toastError } from '../../ui/layers/toast.tsx';
import { readDraft } from '../../data/device/drafts.ts';
import type { Stoppable } from './list/rows.ts';
import { useSession } from './session-context.ts';

/** Escape stops these answers, unless text is typed or something else closes with it. */
export function useStopOnEscape(
  replies: readonly Stoppable[],
  parentMessageId: string | undefined,
): (event: KeyboardEvent) => void {
  const { session, messages, around } = useSession();
  function stop(event: Pick<globalThis.KeyboardEvent, 'preventDefault'>) {
    if (document.querySelector('dialog[open]') !== null || replies.length === 0) return;
    if (readDraft(session.id, parentMessageId).trim() !== '') return;
    event.preventDefault();
    for (const { questionId, mention } of replies) {
      messages.stopReply(questionId, mention).catch(toastError);
    }
  }
  const isForPage = parentMessageId === undefined && !around;
  const stopFromPage = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const hasFocus = event.target !== document.body;
    if (event.key === 'Escape' && !event.defaultPrevented && !hasFocus) stop(event);
  });
  useEffect(() => {
    if (!isForPage) return undefined;
    const listener = (event: globalThis.KeyboardEvent) => stopFromPage(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, [isForPage]);
  return (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    stop(event);
  };
}
