/** Touch keyboards have no Shift+Enter, so Enter adds a line there, and nothing takes focus by itself. */
export function isTouch(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}
