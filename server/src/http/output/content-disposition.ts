/** The header for a file of any name (RFC 6266): in ASCII for old clients, and whole for the others. */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_');
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${whole}`;
}
