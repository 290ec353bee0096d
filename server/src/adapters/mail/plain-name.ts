const MAX_LENGTH = 80;

/**
 * A name as it may stand in a mail, or a subject made of names: one line of at most `max` characters, without
 * anything that reorders or hides text. Mail programs turn whatever looks like an address into a link, such as
 * "claim it at evil.example". A zero-width space after the dot prevents it.
 */
export function plainName(name: string, max = MAX_LENGTH): string {
  const line = name.toWellFormed().replaceAll(HIDDEN, ' ').replaceAll(/\s+/g, ' ').trim();
  return shortened(line, max).replaceAll(/(?<=\S[.:/@])(?=[^\s\u200b])/g, '\u200b');
}

/** Everything invisible but the joiners that emoji and some scripts need, and our own zero-width spaces. */
const HIDDEN = /(?![\u200c\u200d]|(?<=[.:/@])\u200b)[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]/gu;

/** Never cuts a surrogate pair in half. */
function shortened(line: string, max: number): string {
  if (line.length <= max) return line;
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
