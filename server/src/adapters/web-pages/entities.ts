/** Those that titles and descriptions have. Any other one stays as it is written. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  lsaquo: '‹',
  rsaquo: '›',
  bull: '•',
  middot: '·',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  euro: '€',
  pound: '£',
  times: '×',
  rarr: '→',
  larr: '←',
  iexcl: '¡',
  iquest: '¿',
  szlig: 'ß',
  AElig: 'Æ',
  aelig: 'æ',
  OElig: 'Œ',
  oelig: 'œ',
  Oslash: 'Ø',
  oslash: 'ø',
};

const MARKS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  caron: '\u030c',
  cedil: '\u0327',
};

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/gi;
const MARKED = /^([a-z])(grave|acute|circ|tilde|uml|ring|caron|cedil)$/i;

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    ENTITY,
    (written: string, decimal?: string, hex?: string, name?: string) => {
      if (name === undefined) return fromNumber(hex ? parseInt(hex, 16) : Number(decimal));
      return (Object.hasOwn(NAMED, name) ? NAMED[name] : marked(name)) ?? written;
    },
  );
}

/** `eacute` is an é. */
function marked(name: string): string | undefined {
  const [, letter = '', mark = ''] = MARKED.exec(name) ?? [];
  return letter === '' ? undefined : `${letter}${MARKS[mark.toLowerCase()]}`.normalize('NFC');
}

/** Numbers from 128 to 159 mean what they do in Windows-1252, as in browsers. */
function fromNumber(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS.decode(Uint8Array.of(code));
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}

const WINDOWS = new TextDecoder('windows-1252');
