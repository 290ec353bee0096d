/** Letters belong to text fields, and to menus and lists that jump to them. */
export function takesLetters(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea') || takesArrows(target);
}

/** The arrow keys choose in it, with Alt too. */
export function takesArrows(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.closest('[role="menu"], [role="listbox"], [role="combobox"]') !== null;
}
