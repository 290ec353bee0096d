/** About right for English, and rather too many for scripts whose letters take more bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Tokenizers that know nothing of a text fall back to its bytes: there is never more than a token for each. */
export function mostTokens(text: string): number {
  return Buffer.byteLength(text);
}

/** A provider's own count; undefined where it gives none, or one that cannot be. */
export function countOf(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens > 0 && Number.isSafeInteger(tokens) ? tokens : undefined;
}
