import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyFormat, type Format } from './formatting.ts';

/** The text after the change, with `[` and `]` around the selection. */
function apply(marked: string, format: Format): string {
  const start = marked.indexOf('[');
  const end = marked.indexOf(']') - 1;
  const text = marked.replace('[', '').replace(']', '');
  const change = applyFormat(text, start, end, format);
  const changed = text.slice(0, change.from) + change.text + text.slice(change.to);
  const [from, to] = change.select;
  return `${changed.slice(0, from)}[${changed.slice(from, to)}]${changed.slice(to)}`;
}

describe('formatting', () => {
  it.each<[Format, string, string]>([
    ['bold', 'a [b] c', 'a **[b]** c'],
    ['bold', 'a **[b]** c', 'a [b] c'],
    ['bold', '[]', '**[]**'],
    ['bold', '**[]**', '[]'],
    ['bold', '**a[]**', '**a**[]'],
    ['bold', 'a **b[]c** d', 'a b[]c d'],
    ['bold', '[**a**]', '[a]'],
    ['bold', '**a** [] **b**', '**a** **[]** **b**'],
    ['italic', '_a[]_ b', '_a_[] b'],
    ['italic', 'snake_ca[]se_name', 'snake_ca_[]_se_name'],
    ['code', '`a[]`', '`a`[]'],
    ['italic', '[a]', '_[a]_'],
    ['code', '[a]', '`[a]`'],
    ['code', '[a\nb]', '```[]\na\nb\n```'],
    ['list', 'x\n[a\nb]', 'x\n[- a\n- b]'],
    ['list', '[- a\n- b]', '[a\nb]'],
    ['list', 'a[]b', '- ab[]'],
    ['quote', '[a]', '> a[]'],
  ])('%s: %j', (format, before, after) => expect(apply(before, format)).toBe(after));

  it('keeps the text, and selects inside it', () => {
    const format = fc.constantFrom<Format>('bold', 'italic', 'code', 'list', 'quote');
    fc.assert(
      fc.property(fc.string(), fc.nat(30), fc.nat(30), format, (text, a, b, format) => {
        const [start = 0, end = 0] = [a, b]
          .map((at) => Math.min(at, text.length))
          .toSorted((x, y) => x - y);
        const { from, to, text: put, select } = applyFormat(text, start, end, format);
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(text.length);
        const length = text.length - (to - from) + put.length;
        for (const at of select) expect(at).toBeLessThanOrEqual(length);
      }),
    );
  });
});
