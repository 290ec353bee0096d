import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { PLAIN, type Showing } from './inline-view.tsx';
import { MarkdownView } from './markdown-view.tsx';

/** Renders the Markdown inside a page. */
vi.mock('../../../ui/controls/copy-button.tsx', () => ({ CopyButton: () => null }));

function show(source: string, { mentions = [] as string[], citationCount = 0 } = {}): string {
  const showing: Showing = {
    mentions: new Set(mentions),
    citationCount,
    showCitation: (number) => <sup>{number}</sup>,
  };
  return renderToStaticMarkup(<MarkdownView source={source} showing={showing} />);
}

describe('a task’s number', () => {
  it('is a link, outside words, code, links and addresses', () => {
    const showing: Showing = { ...PLAIN, showTask: (number) => <b>{number}</b> };
    const source = '#1, (#23) `#4` a#5 #6b ##7 #08 https://a.example/#9 [x #10](https://a.example)';
    const html = renderToStaticMarkup(<MarkdownView source={source} showing={showing} />);
    expect(html.match(/<b>\d+<\/b>/g)).toEqual(['<b>1</b>', '<b>23</b>']);
  });
});

/** The elements and their text, without attributes. */
const bare = (html: string) => html.replaceAll(/<([a-z0-9]+)[^>]*>/g, '<$1>');

const ELEMENTS = new Set(
  'div p strong em del code pre br a blockquote figure figcaption ul ol li table thead tbody tr th td hr span sup button svg path rect circle'.split(
    ' ',
  ),
);
const ATTRIBUTES =
  /^(?:class|dir|role|aria-[a-z]+|tabindex|href|title|target|rel|start|scope|type|xmlns|width|height|viewBox|fill|stroke|stroke-[a-z]+|d|x|y|rx|ry|cx|cy|r|data-[a-z-]+)$/;

/** React escapes all text and values, so every `<` begins an element of ours. */
function expectHarmless(html: string): void {
  for (const [, name = '', attributes = ''] of html.matchAll(
    /<([^\s/>]+)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g,
  )) {
    expect(ELEMENTS).toContain(name);
    for (const [, key = '', value = ''] of attributes.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)) {
      expect(key).toMatch(ATTRIBUTES);
      if (key === 'href') expect(value).toMatch(/^(?:https?|mailto):/);
    }
  }
  const opened = html.match(/<[^/]/g)?.length ?? 0;
  expect(html.match(/<[a-z]+[\s/>]/g)?.length ?? 0).toBe(opened);
}

describe('Markdown', () => {
  it.each<[string, string]>([
    ['**a** *b* ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    ['one\ntwo', '<p>one<br>two</p>'],
    ['# Big', '<p><strong>Big</strong></p>'],
    ['- a\n- b', '<ul><li><div><p>a</p></div></li><li><div><p>b</p></div></li></ul>'],
    ['a &lt;b&gt; &amp; &#64;', '<p>a &lt;b&gt; &amp; @</p>'],
    ['<b>hi</b>', '<p>&lt;b&gt;hi&lt;/b&gt;</p>'],
    ['[a]: http://b', '<p>[a]: <a>http://b</a></p>'],
    ['    not code', '<p>    not code</p>'],
    ['![alt](https://a.b/c.png)', '<p><a>Image: alt</a></p>'],
    ['#', '<p>#</p>'],
  ])('%j', (source, html) => expect(bare(show(source))).toBe(`<div>${html}</div>`));

  it('renders tables, tasks, numbered lists, quotes and code', () => {
    const html = show(
      '|a|b|\n|-|:-:|\n|1|2|\n\n- [x] done\n- [ ] open\n\n3. c\n\n> q\n\n```ts\nlet a;\n```',
    );
    for (const part of [
      '<table',
      'scope="col"',
      'Done:',
      'To do:',
      'start="3"',
      '<blockquote',
      '<pre',
      '>ts<',
    ]) {
      expect(html).toContain(part);
    }
  });
});

describe('links', () => {
  it.each([
    ['https://a.b/c?d=e', 'https://a.b/c?d=e'],
    ['www.example.org', 'http://www.example.org/'],
    ['me@example.org', 'mailto:me@example.org'],
    ['<https://a.b>', 'https://a.b/'],
    ['[a](https://a.b "title")', 'https://a.b/'],
    ['[a](https://a.b/?x=1&amp;y=2)', 'https://a.b/?x=1&amp;y=2'],
  ])('%j links to %j', (source, href) => expect(show(source)).toContain(`href="${href}"`));

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](java\tscript:alert(1))',
    '[a](<java\nscript:alert(1)>)',
    '[a](&#106;avascript:alert(1))',
    '[a](javascript&colon;alert(1))',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](/relative)',
    '[a](//evil.example)',
    '<javascript:alert(1)>',
    '![a](javascript:alert(1))',
    '![a](x" onerror="alert(1))',
  ])('%j is shown as it was written', (source) => expect(show(source)).not.toContain('href'));
});

