/**
 * What this browser stores for a person: drafts, and messages waiting to be sent. If it can't store
 * anything (a private window, a full disk), they last as long as the page.
 */
const inPage = new Map<string, string>();

export function readKept(name: string): string | undefined {
  const known = inPage.get(name);
  if (known !== undefined) return known;
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
    inPage.delete(name);
  } catch {
    inPage.set(name, value);
  }
}

export function forget(name: string): void {
  inPage.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
}

export function listKept(prefix: string): string[] {
  const names = new Set(inPage.keys());
  try {
    for (let at = 0; at < localStorage.length; at++) names.add(localStorage.key(at) ?? '');
  } catch {
    // Only what the page holds.
  }
  return [...names].filter((name) => name.startsWith(prefix));
}
