import { readOutsideCode } from './mentions.ts';

const MOST_CHARACTERS = 2_048;
const LINK = /(?<![\p{L}\p{N}])https:\/\/[^\s<>"`\\^{}|[\]]+/giu;
/** What ends a sentence, closes a bracket or marks emphasis, and so is not part of the link before it. */
const AT_END = /[.,:;!?'*_~)]$/;

/** The first distinct https links of a Markdown text, as written there, without those in code. */
export function listLinks(body: string, isWanted: (url: URL) => boolean, most: number): string[] {
  const links = new Set<string>();
  if (!/https:\/\//i.test(body)) return [];
  for (const text of readOutsideCode(body, '://')) {
    for (const [found] of text.matchAll(LINK)) {
      const link = withoutEnd(found.slice(0, MOST_CHARACTERS + 1));
      const url = link.length > MOST_CHARACTERS ? null : URL.parse(link);
      if (url && isWanted(url)) links.add(link);
      if (links.size === most) return [...links];
    }
  }
  return [...links];
}

/** A bracket at the end stays if the link has the other one: `…/wiki/Atrium_(heart)`. */
function withoutEnd(link: string): string {
  let end = link.length;
  let unclosed = link.split('(').length - link.split(')').length;
  for (; AT_END.test(link.charAt(end - 1)); end--) {
    if (link.charAt(end - 1) !== ')') continue;
    if (unclosed >= 0) break;
    unclosed++;
  }
  return link.slice(0, end);
}
