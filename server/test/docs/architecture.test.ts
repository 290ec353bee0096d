import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

const page = read('../../../docs/ARCHITECTURE.md');
const tables = tablesOf(read('../../src/db/schema.sql'));
const dataModel = sectionOf('Data model');

describe('the data model in docs/ARCHITECTURE.md', () => {
  const rows = [...dataModel.matchAll(/^\| (`\w+`) \| .+ \| (.+) \|$/gm)].map(
    ([, table = '', keys = '']) => ({ table: table.slice(1, -1), keys: quotedIn(keys) }),
  );

  it('has a row for each table of the schema, and no other', () => {
    const named = rows.map(({ table }) => table);
    expect(named.toSorted()).toEqual([...tables.keys()].toSorted());
  });

  it.each(rows)('$table: has the keys that it says', ({ table, keys }) => {
    const { primaryKey, unique = [] } = tables.get(table) ?? {};
    const [first, ...others] = keys.map((key) => key.replaceAll(/[()]/g, ''));
    expect(first).toBe(primaryKey);
    expect(unique).toEqual(expect.arrayContaining(others));
  });

  it('names tables and columns that exist', () => {
    const columns = [...tables.values()].flatMap((table) => table.columns);
    const inTables = [...tables].flatMap(([name, table]) =>
      table.columns.map((column) => `${name}.${column}`),
    );
    const known = new Set([...tables.keys(), ...columns, ...inTables]);
    const words = quotedIn(dataModel).filter(
      (word) => /^[a-z]+(_[a-z]+)+$/.test(word) || tables.has(word.split('.')[0] ?? ''),
    );
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  });
});

it('docs/ARCHITECTURE.md describes each feature once', () => {
  const folders = globSync('../../src/features/*/', { cwd: import.meta.dirname });
  const [, table = ''] = sectionOf('Folders').split('\nThe features:\n');
  const first = [...table.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) => quotedIn(cell));
  expect(first.toSorted()).toEqual(folders.map((path) => basename(path)).toSorted());
});

interface Table {
  columns: string[];
  primaryKey: string | undefined;
  unique: string[];
}

function tablesOf(schema: string): ReadonlyMap<string, Table> {
  const sql = schema.replaceAll('"', '');
  const unique = [...sql.matchAll(/^CREATE UNIQUE INDEX \w+ ON public\.(\w+) .*?\((.+?)\)/gm)];
  return new Map(
    [...sql.matchAll(/^CREATE TABLE (\w+) \(\n(.+?)^\);/gms)].map(([, name = '', body = '']) => [
      name,
      {
        columns: [...body.matchAll(/^ {2}([a-z]\w*) /gm)].map(([, column = '']) => column),
        primaryKey: /PRIMARY KEY \((.+?)\)/.exec(body)?.[1],
        unique: [
          ...[...body.matchAll(/ UNIQUE \((.+?)\)/g)].map(([, key = '']) => key),
          ...unique.filter(([, table]) => table === name).map(([, , key = '']) => key),
        ],
      },
    ]),
  );
}

function sectionOf(heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

function quotedIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, quoted = '']) => quoted);
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
