/** What most people use, until they have used others. */
const USUAL = ['👍', '✅', '🎉', '❤️', '👀', '🙏', '😂', '🚀', '🔥'];

/** What a person used lately, the last one first, filled up with what most people use. */
export function usualEmoji(recent: readonly string[], count: number): string[] {
  const others = USUAL.filter((text) => !recent.includes(text));
  return [...recent, ...others].slice(0, Math.max(count, recent.length));
}
