import { expect, it } from 'vitest';
import { readMigrations } from './migrate.ts';
import { statementsOf } from './statements-of.ts';

it('ends a statement at a semicolon, except in texts, names, comments and bodies of functions', () => {
  const script = `-- First; a comment
    CREATE TABLE a (b text DEFAULT 'x;''y;', "c;d" text); /* none; here */
    CREATE FUNCTION f() RETURNS trigger AS $body$ BEGIN NULL; END; $body$ LANGUAGE plpgsql;
    -- only a comment;
    DO $$ BEGIN PERFORM 1; END $$;
    SELECT 1`;
  expect(statementsOf(script).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    `-- First; a comment CREATE TABLE a (b text DEFAULT 'x;''y;', "c;d" text)`,
    '/* none; here */ CREATE FUNCTION f() RETURNS trigger AS $body$ BEGIN NULL; END; $body$ LANGUAGE plpgsql',
    '-- only a comment; DO $$ BEGIN PERFORM 1; END $$',
    'SELECT 1',
  ]);
});

it('loses nothing of a migration', async () => {
  const words = (text: string) => text.replaceAll(/--[^\n]*|;|\s/g, '');
  for (const { sql } of await readMigrations()) {
    expect(words(statementsOf(sql).join('\n'))).toBe(words(sql));
  }
});
