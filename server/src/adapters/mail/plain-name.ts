const MAX_LENGTH = 80;

/**
 * A name as it may stand in a subject or a mail: one line of at most `max` characters, without anything
 * that reorders or hides text, and inert. Mail programs turn whatever looks like an address into a link,
 * so "claim it at evil.example" would become one in our mail. A zero-width space after the dot prevents it.
 */
export function plainName(name: string, max = MAX_LENGTH): string {
  return unlinked(shortened(oneLine(name), max));
}

function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(HIDDEN, ' ').replaceAll(/\s+/g, ' ').trim();
}

/** Everything invisible but the joiners that emoji and some scripts need. */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]/gu;

/** Never cuts a surrogate pair in half. */
function shortened(line: string, max: number): string {
  if (line.length <= max) return line;
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function unlinked(line: string): string {
  return line.replaceAll(/(?<=\S[.:/@])(?=\S)/g, '\u200b');
}
