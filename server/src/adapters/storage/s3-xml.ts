import { decodeXmlReferences } from '../../text/xml-references.ts';

/** What S3 answers is flat XML of a few known elements, so it needs no parser of all of XML. */

/** The text of the first element of this name. */
export function elementOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? undefined : decodeXmlReferences(found);
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
