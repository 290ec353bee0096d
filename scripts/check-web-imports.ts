import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The floors of `web/src`, from the ground up. A file imports from its own floor and from those below it. */
const FLOORS = ['data', 'ui', 'shared', 'screens', 'shell'];

/**
 * The screens, in the same way: a screen imports from those that are listed before it. What two screens need
 * from each other belongs on a lower floor.
 */
const SCREENS = [
  'sign-in',
  'inbox',
  'search',
  'threads',
  'later',
  'projects',
  'memory',
  'channels',
  'files',
  'session',
  'chat',
  'tasks',
  'settings',
];

const SOURCES = join(import.meta.dirname, '../web/src');
const IMPORT = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

const problems: string[] = [];
for (const file of globSync('**/*.{ts,tsx}', { cwd: SOURCES }).toSorted()) {
  // The router and the start of the app know everything.
  if (file.includes('.test.') || !file.includes('/')) continue;
  const text = readFileSync(join(SOURCES, file), 'utf8');
  for (const [, path = '', loaded = ''] of text.matchAll(IMPORT)) {
    const target = relative(SOURCES, join(SOURCES, dirname(file), path || loaded));
    if (target.startsWith('..')) continue;
    problems.push(...compare(file, target, FLOORS, 0));
    if (file.startsWith('screens/') && target.startsWith('screens/')) {
      problems.push(...compare(file, target, SCREENS, 1));
    }
  }
}

if (problems.length > 0) {
  console.error(`Imports in web/src (scripts/check-web-imports.ts):\n${problems.join('\n')}`);
  process.exitCode = 1;
}

/** Compares the nth folders of both paths, whose order is given. */
function compare(file: string, target: string, order: readonly string[], nth: number): string[] {
  const [from = '', to = ''] = [file, target].map((path) => path.split('/')[nth]);
  const missing = [from, to].find((folder) => !order.includes(folder));
  if (missing !== undefined) {
    return [`${file} imports ${target}, but ${missing} isn't in the list: ${order.join(', ')}`];
  }
  if (order.indexOf(to) <= order.indexOf(from)) return [];
  return [
    `${file} imports ${target}, which is above it: ${to} comes after ${from}. Move what both need down, such as to shared/.`,
  ];
}
