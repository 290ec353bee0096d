/**
 * Where to go after signing in. Anyone can write a link, so only a path on this site is accepted;
 * anything else leads to the home page.
 */
export function readReturnTo(text: string | null | undefined): string {
  if (!text || !/^\/(?![/\\])/.test(text) || /[\\\p{Cc}]/u.test(text)) return '/';
  const url = URL.parse(text, location.origin);
  // A path such as `/.//evil.example` only becomes `//evil.example` once it is parsed.
  if (url?.origin !== location.origin || url.pathname.startsWith('//')) return '/';
  if (url.pathname === '/sign-in') return '/';
  return url.pathname + url.search + url.hash;
}
