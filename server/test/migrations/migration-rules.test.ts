import { describe, expect, it } from 'vitest';
import { partsOf, readMigrations } from '../../src/db/migrating/migrate.ts';
import { LAST_RELEASE } from '../harness/databases/releases.ts';

/**
 * Processes of the last release run on the new schema, and read and write while it changes. Each rule
 * looks at one transaction of a migration. A file that may break a rule is in EXCEPTIONS with the reason.
 */
const RULES: Record<string, (sql: string) => boolean> = {
  'removes or renames what the last release uses': (sql) =>
    /\bDROP (TABLE|COLUMN)\b|\bRENAME\b/i.test(sql),
  'changes a type, which rewrites the table and breaks prepared statements': (sql) =>
    /\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i.test(sql),
  'requires a column that the last release does not set': (sql) =>
    columns(sql).some((column) => /NOT NULL/i.test(column) && !/\bDEFAULT\b/i.test(column)),
  'reads the whole table to add a column': (sql) =>
    columns(sql).some((column) =>
      /\bDEFAULT\b[^,]*\(|\bGENERATED\b|\bREFERENCES\b|\bCHECK\b|\bUNIQUE\b/i.test(column),
    ),
  'reads the whole table to check a constraint': (sql) =>
    /\bSET NOT NULL\b/i.test(sql) ||
    /\bADD (CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY)\b(?![^;]*\bNOT VALID\b)/i.test(sql),
  'blocks writers while an index is made': (sql) =>
    matches(sql, /\bCREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/gi).some((table) => !isNew(sql, table)),
  'makes an index of a column before it is there': (sql) =>
    columns(sql).some((column) =>
      new RegExp(String.raw`\bINDEX IF NOT EXISTS [^;]*\b${column.split(' ')[0]}\b`, 'i').test(sql),
    ),
  'changes rows while a table is locked': (sql) =>
    /\bALTER TABLE\b/i.test(sql) && /^\s*(UPDATE|DELETE|INSERT)\b/im.test(withoutFunctions(sql)),
};

const EXCEPTIONS: Record<string, string> = {
  '0017_memory_writes': 'changes the embedded database only, which has one process',
};

const matches = (sql: string, pattern: RegExp) =>
  [...sql.matchAll(pattern)].map(([, found = '']) => found);
const isNew = (sql: string, table: string) => new RegExp(`CREATE TABLE ${table}\\b`, 'i').test(sql);
/** `name type …` of every column that is added to an existing table. */
const columns = (sql: string) =>
  matches(sql, /\bADD COLUMN (?:IF NOT EXISTS )?([^;]*?)(?=,\s*ADD COLUMN|;)/gi);
const withoutFunctions = (sql: string) => sql.replaceAll(/\$\$.*?\$\$/gs, '');
const withoutComments = (sql: string) => sql.replaceAll(/--.*$/gm, '');

/** The names of the rules that it breaks. */
function broken(sql: string): string[] {
  const texts = partsOf(sql).map(withoutComments);
  return Object.keys(RULES).filter((rule) => texts.some((text) => RULES[rule]?.(text)));
}

describe('a migration since the last release', async () => {
  const migrations = await readMigrations();
  const since = migrations.filter(({ name }) => name > LAST_RELEASE.lastMigration);

  it('has the next number, and there are some to look at', () => {
    expect(migrations.map(({ name }) => name)).toContain(LAST_RELEASE.lastMigration);
    expect(since.length).toBeGreaterThan(0);
  });

  it.each(since.map(({ name, sql }) => ({ name, sql })))('$name', ({ name, sql }) => {
    const found = EXCEPTIONS[name] === undefined ? broken(sql) : [];
    expect(found).toEqual([]);
  });

  it.each([
    ['ALTER TABLE a DROP COLUMN b;', 'removes or renames'],
    ['ALTER TABLE a RENAME COLUMN b TO c;', 'removes or renames'],
    ['ALTER TABLE a ALTER COLUMN b TYPE bigint;', 'changes a type'],
    ['ALTER TABLE a ADD COLUMN b text NOT NULL;', 'requires a column'],
    ['ALTER TABLE a ADD COLUMN b timestamptz DEFAULT now();', 'reads the whole table to add'],
    [
      'ALTER TABLE a ADD COLUMN b text, ADD COLUMN c text REFERENCES d;',
      'reads the whole table to add',
    ],
    ['ALTER TABLE a ALTER COLUMN b SET NOT NULL;', 'reads the whole table to check'],
    ['ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0);', 'reads the whole table to check'],
    ['CREATE INDEX a_by_b ON a (b);', 'blocks writers'],
    ['CREATE UNIQUE INDEX a_by_b ON a (b);', 'blocks writers'],
    ['ALTER TABLE a ADD COLUMN b text;\nCREATE INDEX IF NOT EXISTS i ON a (b);', 'makes an index'],
    ["ALTER TABLE a ADD COLUMN b text;\nUPDATE a SET b = 'x';", 'changes rows'],
  ])('is refused: %s', (sql, rule) => {
    expect(broken(sql).map((name) => name.startsWith(rule))).toContain(true);
  });

  it.each([
    'CREATE TABLE a (b text NOT NULL);\nCREATE INDEX a_by_b ON a (b);',
    "ALTER TABLE a ADD COLUMN b jsonb NOT NULL DEFAULT '[]';",
    'ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0) NOT VALID;',
    'CREATE INDEX IF NOT EXISTS a_by_b ON a (b);',
    "ALTER TABLE a ADD COLUMN b text;\n-- New transaction\nUPDATE a SET b = 'x';",
  ])('is fine: %s', (sql) => {
    expect(broken(sql)).toEqual([]);
  });
});
