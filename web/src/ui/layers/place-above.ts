const GAP = 6;

/** Above the control, or below it if there is no room. Never beyond the edge of the window. */
export function placeAbove(box: HTMLElement, anchor: DOMRect): void {
  const { width, height } = box.getBoundingClientRect();
  const middle = anchor.left + anchor.width / 2 - width / 2;
  const top = anchor.top - height - GAP;
  box.style.left = `${Math.max(GAP, Math.min(middle, innerWidth - width - GAP))}px`;
  box.style.top = `${top < GAP ? anchor.bottom + GAP : top}px`;
}
