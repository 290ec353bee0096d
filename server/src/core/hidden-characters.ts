/**
 * The first character, such as `U+200B`, that nobody sees in a name, and that makes two names look alike or turns
 * the text around it: bidirectional controls, zero-width and other ignorable characters, and control codes except
 * line breaks and tabs. What emoji and languages need is allowed where they need it.
 */
export function findHiddenCharacter(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  const rest = text.replaceAll(/\p{RGI_Emoji}/gv, '😀').replaceAll(NEEDED, '');
  const [found] = HIDDEN.exec(rest) ?? [];
  return found && `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The text without such characters, for what others wrote and nobody can correct. */
export function dropHiddenCharacters(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(SHOWN_OR_HIDDEN, '$1');
}

const PLAIN = /^[\x20-\x7e]*$/;
const HIDDEN = /[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\ufff9-\ufffb]--[\t\n\r]]/v;

/** Scripts whose letters a joiner or non-joiner connects or keeps apart. */
const JOINING = String.raw`[[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]&&[\p{L}\p{M}]]`;

/** Between two such letters, between two emoji, or after the character whose look it chooses. */
const NEEDED_PATTERN = [
  String.raw`(?<=${JOINING})[\u200c\u200d](?=${JOINING})`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  String.raw`(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\p{scx=Mong})[\u180b-\u180d\u180f]`,
].join('|');
const NEEDED = new RegExp(NEEDED_PATTERN, 'gv');
const SHOWN_OR_HIDDEN = new RegExp(
  String.raw`(\p{RGI_Emoji}|${NEEDED_PATTERN})|${HIDDEN.source}`,
  'gv',
);
