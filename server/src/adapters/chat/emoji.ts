/** Both systems use these names. The first is written, the others are read as well. */
const NAMES: Record<string, readonly [string, ...string[]]> = {
  '👍': ['+1', 'thumbsup'],
  '👎': ['-1', 'thumbsdown'],
  '😄': ['smile'],
  '😕': ['confused'],
  '\u2764\uFE0F': ['heart'],
  '🎉': ['tada'],
  '🚀': ['rocket'],
  '👀': ['eyes'],
  '✅': ['white_check_mark'],
};

const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([emoji, names]) => names.map((name) => [name, emoji] as const)),
);

/** Undefined for an emoji that Atrium does not know. Skin tones count as the plain emoji. */
export function emojiOf(name: string): string | undefined {
  return BY_NAME.get(name.replace(/(::skin-tone-\d|_(light|medium|dark).*skin_tone)$/, ''));
}

export function emojiName(emoji: string): string | undefined {
  return NAMES[emoji]?.[0];
}
