import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { variablesRead } from '../harness/variables-read.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGES = globSync(['*.md', 'docs/**/*.md', '{bench,sdk-*,training}/*.md'], { cwd: ROOT });
const SOURCES = globSync(['*/*.ts', '*/{src,test}/**/*.{ts,tsx,sql}'], { cwd: ROOT });

describe('docs/STYLE.md', () => {
  const good = read('docs/STYLE.md').matchAll(/^```ts\n\/\/ good: (\S+)\n(.*?)^```$/gms);
  const examples = [...good].map(([, file = '', code = '']) => ({ file, code }));

  it('says where each good example is', () => {
    const count = [...read('docs/STYLE.md').matchAll(/^\/\/ good/gm)].length;
    expect(examples).toHaveLength(count);
  });

  it.each(examples)('quotes $file', ({ file, code }) => {
    expect(SOURCES).toContain(file);
    const pattern = code.split('…').map((part) => escaped(squeeze(part)));
    expect(squeeze(read(file))).toMatch(new RegExp(pattern.join('.*')));
  });
});

describe('docs/GLOSSARY.md', () => {
  it('is sorted, and explains each term once', () => {
    const terms = [...read('docs/GLOSSARY.md').matchAll(/^\*\*(.+?)\*\*/gm)].map(
      ([, term]) => term,
    );
    const compare = new Intl.Collator('en', { sensitivity: 'base' }).compare;
    expect(terms).toEqual([...new Set(terms)].toSorted((a = '', b = '') => compare(a, b)));
  });
});

describe('docs/adr/README.md', () => {
  const row = /^\| \[(\d+)\]\((\S+)\) \| (.+) \| (.+) \|$/gm;
  const index = [...read('docs/adr/README.md').matchAll(row)].map(
    ([, number = '', file = '', title = '', status = '']) => ({ number, file, title, status }),
  );

  it('lists every decision', () => {
    const files = globSync('0*.md', { cwd: join(ROOT, 'docs/adr') });
    expect(index.map(({ file }) => file)).toEqual(files.toSorted());
  });

  it.each(index)('$file: has its title and a status', ({ number, file, title, status }) => {
    const text = read(`docs/adr/${file}`);
    expect(text.startsWith(`# ${number}. ${title}\n`)).toBe(true);
    expect(status).toMatch(/^(accepted$|amended by|superseded by)/);
    expect(text).toMatch(/^Status: (accepted|amended by|superseded by)\b/im);
  });
});

describe('README.md', () => {
  it('lists exactly the variables that the configuration reads', () => {
    const table = read('README.md').split('\n## Configuration\n')[1]?.split('\n## ')[0] ?? '';
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
    expect(listed.toSorted()).toEqual([...new Set(variablesRead().map(asListed))].toSorted());
  });

  it('lists exactly the variables that can come from a file', () => {
    const [, cell = ''] = /^\| `<NAME>_FILE` \|.*?\| (.*) \|$/m.exec(read('README.md')) ?? [];
    const listed = [...cell.matchAll(/`([A-Z\d_]+)`/g)].map(([, name = '']) => name);
    const secrets = variablesRead().filter(isSecret);
    expect(listed.toSorted()).toEqual([...new Set(secrets)].toSorted());
  });
});

describe('CHANGELOG.md', () => {
  it('has a section for each release, newest first', () => {
    const sections = [...read('CHANGELOG.md').matchAll(/^## \[(\d[^\]]*)\]/gm)];
    const releases: { version: string }[] = JSON.parse(read('releases.json'));
    expect(sections.map(([, version]) => version)).toEqual(
      releases.map(({ version }) => version).toReversed(),
    );
  });
});

describe('troubleshooting', () => {
  const files = globSync('{server,payments-sandbox}/src/**/*.ts', { cwd: ROOT });
  const code = files.map(read).join('\n');
  const pages = ['docs/operations/troubleshoot.md', 'docs/billing.md'];
  const rows = pages.flatMap((page) =>
    [...read(page).matchAll(/^\| log: (.+?) \| /gm)].map(([, cell = '']) => cell),
  );
  const messages = rows.flatMap((row) =>
    [...row.matchAll(/`([^`…]+)/g)].map(([, text = '']) => text),
  );

  it.each(messages)('the server logs: %s', (message) => {
    expect(code.includes(message.trim())).toBe(true);
  });
});

describe('links and file names', () => {
  it.each(PAGES)('%s: links lead somewhere', (page) => {
    expect(linksOf(read(page)).filter((link) => !resolves(page, link))).toEqual([]);
  });

  it.each(['CONTRIBUTING.md', 'docs/ARCHITECTURE.md', 'docs/STYLE.md'])(
    '%s: the files it names exist',
    (page) => {
      const named = [...read(page).matchAll(/`([\w@./-]+\.(?:tsx?|sql))`/g)].map(
        ([, file]) => file,
      );
      const missing = named.filter(
        (file) => !SOURCES.some((path) => `/${path}`.endsWith(`/${file}`)),
      );
      expect(missing).toEqual([]);
    },
  );
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Without the formatter's choices. */
function squeeze(code: string): string {
  return code.replaceAll(/\s+/g, '').replaceAll(/,(?=[)\]}]|$)/g, '');
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w]/g, String.raw`\$&`);
}

/** `NAME` can also come from the file that `NAME_FILE` names. */
const isSecret = (name: string) =>
  [name, `${name}_FILE`].every((one) => variablesRead().includes(one));

function asListed(name: string): string {
  if (isSecret(name.replace(/_FILE$/, ''))) return name.replace(/.+_FILE$/, '<NAME>_FILE');
  return name.startsWith('STRIPE_PRICE_') ? 'STRIPE_PRICE_<PLAN>_<INTERVAL>' : name;
}

function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

function resolves(page: string, link: string): boolean {
  if (/^(https?|mailto):/.test(link)) return true;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
}

/** As GitHub makes them from headings. */
function anchorsOf(text: string): string[] {
  const headings = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
