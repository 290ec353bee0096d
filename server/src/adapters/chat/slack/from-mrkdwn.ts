import { inertName } from '../inert-name.ts';
import { markMention, markQuote, withoutMarks } from '../provider.ts';

/** Nothing else in a message has these brackets: Slack escapes those that people write. */
const REFERENCE = /<([^<>\n|\uE001]+)(?:\|([^<>\n\uE001]*))?>/g;

/** Slack's own markup in our Markdown. Mentions of people are marked for `fillText`. */
export function fromMrkdwn(text: string): string {
  return splitCode(withInertNames(withoutMarks(text)))
    .map(({ isCode, text: part }) => (isCode ? codeOf(part) : proseOf(part)))
    .join('');
}

/** Others chose the names of people, channels and groups. They must not end code either. */
function withInertNames(text: string): string {
  return text.replaceAll(
    /<([@#!][^<>\n|]*)\|([^<>\n]*)>/g,
    (_all, target: string, label: string) => {
      return `<${target}|${inertName(unescape(label)).replaceAll('&', '&amp;')}>`;
    },
  );
}

/** Into code blocks and the rest. */
function splitCode(text: string): { isCode: boolean; text: string }[] {
  return text
    .split(/(```[^]*?```)/)
    .map((part, index) => ({ isCode: index % 2 === 1, text: part }))
    .filter(({ text: part }) => part !== '');
}

function codeOf(text: string): string {
  const plain = unescape(text.replaceAll(REFERENCE, plainReference));
  if (!text.startsWith('```') || plain === '``````') return plain;
  // Markdown reads what follows the opening fence as the language.
  const inner = plain.slice(3, -3).replace(/^\n/, '').replace(/\n$/, '');
  return `\`\`\`\n${inner}\n\`\`\``;
}

function plainReference(_all: string, target: string, label?: string): string {
  return label ?? target;
}

function proseOf(text: string): string {
  // What is finished is kept apart while the rest is formatted.
  const held: string[] = [];
  const hold = (finished: string) => `\uE001${held.push(finished) - 1}\uE001`;
  const formatted = text
    .replaceAll(/`[^`\n]+`/g, (code) => hold(codeOf(code)))
    .replaceAll(REFERENCE, (_all, target: string, label: string | undefined) =>
      hold(referenceOf(target, label)),
    )
    .split('\n')
    .map(lineOf)
    .join('\n');
  return formatted.replaceAll(/\uE001(\d+)\uE001/g, (_all, index: string) => {
    return held[Number(index)] ?? '';
  });
}

/** `<@U1>`, `<#C1|name>`, `<!here>`, `<!subteam^S1|@team>`, `<!date^…|fallback>`, `<https://…|label>`. */
function referenceOf(target: string, label: string | undefined): string {
  const name = label === undefined ? undefined : unescape(label);
  if (target.startsWith('@')) return markMention(target.slice(1));
  if (target.startsWith('#')) return markQuote(`#${name || target.slice(1)}`);
  if (target.startsWith('!')) {
    const [command = ''] = target.slice(1).split('^', 1);
    return markQuote(name || `@${inertName(command)}`);
  }
  const url = unescape(target);
  if (url.startsWith('mailto:') || url.startsWith('tel:')) {
    return name || url.slice(url.indexOf(':') + 1);
  }
  if (name === undefined || name === '' || name === url) return url;
  return `[${name.replaceAll(/[[\]]/g, String.raw`\$&`)}](${url.replaceAll(')', '%29')})`;
}

function lineOf(line: string): string {
  const quoted = /^((?:&gt;)+)\s?/.exec(line);
  const rest = quoted ? line.slice(quoted[0].length) : line;
  const listed = rest.replace(
    /^( *)[•◦▪‣]\s+/u,
    (_all, indent: string) => `${' '.repeat(Math.floor(indent.length / 2))}- `,
  );
  return (quoted ? '> ' : '') + unescape(emphasisOf(listed));
}

/** A mark counts at the edge of a word only, as in Slack: `2*3*4` is a sum. */
function emphasisOf(line: string): string {
  return line
    .replaceAll(/(?<![\w*\\])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g, '**$1**')
    .replaceAll(/(?<![\w~\\])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g, '~~$1~~');
}

/** Slack escapes these three and nothing else. */
function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
