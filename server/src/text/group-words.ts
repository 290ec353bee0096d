/** Words for groups of people. They are never one person's name, and nobody can take them as a handle. */
export const GROUP_WORDS: ReadonlySet<string> = new Set(['here', 'everyone', 'channel', 'all']);

/** Whom a message can be said to, besides the people it mentions: followers who are there, or all of them. */
export const BROADCASTS = ['HERE', 'EVERYONE'] as const;
export type Broadcast = (typeof BROADCASTS)[number];

/** The mention that stands for it. */
export const wordOf = (broadcast: Broadcast): string => broadcast.toLowerCase();

/** No more people are told by one message. */
export const MOST_REACHED = 200;

/**
 * What the mentions of a body say to a group. A word that somebody or something has as a name is theirs, because
 * they had it before it was reserved.
 */
export function broadcastIn(
  mentions: readonly string[],
  isTaken: (word: string) => boolean,
): Broadcast | null {
  const says = (broadcast: Broadcast) =>
    mentions.includes(wordOf(broadcast)) && !isTaken(wordOf(broadcast));
  if (says('EVERYONE')) return 'EVERYONE';
  return says('HERE') ? 'HERE' : null;
}
