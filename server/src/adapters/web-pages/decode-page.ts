/** Where browsers look for the encoding too. */
const DECLARED_WITHIN = 1_024;

/** The text of a page in the encoding that it declares, or in UTF-8. Bytes that are no text become U+FFFD. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString('latin1');
  const label = markOf(start) ?? charsetIn(contentType) ?? declaredIn(start) ?? 'utf-8';
  return decoderFor(label).decode(bytes);
}

/** A byte order mark counts more than what is said elsewhere. */
function markOf(start: string): string | undefined {
  if (start.startsWith('\xef\xbb\xbf')) return 'utf-8';
  if (start.startsWith('\xfe\xff')) return 'utf-16be';
  return start.startsWith('\xff\xfe') ? 'utf-16le' : undefined;
}

function declaredIn(start: string): string | undefined {
  const [tag = ''] = /<meta\s[^>]*charset[^>]*/i.exec(start) ?? [];
  const label = charsetIn(tag);
  // It could not be read here if it were true.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w:.+-]{1,40})/i.exec(text)?.[1];
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
