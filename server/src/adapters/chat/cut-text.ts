/**
 * Cuts a text that a chat system would refuse. One message of ours is always one message there, so that edits,
 * deletions and reactions find it; the rest is behind the link.
 */
export function cutText(text: string, most: number, note: string): string {
  if (text.length <= most) return text;
  // Not between the halves of a character.
  const kept = text.slice(0, most - note.length - FENCE_ROOM).replace(/[\uD800-\uDBFF]$/, '');
  const atLine = kept.lastIndexOf('\n');
  // A line that was cut in the middle is worth keeping if the lines before it are few.
  const start = atLine > kept.length / 2 ? kept.slice(0, atLine) : kept;
  return `${start}${hasOpenFence(start) ? '\n```' : ''}\n${note}`;
}

/** For a line break and the end of a code block. */
const FENCE_ROOM = 6;

function hasOpenFence(text: string): boolean {
  return (text.match(/^```/gm)?.length ?? 0) % 2 === 1;
}
