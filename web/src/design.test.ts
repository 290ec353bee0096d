import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const page = read('docs/design.md');
const css = read('web/src/styles.css');

/** Values of colours by name, such as `--ink`. */
function tokensIn(selector: string): Record<string, string> {
  const block = css.split(`\n${selector} {\n`)[1]?.split('\n}')[0] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/^ {2}(--[\w-]+): (.+);$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

describe('docs/design.md', () => {
  it('names every token with its value in both themes', () => {
    const rows = [...page.matchAll(/^\| `(--[\w-]+)`\s*\| `([^`]+)`\s*\| `([^`]+)`/gm)];
    const column = (nth: number) =>
      Object.fromEntries(rows.map((row) => [row[1] ?? '', row[nth] ?? '']));
    expect(column(2)).toEqual(tokensIn(':root'));
    expect(column(3)).toEqual(tokensIn("[data-theme='dark']"));
  });

  it('shows only components that exist, in files that exist', () => {
    const files = new Set([...page.matchAll(/`(web\/src\/[\w/.-]+\.tsx?)`/g)].map((at) => at[1]));
    const sources = [...files].map((file) => read(file ?? '')).join('\n');
    const examples = [...page.matchAll(/^```tsx\n(.*?)^```/gms)].map((at) => at[1]).join('\n');
    const used = new Set([...examples.matchAll(/<([A-Z]\w+)/g)].map((at) => at[1]));
    expect(used.size).toBeGreaterThan(20);
    for (const name of used) {
      expect(sources, `${name} is in none of the files`).toMatch(
        new RegExp(`export (function|const) ${name}\\b`),
      );
    }
  });
});

describe('the dark theme', () => {
  it('makes what lies on something lighter than it', () => {
    const dark = tokensIn("[data-theme='dark']");
    const layers = ['--ground', '--well', '--surface', '--raised', '--hover'];
    const lightness = layers.map((name) => parseInt(dark[name]?.slice(1, 3) ?? '', 16));
    expect(lightness).toEqual(lightness.toSorted((a, b) => a - b));
    expect(new Set(lightness).size).toBe(layers.length);
  });
});

describe('what the app is made of', () => {
  const sources = globSync('**/*.tsx', { cwd: import.meta.dirname }).map((file) => ({
    file,
    text: readFileSync(join(import.meta.dirname, file), 'utf8'),
  }));
  const filesWith = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  it.each([
    ['native selects', /<(select|datalist|option)\b/],
    ['native date fields', /type="(date|time|datetime-local|month|week)"/],
    ['colours of their own', /\b(bg|text|border|ring)-\[#/],
    ['pages with an edge of their own', /mx-auto flex w-full max-w-\dxl/],
  ])('has no %s', (_what, pattern) => {
    expect(filesWith(pattern)).toEqual([]);
  });
});
