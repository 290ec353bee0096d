import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWork } from '../../../../test/harness/counting/count-work.ts';
import { fillText } from '../provider.ts';
import { fromMrkdwn } from './from-mrkdwn.ts';
import { toMrkdwn } from './to-mrkdwn.ts';

describe('from Slack', () => {
  it.each([
    ['*bold* and _italic_ and ~gone~', '**bold** and _italic_ and ~~gone~~'],
    ['2*3*4, a_b_c, ~ 5 ~', '2*3*4, a_b_c, ~ 5 ~'],
    ['*bold `*code*` bold*', '**bold `*code*` bold**'],
    ['`*code* &lt;b&gt;`', '`*code* <b>`'],
    ['```*a* &amp; <https://x.org>\n  b```', '```\n*a* & https://x.org\n  b\n```'],
    ['<https://x.org/?a=1&amp;b=2>', 'https://x.org/?a=1&b=2'],
    ['<https://x.org|the site>', '[the site](https://x.org)'],
    ['<https://x.org/a_(b)|[1]>', String.raw`[\[1\]](https://x.org/a_(b%29)`],
    ['*<https://x.org|bold link>*', '**[bold link](https://x.org)**'],
    ['<mailto:a@x.org|a@x.org>', 'a@x.org'],
    ['<#C1|general> and <#C2>', '#general and #C2'],
    ['<!channel> <!here> <!subteam^S1|@team> <!date^1^{date}|1 May>', '@channel @here team 1 May'],
    ['<#C1|a`b @mock> `<#C1|c`d>`', '#a b mock `c d`'],
    ['&gt; quoted *word*\nnot', '> quoted **word**\nnot'],
    ['• one\n    ◦ two', '- one\n  - two'],
    ['&lt;@U1&gt; &amp;lt; a &amp;amp; b', '<@U1> &lt; a &amp; b'],
    ['<@U1|maria> and <@U2>', '@{U1} and @{U2}'],
  ])('%j is %j', (mrkdwn, markdown) => {
    const { text } = fillText(fromMrkdwn(mrkdwn), (id) => ({ mention: `@{${id}}` }));
    expect(text).toBe(markdown);
  });

  it('a mention cannot be forged', () => {
    const forged = fillText(fromMrkdwn('\uE000U1\uE001 &lt;@U1&gt; \uE005'), () => ({
      name: 'forged',
    }));
    expect(forged.text).toBe('U1 <@U1> ');
  });

  it('names that others chose are not what the author wrote', () => {
    const marked = fromMrkdwn('@<@U1> @mo<@U1> <#C1|mock>, <!subteam^S1|@mock> <@U2>');
    const shown = fillText(marked, (id) => (id === 'U2' ? { mention: '@ann' } : { name: 'mock' }));
    expect(shown.text).toBe('@ mock @mo mock #mock, mock @ann');
    expect(shown.written.replaceAll(/ +/g, ' ')).toBe('@ @mo , @ann');
  });
});

describe('to Slack', () => {
  const mentions = new Map([['maria', 'U1']]);

  it.each([
    [
      '**bold**, __bold__, *italic*, _italic_, ~~gone~~',
      '*bold*, *bold*, _italic_, _italic_, ~gone~',
    ],
    ['***both***, **run `npm i` now**', '*_both_*, *run `npm i` now*'],
    ['[`code`](https://x.org)', '<https://x.org|`code`>'],
    ['2*3*4 and a_b', '2*3*4 and a_b'],
    ['# Title\n## **Second**', '*Title*\n*Second*'],
    ['- one\n  * two\n1. three', '• one\n  • two\n1. three'],
    ['> quoted\n> **too**', '>quoted\n>*too*'],
    ['`**code** <b>`', '`**code** &lt;b&gt;`'],
    ['a\n```ts\nb = **c** < d;\n```\n**e**', 'a\n```\nb = **c** &lt; d;\n```\n*e*'],
    ['```\n**never closed**', '```\n**never closed**\n```'],
    ['[the site](https://x.org/?a=1&b=2)', '<https://x.org/?a=1&amp;b=2|the site>'],
    ['![chart](https://x.org/c.png "Chart")', '<https://x.org/c.png|chart>'],
    ['<https://x.org> https://y.org/a_b_c', '<https://x.org> https://y.org/a_b_c'],
    ['[bad](javascript:alert(1))', '[bad](javascript:alert(1))'],
    [String.raw`\*not bold\*`, '*not bold*'],
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ['<!channel> <@U9> <#C1|x>', '&lt;!channel&gt; &lt;@U9&gt; &lt;#C1|x&gt;'],
    ['@maria, @Maria. @mariah a@maria `@maria`', '<@U1>, <@U1>. @mariah a@maria `@maria`'],
  ])('%j is %j', (markdown, mrkdwn) => {
    expect(toMrkdwn(markdown, mentions)).toBe(mrkdwn);
  });

  it('whatever somebody writes, only links and linked people are references', () => {
    const words =
      '< > ! @ # channel here U1 | [ ] ( ) ` ``` * ** _ ~~ &lt; https://x.org javascript:x 0';
    const part = fc.constantFrom(...words.split(' '), '\\', '\uE003', ' ', '\n');
    const property = fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const references = toMrkdwn(parts.join(''), mentions).match(/<[^>]*>?/g) ?? [];
      for (const reference of references) expect(reference).toMatch(/^<(https:\/\/x\.org|@U1>)/);
    });
    fc.assert(property, { numRuns: 300 });
  });
});

/** For each character, whatever the text. */
const MOST_STEPS = 60;
const LENGTH = 5_000;
/** What is sent is cut to 4,000 characters, so here it need not be linear. */
const MOST_SENT_STEPS = 2_000;
const SENT_LENGTH = 1_000;

describe('texts that are made to be slow', () => {
  it.each(['*a ', '~a ', '<a', '<a|', '```', '`a', '&gt;', '• '])('from Slack: %j', (piece) => {
    const text = piece.repeat(LENGTH / piece.length);
    expect(countWork(() => void fromMrkdwn(text)) / LENGTH).toBeLessThan(MOST_STEPS);
  });

  it.each(['**a ', '__a ', '~~a ', '*a ', '[a](', '<', '```x\n', '`', '# #', '> ', '\\*', '@a'])(
    'to Slack, after the cut: %j',
    (piece) => {
      const text = piece.repeat(SENT_LENGTH / piece.length);
      expect(countWork(() => void toMrkdwn(text)) / SENT_LENGTH).toBeLessThan(MOST_SENT_STEPS);
    },
  );
});
