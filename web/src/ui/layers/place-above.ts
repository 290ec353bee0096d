const GAP = 6;

/**
 * Above the control, in its middle or where it begins, or below it if there is no room. Never beyond the edge of
 * the window.
 */
export function placeAbove(
  box: HTMLElement,
  anchor: DOMRect,
  align: 'middle' | 'start' = 'middle',
): void {
  const { width, height } = box.getBoundingClientRect();
  const left = align === 'start' ? anchor.left : anchor.left + anchor.width / 2 - width / 2;
  const top = anchor.top - height - GAP;
  box.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
  box.style.top = `${top < GAP ? anchor.bottom + GAP : top}px`;
}
