/** About right for English, and rather high for scripts with more bytes per letter. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Tokenizers fall back to bytes for unknown text, so there is at most one token per byte. */
export function mostTokens(text: string): number {
  return Buffer.byteLength(text);
}

/** Of a picture at most 1,280 pixels wide: about what providers count, and the most that they count. */
export const IMAGE_TOKENS = { usual: 1_500, most: 5_000 };

/** The provider's count; undefined if it is missing or impossible. */
export function countOf(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens > 0 && Number.isSafeInteger(tokens) ? tokens : undefined;
}
