import type { KeyboardEvent } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { toastError } from '../../ui/layers/toast.tsx';
import { useMessageActions } from './actions.tsx';
import { readDraft } from '../../data/device/drafts.ts';
import { findOwnReplies, type Row } from './list/rows.ts';

/** Escape stops the answers to the person's last question, unless text is typed or something else closes. */
export function useStopOnEscape(
  rows: readonly Row[],
  retrying: ReadonlySet<string>,
  sessionId: string,
  parentMessageId?: string,
): (event: KeyboardEvent) => void {
  const { profile } = useWorkspace();
  const { stop } = useMessageActions();
  return (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (readDraft(sessionId, parentMessageId).trim() !== '') return;
    const replies = findOwnReplies(rows, retrying, profile.userId);
    if (replies.length === 0) return;
    event.preventDefault();
    for (const { questionId, mention } of replies) stop(questionId, mention).catch(toastError);
  };
}
