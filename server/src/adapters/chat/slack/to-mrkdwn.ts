/** Markdown in Slack's markup. `mentions`: user ids by handle; anybody else's name notifies nobody. */
export function toMrkdwn(text: string, mentions: ReadonlyMap<string, string> = new Map()): string {
  return splitCode(text.replaceAll('\r\n', '\n'))
    .map(({ isCode, text: part }) =>
      isCode ? escape(withoutLanguage(part)) : proseOf(part, mentions),
    )
    .join('\n');
}

/** Into code blocks and the rest. A block without an end goes on to the end of the text. */
function splitCode(text: string): { isCode: boolean; text: string }[] {
  const parts: { isCode: boolean; lines: string[] }[] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    const isOpening: boolean = !isInside && /^ {0,3}```[^`]*$/.test(line);
    if (isOpening || parts.length === 0) parts.push({ isCode: isOpening, lines: [] });
    parts.at(-1)?.lines.push(line);
    const isClosing: boolean = isInside && /^ {0,3}```[ \t]*$/.test(line);
    isInside = isOpening || (isInside && !isClosing);
    if (isClosing) parts.push({ isCode: false, lines: [] });
  }
  if (isInside) parts.at(-1)?.lines.push('```');
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ isCode, lines }) => ({ isCode, text: lines.join('\n') }));
}

/** Slack would show the language as the first line of the code. */
function withoutLanguage(code: string): string {
  return code.replace(/^( {0,3}```)[^\n`]+\n/, '$1\n');
}

function proseOf(text: string, mentions: ReadonlyMap<string, string>): string {
  return text
    .split('\n')
    .map((line) => lineOf(line, mentions))
    .join('\n');
}

function lineOf(line: string, mentions: ReadonlyMap<string, string>): string {
  const [, quote = '', rest = ''] = /^((?: {0,3}>\s?)*)([^]*)$/.exec(line) ?? [];
  const heading = /^ {0,3}#{1,6}[ \t]+(.+)$/.exec(rest);
  const mark = quote === '' ? '' : '>';
  if (heading) return `${mark}*${inlineOf((heading[1] ?? '').replaceAll('**', ''), mentions)}*`;
  const item = /^(\s*)[-*+]\s+(.*)$/.exec(rest);
  if (item) return `${mark}${item[1] ?? ''}• ${inlineOf(item[2] ?? '', mentions)}`;
  return mark + inlineOf(rest, mentions);
}

/** Stands for Slack's bold, so that `**a**` is not read as `*a*` next. */
const BOLD = '\uE002';
/** Around the number of something that is finished and not to be formatted. */
const HELD = '\uE003';
const HOLD = new RegExp(`${HELD}(\\d+)${HELD}`, 'g');

function inlineOf(line: string, mentions: ReadonlyMap<string, string>): string {
  const held: string[] = [];
  const hold = (finished: string) => `${HELD}${held.push(finished) - 1}${HELD}`;
  const release = (from: string): string =>
    from.replaceAll(HOLD, (_all, index: string) => release(held[Number(index)] ?? ''));
  const text = line
    .replaceAll(/[\uE002\uE003]/g, '')
    .replaceAll(/`[^`\n]+`/g, (code) => hold(escape(code)))
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!~>|])/g, (_all, character: string) =>
      hold(escape(character)),
    )
    .replaceAll(
      /!?\[([^[\]\n]*)\]\((<?)(https?:[^\s()<>\uE003]+|mailto:[^\s()<>\uE003]+)\2>?(?:\s+"[^"]*")?\)/g,
      (_all, label: string, _angle: string, url: string) => hold(linkOf(url, label)),
    )
    .replaceAll(/<(https?:[^\s<>\uE003]+)>/g, (_all, url: string) => hold(linkOf(url)))
    .replaceAll(/https?:\/\/[^\s<>|\uE003]+/g, (url) => hold(escape(url)))
    .replaceAll(/(?<![\w@])@([a-z0-9_-][a-z0-9._:-]*)/gi, (all, handle: string) => {
      const name = handle.replace(/[.:]+$/, '');
      const userId = mentions.get(name.toLowerCase());
      return userId === undefined ? all : hold(`<@${userId}>`) + handle.slice(name.length);
    });
  const formatted = escape(text)
    .replaceAll(/\*\*\*(?=\S)(.{1,500}?)(?<=\S)\*\*\*/g, `${BOLD}_$1_${BOLD}`)
    .replaceAll(/(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1/g, `${BOLD}$2${BOLD}`)
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])/g, '_$1_')
    .replaceAll(/~~(?=\S)(.{1,500}?)(?<=\S)~~/g, '~$1~')
    .replaceAll(BOLD, '*');
  return release(formatted);
}

function linkOf(url: string, label = ''): string {
  const name = label.replaceAll(/[|<>*_~]/g, ' ').trim();
  return name === '' || name === url ? `<${escape(url)}>` : `<${escape(url)}|${escape(name)}>`;
}

/** So `<@U1>` and `<!channel>` that somebody wrote stay text. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
