/** What S3 answers is flat XML of a few known elements, so it needs no parser of all of XML. */

/** The text of the first element of this name. */
export function elementOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? undefined : unescape(found);
}

/** What is in each element of this name, as XML. */
export function elementsOf(xml: string, name: string): string[] {
  const found: string[] = [];
  const [open, close] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(open); at !== -1;) {
    const end = xml.indexOf(close, at);
    if (end === -1) break;
    found.push(xml.slice(at + open.length, end));
    at = xml.indexOf(open, end);
  }
  return found;
}

export function escapeXml(text: string): string {
  return text.replaceAll(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function unescape(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, dec, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole;
    const code = dec === undefined ? Number.parseInt(String(hex), 16) : Number(dec);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}
