import { useEffect, type RefObject } from 'react';
import { takesLetters } from '../../ui/keys/takes-keys.ts';
import { useSingleKeys } from '../../data/device/single-keys.ts';

interface InboxKeys {
  list: RefObject<HTMLElement | null>;
  onRead: (id: string) => void;
  /** What is read goes away, so focus moves to what stays. */
  isUnreadOnly: boolean;
}

/** j and k move through the list, e marks as read. Enter opens, because each entry is a link. */
export function useInboxKeys({ list, onRead, isUnreadOnly }: InboxKeys): void {
  const [isOn] = useSingleKeys();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (takesLetters(target) || document.querySelector('dialog[open]')) return;
      const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-notification]') ?? [])];
      const entry = (target as Element).closest?.('li');
      const at = links.findIndex((link) => entry?.contains(link));
      if (!isOn && at < 0) return;
      if (key === 'j') links[Math.min(at + 1, links.length - 1)]?.focus();
      else if (key === 'k') links[Math.max(at - 1, 0)]?.focus();
      else if (key === 'e' && at >= 0) {
        onRead(links[at]?.dataset['notification'] ?? '');
        (links[at + 1] ?? (isUnreadOnly ? links[at - 1] : undefined))?.focus();
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [list, onRead, isUnreadOnly, isOn]);
}
