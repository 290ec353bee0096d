import type { KeyboardEvent } from 'react';

/** Arrow keys move between a list's elements with `data-result` while one has focus. */
export function moveByArrow(event: KeyboardEvent<HTMLElement>, onLeave: () => void): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[data-result]'));
  const at = links.indexOf(event.target as HTMLElement);
  if (at === -1) return;
  event.preventDefault();
  if (event.key === 'ArrowDown') links[at + 1]?.focus();
  else if (at === 0) onLeave();
  else links[at - 1]?.focus();
}
