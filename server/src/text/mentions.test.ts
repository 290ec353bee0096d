import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWork } from '../../test/harness/counting/count-work.ts';
import { MAX_SLUG_LENGTH, parseMentions } from './mentions.ts';

const mentions = (body: string, ...known: string[]) =>
  parseMentions(body, (slug) => known.includes(slug));

describe('a mention', () => {
  it.each<[string, string[]]>([
    ['@model', ['model']],
    ['Hi @alice and @Model, and @MODEL', ['alice', 'model']],
    ['(@model) "@a" *@b* /@c @@d', ['model', 'a', 'b', 'c', 'd']],
    [
      '@gpt-4.1 @llama3:8b @my_tool @-x @_y @0',
      ['gpt-4.1', 'llama3:8b', 'my_tool', '-x', '_y', '0'],
    ],
    ['@b\n@a\r\n@b\r@c', ['b', 'a', 'c']],
    ['@a.@b @c:@d @e-@f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['', []],
    ['no mention, @ none, @. @: @é', []],
  ])('%j: %j', (body, slugs) => expect(mentions(body)).toEqual(slugs));

  it.each<[string, string[]]>([
    ['a@model.com', []],
    ['_@model 1@model ²@model', []],
    ['é@model e\u0301@model e\u0301\u0323@model', []],
    ['я@model 字@model 𝒜@model क\u094d\u200d@model', []],
    ['👍@a ❤\uFE0F@b \u0301@c', ['a', 'b', 'c']],
    ['@a@b', ['a']],
  ])('does not follow a word character. %j: %j', (body, slugs) =>
    expect(mentions(body)).toEqual(slugs),
  );

  it('is ASCII: a Kelvin sign is not a k, a long s is not an s', () => {
    expect(mentions('@o\u212A @i\u017F @\u212A')).toEqual(['o', 'i']);
  });
});

describe('the end of a mention', () => {
  it.each<[string, string[], string[]]>([
    ['@model. @a: @b... @c.:.', [], ['model', 'a', 'b', 'c']],
    ['@a. @a:', ['a.', 'a:'], ['a']],
    ['@a- @b_ @c-_-', [], ['a', 'b', 'c']],
    ['@A- @b_', ['a-', 'b_'], ['a-', 'b_']],
    ['@a--- @b---', ['a-', 'b--'], ['a-', 'b--']],
    ['@a.- @b-. @c-.', ['c-'], ['a', 'b', 'c-']],
    ['@- @_ @-.- @--:', [], []],
    ['@-- @_', ['-', '_'], ['-', '_']],
  ])('%j, known %j: %j', (body, known, slugs) => expect(mentions(body, ...known)).toEqual(slugs));

  it('comes after at most 64 characters, or there is no mention; trimmed characters do not count', () => {
    const longest = 'x'.repeat(MAX_SLUG_LENGTH);
    expect(mentions(`@${longest} @${longest}y`)).toEqual([longest]);
    expect(mentions(`@${longest}${'.'.repeat(100)}`)).toEqual([longest]);
    expect(mentions(`@model${'-'.repeat(100)}`)).toEqual(['model']);
    expect(mentions(`@${longest}-`, `${longest}-`)).toEqual([longest]);
  });
});

describe('code spans', () => {
  it.each<[string, string[]]>([
    ['`@a` @b', ['b']],
    ['`` @a ` @b `` @c', ['c']],
    ['`@a`` @b', ['a', 'b']],
    ['` @a', ['a']],
    ['``` @a ` @b ` @c', ['a', 'c']],
    ['`@a\n@b` @c', ['c']],
    ['`@a\n\n@b` @c', ['a', 'b', 'c']],
    ['`@a\n \t\r\n@b` @c', ['a', 'b', 'c']],
    ['- it`s @a\n- don`t @b\n2. it`s', ['a', 'b']],
    ['`x`@a @b`x` @c`x`d', ['a', 'b', 'c']],
    ['\\`@a\\` \\\\`@b`', ['a']],
    ['`@a\\` @b', ['b']],
    ['\\``@a` @b \\@c', ['b', 'c']],
  ])('%j: %j', (body, slugs) => expect(mentions(body)).toEqual(slugs));
});

describe('code blocks', () => {
  it.each<[string, string[]]>([
    ['@a\n```\n@b\n```\n@c', ['a', 'c']],
    ['~~~ts @a\r\n@b\r\n~~~\r\n@c', ['c']],
    ['```\n@a\n\n@b', []],
    ['````\n@a\n```\n@b\n`````  \n@c', ['c']],
    ['```\n@a\n~~~\n@b\n``` x\n@c\n```\n@d', ['d']],
    ['   ```\n@a\n   ```\n@b', ['b']],
    ['```\n@a\n    ```\n@b', []],
    ['    ~~~\n@a', ['a']],
    ['\t~~~\n@a', ['a']],
    ['``\n@a\n\n~~\n@b', ['a', 'b']],
    ['``` a`b\n@a', ['a']],
    ['~~~ a`b\n@a', []],
    ['x ~~~\n@a', ['a']],
    ['`x\n```\n@a\n```\n@b ` `', ['b']],
    ['`x\n```\n```\n@b `', ['b']],
  ])('%j: %j', (body, slugs) => expect(mentions(body)).toEqual(slugs));

  it.each<[string, string[]]>([
    ['- ```\n  @a\n\n  @b\n  ```\n@c', ['c']],
    ['1. ~~~\n   @a\n@b', ['b']],
    ['- ```\n\t@a\n     ```\n  @b', ['b']],
    ['- - ```\n      @a\n  ```\n  @b', []],
    ['* steps\n  ```\n  @a\n  ```\n* @b', ['b']],
    ['-```\n@a', ['a']],
  ])('inside a list end with the item. %j: %j', (body, slugs) =>
    expect(mentions(body)).toEqual(slugs),
  );

  it('inside a quote are code as well', () => {
    expect(mentions('> ```\n> @a\n>\n> @b\n> ```\n\n@c')).toEqual(['c']);
  });

  it('are not created by indentation', () => {
    expect(mentions('- one\n\n    @a\n\n    @b')).toEqual(['a', 'b']);
  });
});

describe('any text', () => {
  const marks = [
    '@',
    '@',
    '@a',
    '@B',
    '-',
    '_',
    '.',
    ':',
    '`',
    '`',
    '``',
    '```',
    '````',
    '~~~',
    '~~~~',
  ];
  const spaces = ['\n', '\n', '\n\n', '\r\n', '\r', ' ', '   ', '    ', '\t', '\n  ', '\\', '>'];
  const blocks = ['\n```', '\n~~~', '\n- ', '- ', '* ', '1. '];
  const letters = ['a', 'B', '1', 'é', '𝒜', '字', '👍', '\u0301', '\uFE0F', '\u200d', '\u212A'];
  const long = 'x'.repeat(MAX_SLUG_LENGTH - 1);
  const pieces = fc.constantFrom(...marks, ...spaces, ...blocks, ...letters, long);
  const texts = fc.array(pieces, { maxLength: 50 }).map((parts) => parts.join(''));
  const slugs = fc
    .array(fc.constantFrom('a', 'b', '-', '_', '.'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(''));

  it('has the mentions that a simple, slow parser finds', () => {
    const property = fc.property(texts, fc.uniqueArray(slugs, { maxLength: 30 }), (text, known) => {
      expect(mentions(text, ...known)).toEqual(readSlowly(text, new Set(known)));
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it('looks up slugs of a bounded length, a bounded number of times', () => {
    for (const tail of ['-'.repeat(10_000), '_-'.repeat(10_000), '.-'.repeat(10_000)]) {
      const asked: string[] = [];
      parseMentions(`@a${tail}`, (slug) => asked.push(slug) === 0);
      expect(asked.length).toBeLessThanOrEqual(MAX_SLUG_LENGTH);
      expect(Math.max(...asked.map((slug) => slug.length))).toBeLessThanOrEqual(MAX_SLUG_LENGTH);
    }
  });
});

/** Eight times the text is 8 times the work if it is linear, and 64 times if it is quadratic. */
describe('hostile text takes linear work', () => {
  const growingRuns = (size: number) => {
    let text = '';
    for (let run = 1; text.length < size; run++) text += `${'`'.repeat(run)} `;
    return text;
  };
  it.each<[string, (size: number) => string]>([
    ['letters', (size) => `@${'a'.repeat(size)}`],
    ['mentions', (size) => '@model '.repeat(size / 7)],
    [
      'distinct mentions',
      (size) => Array.from({ length: size / 7 }, (_, at) => `@m${at}`).join(' '),
    ],
    ['ats', (size) => '@'.repeat(size)],
    ['dashes', (size) => `@a${'-'.repeat(size)}`],
    ['dots and dashes', (size) => `@a${'.-'.repeat(size / 2)}`],
    ['mentions that end in dashes', (size) => '@a--- '.repeat(size / 6)],
    ['backticks', (size) => '`'.repeat(size)],
    ['growing runs of backticks', growingRuns],
    ['growing runs, twice', (size) => growingRuns(size / 2) + growingRuns(size / 2)],
    [
      'one long run and single backticks',
      (size) => `${'`'.repeat(size / 2)}${'x`'.repeat(size / 4)}`,
    ],
    ['escaped backticks', (size) => '\\`'.repeat(size / 2)],
    ['code spans', (size) => '`@a` '.repeat(size / 5)],
    ['fences', (size) => '```\n'.repeat(size / 4)],
    ['unclosed fences', (size) => '``` x\n'.repeat(size / 6)],
    ['fences that are none', (size) => '``` `\n'.repeat(size / 6)],
    ['a long fence that is none', (size) => `${'`'.repeat(size / 2)}${'x'.repeat(size / 2)}\``],
    ['a long closing fence that is none', (size) => `~~~\n~~~${' '.repeat(size)}x`],
    ['nested list markers', (size) => '-    '.repeat(size / 5)],
    ['fences in nested lists', (size) => `${'- '.repeat(size / 4)}\`\`\`${'\n'.repeat(size / 2)}`],
    ['spaces', (size) => `${' '.repeat(size)}x`],
    ['empty lines', (size) => '\n'.repeat(size)],
    ['combining marks', (size) => `a${'\u0301'.repeat(size)}@a`],
    ['marks and ats', (size) => '\u0301\u0301\u0301@'.repeat(size / 4)],
  ])('%s', (_, write) => {
    const workFor = (size: number) =>
      countWork(() => parseMentions(`${write(size)} @z`, () => false));
    expect(workFor(8_000) / workFor(1_000)).toBeLessThan(12);
  });
});

/** The same rules, written in the obvious way, without regard to speed. */
function readSlowly(body: string, known: Set<string>): string[] {
  const text = blankFences(body.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n'));
  const found: string[] = [];
  for (const visible of splitParagraphs(text).map(blankSpans)) {
    const letters = Array.from(visible);
    for (const at of letters.keys()) {
      const slug = letters[at] === '@' ? readSlug(letters, at, known) : undefined;
      if (slug !== undefined && !found.includes(slug)) found.push(slug);
    }
  }
  return found;
}

function blankFences(lines: string[]): string[] {
  const start = lines.findIndex((line) => readFence(line) !== undefined);
  const fence = readFence(lines[start] ?? '');
  if (!fence) return lines;
  let end = start + 1;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const indent = line.replaceAll('\t', '    ').search(/\S/);
    if (indent !== -1 && indent < fence.column) break;
    const inner = line.replace(/[ \t]+$/, '').replace(/^ +/, '');
    const isFence = inner.length >= fence.length && inner === fence.letter.repeat(inner.length);
    if (isFence && line.search(/\S/) - fence.column < 4) {
      end++;
      break;
    }
  }
  return [...lines.slice(0, start), '', ...blankFences(lines.slice(end))];
}

function readFence(line: string): { letter: string; length: number; column: number } | undefined {
  let at = 0;
  let column = 0;
  while (line[at] === ' ') at++;
  if (at > 3) return undefined;
  for (;;) {
    const marker = /^([-+*]|[0-9]{1,9}[.)])( +)/.exec(line.slice(at));
    if (!marker || (marker[2] ?? '').length > 4) break;
    at += marker[0].length;
    column = at;
  }
  const letter = line[at] ?? '';
  let length = 0;
  while (line[at + length] === letter) length++;
  if (length < 3 || (letter !== '~' && letter !== '`')) return undefined;
  if (letter === '`' && line.includes('`', at + length)) return undefined;
  return { letter, length, column };
}

function splitParagraphs(lines: string[]): string[] {
  const paragraphs: string[] = [];
  for (const line of lines) {
    const isItem = /^([-+*]|[0-9]{1,9}[.)])[ \t]/.test(line.replace(/^[ \t]+/, ''));
    if (isItem || line.trim() === '' || paragraphs.length === 0) paragraphs.push(line);
    else paragraphs.push(`${paragraphs.pop() ?? ''}\n${line}`);
  }
  return paragraphs;
}

function blankSpans(text: string): string {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && (text[at + 1] === '\\' || text[at + 1] === '`')) at++;
    else if (text[at] === '`') {
      let end = at;
      while (text[end] === '`') end++;
      const run = '`'.repeat(end - at);
      const close = new RegExp(`(?<!\`)${run}(?!\`)`).exec(text.slice(end));
      if (close) {
        const after = blankSpans(text.slice(end + close.index + run.length));
        return `${text.slice(0, at)}|${after}`;
      }
      at = end - 1;
    }
  }
  return text;
}

function readSlug(letters: string[], at: number, known: Set<string>): string | undefined {
  let before = at - 1;
  while (/^[\p{M}\u200c\u200d]$/u.test(letters[before] ?? '')) before--;
  if (/^[\p{L}\p{N}_]$/u.test(letters[before] ?? '')) return undefined;
  let end = at + 1;
  while (/^[a-zA-Z0-9._:-]$/.test(letters[end] ?? '')) end++;
  const written = letters
    .slice(at + 1, end)
    .join('')
    .toLowerCase();
  if (written.startsWith('.') || written.startsWith(':')) return undefined;
  const readings = Array.from(written, (_, cut) => written.slice(0, written.length - cut));
  const slug = readings.find(
    (each) => /[a-z0-9]$/.test(each) || (/[-_]$/.test(each) && known.has(each)),
  );
  return slug !== undefined && slug.length <= MAX_SLUG_LENGTH ? slug : undefined;
}