describe('a table', () => {
  it('has its headings over its cells, at the start unless it says otherwise', () => {
    const html = show('| a | b |\n|---|--:|\n| 1 | 2 |');
    expect(html.match(/text-(?:start|center|end)/g)).toEqual([
      'text-start',
      'text-end',
      'text-start',
      'text-end',
    ]);
  });
});

describe('mentions and citations', () => {
  it('marks what the server treats as a mention, outside code and links', () => {
    const html = show('@model. `@model` [@model](https://a.b) a@model @other', {
      mentions: ['model'],
    });
    expect(html.match(/bg-accent-soft[^>]*>@model</g)).toHaveLength(1);
  });

  it('numbers the sources an answer cites, and no others', () => {
    expect(show('So it is [1], and [2]. Not [3] or a[0].', { citationCount: 2 })).toContain(
      'So it is <span><sup>1</sup></span>, and <span><sup>2</sup></span>. Not [3] or a[0].',
    );
  });

  it('shows the time of a quote as the reader’s own date', () => {
    const html = show('> Ship it.\n>\n> — Bob, in this session, 2026-11-17 23:30 UTC');
    const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
    const shown = day.format(new Date('2026-11-17T23:30:00Z'));
    expect(bare(html)).toContain(`— Bob, in this session, <time>${shown}</time>`);
  });

  it('connects quotes of recall to their memories', () => {
    const answer =
      'Here is what I found:\n\n> Ship on Friday.\n>\n> — memory of Ada, 1 May 2026 · <https://a.b/c>\n\n> Why?\n>\n> — Bob, in this session, 2 May 2026';
    const html = show(answer, { citationCount: 1 });
    expect(bare(html)).toContain(
      '<figcaption><sup>1</sup> — memory of Ada, 1 May 2026 · <a>https://a.b/c</a></figcaption>',
    );
    expect(bare(html)).toContain('<figcaption>— Bob, in this session, 2 May 2026</figcaption>');
  });
});

describe('whatever is written', () => {
  const piece = fc.constantFrom(
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    'javascript:alert(1)',
    '](javascript:x)',
    '[a',
    '![',
    '](',
    ')',
    '<',
    '>',
    '"',
    "'",
    '`',
    '```',
    '```html\n',
    '~~~',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
    '- [x] ',
    '# ',
    '|',
    '|-|',
    '|a|b|\n|-|-|\n',
    '*',
    '**',
    '_',
    '~~',
    '\\',
    '&lt;',
    '&#60;',
    '&#x3c;',
    'https://',
    'www.',
    'a@b.c',
    '@model',
    '[1]',
    '— memory',
    '\u202e',
    '\ud800',
    '\u0301',
    '\u200d',
    '\u0000',
    '👍',
    ' ',
    '\t',
    'data:text/html,x',
    '<https://a.b>',
    '<javascript:x>',
    '[x]: javascript:x\n',
    '---',
    '===',
  );
  const source = fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), {
    maxLength: 60,
  });

  it('becomes harmless elements and never throws', () => {
    fc.assert(
      fc.property(source, (pieces) =>
        expectHarmless(show(pieces.join(''), { mentions: ['model'], citationCount: 2 })),
      ),
      { numRuns: 1_500 },
    );
  });
});
