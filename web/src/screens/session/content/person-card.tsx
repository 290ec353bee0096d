import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { usePeople } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { placeAbove } from '../../../ui/layers/place-above.ts';
import { ROLE_NAMES } from '../../../shared/roles.ts';

const HOVER_MS = 300;
/** Long enough to move the pointer from the mention to the card. */
const LEAVE_MS = 200;

/**
 * The card about whoever is mentioned under the pointer or has focus. One for all mentions of a session. It
 * says what everybody in the organisation knows, and nothing about projects.
 */
export function PersonCardLayer() {
  const [mention, card] = useShownMention();
  const { profile } = useWorkspace();
  const person = usePeople();
  useLayoutEffect(() => {
    if (!mention) return;
    card.current?.showPopover();
    if (card.current) placeAbove(card.current, mention.getBoundingClientRect());
  }, [mention, card]);
  const userId = mention?.dataset['person'];
  if (userId === undefined) return null;
  const { name, handle, role } = person(userId);
  return (
    // Not read aloud: the mention describes itself.
    <div
      ref={card}
      popover="manual"
      aria-hidden
      className="fixed inset-auto m-0 flex max-w-72 items-center gap-3 rounded-lg border border-line bg-raised p-3 text-ink shadow-xl"
    >
      <Avatar name={name} seed={userId} size="large" />
      <div className="flex min-w-0 flex-col">
        <span dir="auto" className="font-semibold wrap-anywhere">
          {name}
          {userId === profile.userId && <span className="font-normal text-muted"> (you)</span>}
        </span>
        <span className="text-sm wrap-anywhere text-muted">@{handle}</span>
        {role && <span className="text-note text-muted">{ROLE_NAMES[role]}</span>}
      </div>
    </div>
  );
}

function useShownMention() {
  const [mention, setMention] = useState<HTMLElement>();
  const card = useRef<HTMLDivElement>(null);
  const shown = useRef(mention);
  useEffect(() => {
    shown.current = mention;
  });
  useEffect(() => {
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (next: HTMLElement | undefined, ms = 0) => {
      clearTimeout(timer);
      if (ms === 0) setMention(next);
      else timer = setTimeout(() => setMention(next), ms);
    };
    const listen = <Type extends keyof DocumentEventMap>(
      type: Type,
      listener: (event: DocumentEventMap[Type]) => void,
    ) => document.addEventListener(type, listener, { capture: true, signal: stopping.signal });
    listen('pointerover', ({ target, pointerType }) => {
      if (pointerType !== 'mouse') return;
      const next = mentionAt(target);
      if (next) show(next, HOVER_MS);
      else if (card.current?.contains(target as Node)) clearTimeout(timer);
      else show(undefined, LEAVE_MS);
    });
    listen('focusin', ({ target }) => {
      const next = mentionAt(target);
      show(next?.matches(':focus-visible') ? next : undefined);
    });
    listen('click', ({ target }) => show(mentionAt(target)));
    listen('focusout', () => show(undefined));
    listen('scroll', () => show(undefined));
    listen('keydown', (event) => {
      if (event.key !== 'Escape' || !shown.current) return;
      // Nothing else closes with it, such as the thread.
      event.preventDefault();
      show(undefined);
    });
    // The pointer may have been there before this was loaded.
    const pointed = document.querySelector<HTMLElement>('[data-person]:hover');
    if (pointed) show(pointed, HOVER_MS);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, []);
  return [mention, card] as const;
}

function mentionAt(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-person]') ?? undefined;
}
