/** What is wrong with a handle, in words. The server has the last word; this says it in more detail. */
export function findHandleProblem(handle: string): string | undefined {
  if (handle === '') return 'Enter a handle.';
  const stranger = /[^a-z0-9._-]/u.exec(handle)?.[0];
  if (stranger !== undefined && /\s/.test(stranger)) return 'A handle has no spaces.';
  if (stranger !== undefined) {
    return `“${stranger}” can’t be in a handle, even if it looks like a letter that can. Use a–z, 0–9, dots, hyphens and underscores.`;
  }
  if (!/^[a-z0-9]/.test(handle)) return 'A handle starts with a letter or a digit.';
  if (handle.endsWith('.')) return 'A handle can’t end with a dot.';
  if (handle.length < 2) return 'A handle has at least 2 characters.';
  if (handle.length > 32) return 'A handle has at most 32 characters.';
  return undefined;
}
