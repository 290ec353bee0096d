/** The address as the browser reads it, or undefined if a person must not be sent there. */
export function safeLink(address: string): string | undefined {
  const url = URL.parse(address);
  return url && (url.protocol === 'mailto:' || isWeb(url)) ? url.href : undefined;
}

/** The same for a web page, such as a memory's source. */
export function safePage(address: string): string | undefined {
  const url = URL.parse(address);
  return url && isWeb(url) ? url.href : undefined;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
