import { EMOJI_GROUPS, findEmoji, TONES, toneEmoji, type Tone } from '../../text/emoji/emoji.ts';

const BY_NAME = new Map(
  EMOJI_GROUPS.flatMap((group) => group.emoji).flatMap((emoji) =>
    emoji.shortNames.map((name) => [name, emoji] as const),
  ),
);

/** `+1::skin-tone-3`, and `handshake::skin-tone-2-6` for two people. 1 would be without a tone. */
const SLACK_NAME = /^(?<name>.+)::skin-tone-(?<first>[2-6])(?:-(?<second>[2-6]))?$/;
/** `+1_medium_light_skin_tone`, and twice for two people. */
const MATTERMOST_NAME =
  /^(?<name>.+?)_(?<first>light|medium_light|medium|medium_dark|dark)_skin_tone(?:_(?<second>light|medium_light|medium|medium_dark|dark)_skin_tone)?$/;

const SLACK_TONES = ['2', '3', '4', '5', '6'];
const MATTERMOST_TONES = ['light', 'medium_light', 'medium', 'medium_dark', 'dark'];

/** These go by an older name there. */
const MATTERMOST_NAMES: Readonly<Record<string, string>> = {
  'women-with-bunny-ears-partying': 'woman-with-bunny-ears-partying',
  'men-with-bunny-ears-partying': 'man-with-bunny-ears-partying',
};

/** By its name in Slack or Mattermost. Undefined for an emoji of a workspace's own. */
export function emojiOf(name: string): string | undefined {
  return (
    BY_NAME.get(name)?.text ??
    readToned(SLACK_NAME, SLACK_TONES, name) ??
    readToned(MATTERMOST_NAME, MATTERMOST_TONES, name)
  );
}

function readToned(pattern: RegExp, names: readonly string[], text: string): string | undefined {
  const { name = '', first = '', second = first } = pattern.exec(text)?.groups ?? {};
  const emoji = BY_NAME.get(name);
  return emoji && toneEmoji(emoji, toneOf(names, first), toneOf(names, second));
}

function toneOf(names: readonly string[], name: string): Tone {
  return TONES[names.indexOf(name)] ?? TONES[0];
}

/** Undefined if chat systems have no name for it. */
export function slackName(text: string): string | undefined {
  const { name, tones } = namesOf(text, SLACK_TONES);
  return tones.length === 0 ? name : `${name}::skin-tone-${tones.join('-')}`;
}

/** A server may be older than the emoji. Then it refuses the name. */
export function mattermostName(text: string): string | undefined {
  const { name = '', tones, isJoined } = namesOf(text, MATTERMOST_TONES);
  if (name === '') return undefined;
  // Of two people who are joined characters, it names both tones, also if they are the same.
  const named = isJoined && tones.length === 1 ? [...tones, ...tones] : tones;
  return [MATTERMOST_NAMES[name] ?? name, ...named.map((tone) => `${tone}_skin_tone`)].join('_');
}

function namesOf(text: string, toneNames: readonly string[]) {
  const { emoji, tones = [] } = findEmoji(text) ?? {};
  return {
    name: emoji?.shortNames[0],
    tones: tones.map((tone) => toneNames[TONES.indexOf(tone)] ?? ''),
    isJoined: emoji?.pair !== undefined && emoji.text.includes('\u200D'),
  };
}
