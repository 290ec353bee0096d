import { takesLetters } from '../../../ui/keys/takes-keys.ts';

/** The composers on the page, by the message whose thread they are in. */
const composers = new Map<string, HTMLTextAreaElement>();

/** Focuses the composer of a thread, or else of the session, with the caret at the end. */
export function focusComposer(parentMessageId?: string): void {
  // Text that was just set is on the page after the next paint.
  requestAnimationFrame(() => {
    const composer = composers.get(parentMessageId ?? '') ?? composers.get('');
    if (composer) focusAtEnd(composer);
  });
}

export function focusAtEnd(composer: HTMLTextAreaElement): void {
  composer.focus({ preventScroll: true });
  composer.setSelectionRange(composer.value.length, composer.value.length);
}

/** For a composer that has just opened: nobody is interrupted who is writing something else. */
export function focusUnlessTyping(composer: HTMLTextAreaElement): void {
  const { activeElement } = document;
  const isInComposer = [...composers.values()].some((other) => other === activeElement);
  if (isInComposer || !takesLetters(activeElement)) focusAtEnd(composer);
}

/** The composer for what is typed here: the one in the same pane, or else the one that was opened last. */
export function findComposer(target: EventTarget | null): HTMLTextAreaElement | undefined {
  const all = [...composers.values()].toReversed();
  const here = all.find((area) => area.closest('[data-pane]')?.contains(target as Node | null));
  return here ?? all[0];
}

export function registerComposer(
  parentMessageId: string | undefined,
  area: HTMLTextAreaElement,
): () => void {
  const place = parentMessageId ?? '';
  composers.set(place, area);
  return () => {
    if (composers.get(place) === area) composers.delete(place);
  };
}
