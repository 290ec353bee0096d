import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = join(ROOT, 'server/src');
const run = promisify(execFile);

const section = sectionOf('A field of a message');
/** What each step begins with, without the migration, which the type check doesn't read. */
const files = [...section.matchAll(/^\d+\. `([^`]+\.ts)`/gm)].map(([, file = '']) => file);

it('CONTRIBUTING.md names every file that a new field of a message needs', async () => {
  expect(files.length).toBeGreaterThan(0);
  const copy = await copySources();
  for (const file of files) {
    const path = join(copy, 'server/src', file);
    const before = await readFile(path, 'utf8');
    const after = withField(before);
    expect(after, `${file} has no place for a field of a message`).not.toBe(before);
    await writeFile(path, after);
  }
  expect(await typeErrorsIn(copy)).toBe('');
});

it('CONTRIBUTING.md names the one file that inserts messages', () => {
  const inserting = sourcesWith(/INSERT INTO messages/);
  expect(inserting).toHaveLength(1);
  expect(section).toContain(`\`${inserting[0]}\` inserts all messages`);
});

function sectionOf(heading: string): string {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  return page.split(`\n### ${heading}\n`)[1]?.split('\n##')[0] ?? '';
}

function sourcesWith(pattern: RegExp): string[] {
  return globSync('**/*.ts', { cwd: SOURCES, exclude: ['**/*.test.ts'] }).filter((file) =>
    pattern.test(readFileSync(join(SOURCES, file), 'utf8')),
  );
}

/** Its type check begins with everything that knows a message's row or record, so that it takes seconds. */
async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'atrium-contributing-'));
  onTestFinished(() => rm(copy, { recursive: true }));
  for (const file of ['package.json', 'tsconfig.base.json', 'server/package.json', 'server/src']) {
    await cp(join(ROOT, file), join(copy, file), { recursive: true });
  }
  const roots = sourcesWith(/\b(MessageRow|presentMessage)\b/).map((file) => `src/${file}`);
  const settings = { extends: '../tsconfig.base.json', files: roots };
  await writeFile(join(copy, 'server/tsconfig.json'), JSON.stringify(settings));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Writes a new field, `mood`, beside one like it, wherever that one is a member or a column. */
function withField(code: string): string {
  return code
    .replaceAll(/^ +agentSlug: .+[,;]$/gm, (line) => `${line}\n${renamed(line)}`)
    .replaceAll(/\bm\.agent_slug AS "agentSlug",/g, (column) => `${column} ${renamed(column)}`);
}

function renamed(code: string): string {
  return code.replaceAll(/agentSlug|agent_slug/g, 'mood');
}

async function typeErrorsIn(folder: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  return run(tsc, ['-p', join(folder, 'server')]).then(
    () => '',
    ({ stdout, message }: Error & { stdout: string }) => stdout || message,
  );
}
