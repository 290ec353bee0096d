/** The longest name of a person or a channel that we show. */
const MOST_CHARACTERS = 80;
/** Nothing longer is looked at. */
const MOST_READ = 1000;

/** Controls, and characters that nobody sees or that turn the direction of the text after them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\s\u115F\u1160\u3164\uFFA0]+|\u034F+/gu;
/** Whatever mentions somebody, formats a text or makes a link in it. */
const MARKUP = /[@\uFF20\uFE6B`*~|\\<>[\]{}]+|:?\/\/+|\bwww\.|\b(?:mailto|tel|javascript|data):/giu;
/** At the start of a line these make a heading, a list or a quote. */
const LINE_START = /^(?:[^\p{L}\p{N}\p{S}]|[-+#>=_])+|^(\d+)[.)](?=\s|$)/u;

/**
 * A name that somebody chose in a chat system, or here, so that it can stand in a text as a name and nothing
 * else: it mentions nobody, links nowhere, formats nothing and stays on its line.
 */
export function inertName(name: string, most = MOST_CHARACTERS): string {
  const plain = name
    .slice(0, MOST_READ)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(UNSEEN, ' ')
    .replaceAll(MARKUP, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .replace(LINE_START, '$1');
  return Array.from(plain).slice(0, most).join('').trim();
}
