const MOST = 3;
/** Longer than any three emoji, so that long messages are not looked through. */
const LONGEST = 60;
const graphemes = new Intl.Segmenter();
/** As an emoji, not as the text that © or a digit can be too. */
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Emoji}\p{Emoji_Modifier})/u;

/** Up to three emoji and nothing else, which are shown larger. */
export function isOnlyEmoji(body: string): boolean {
  if (body.length > LONGEST || !EMOJI.test(body)) return false;
  const shown = [...graphemes.segment(body)].filter(({ segment }) => segment.trim() !== '');
  return shown.length <= MOST && shown.every(({ segment }) => EMOJI.test(segment));
}
