const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** The address as the browser will read it, where a person may be sent there; anything else is undefined. */
export function safeLink(address: string): string | undefined {
  const url = URL.parse(address);
  return url && SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** For the source of a memory: a page, never a mail to write. */
export function safePage(address: string | null): string | undefined {
  const link = address === null ? undefined : safeLink(address);
  return link?.startsWith('mailto:') ? undefined : link;
}
