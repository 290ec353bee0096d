import { useEffect } from 'react';
import { takesLetters } from '../../../ui/keys/takes-keys.ts';
import { readDraft, setDraft } from '../../../data/device/drafts.ts';
import { findComposer, focusAtEnd } from './composers.ts';

/**
 * What is typed anywhere in a session is written in its composer, also while the session is still loading.
 * Alt+M goes there without typing anything.
 */
export function useTypingAnywhere(sessionId: string, isLoading: boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isToComposer = isComposerKey(event);
      if (event.defaultPrevented || event.isComposing || isElsewhere(event.target)) return;
      if (!isToComposer && !isPrintable(event)) return;
      const composer = findComposer(event.target);
      // The browser types the key into whatever has focus after this.
      if (composer) focusAtEnd(composer);
      else if (isLoading && !isToComposer) {
        setDraft(sessionId, undefined, readDraft(sessionId, undefined) + event.key);
      } else return;
      if (isToComposer || !composer) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [sessionId, isLoading]);
}

/** By the key's place, because with Alt some keyboards type another letter. */
function isComposerKey({ altKey, ctrlKey, metaKey, code }: KeyboardEvent): boolean {
  return altKey && !ctrlKey && !metaKey && code === 'KeyM';
}

/** A space presses buttons and scrolls, and begins no message. */
function isPrintable(event: KeyboardEvent): boolean {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (key === ' ' || key.length !== 1) return false;
  return event.getModifierState('AltGraph') || !(altKey || ctrlKey || metaKey);
}

function isElsewhere(target: EventTarget | null): boolean {
  if (takesLetters(target) || document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
