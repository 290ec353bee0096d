import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareRows } from '../../../scripts/row-types/compare-rows.ts';
import type { DeclaredField } from '../../../scripts/row-types/declared-rows.ts';
import { openDescriber, type Describer } from '../../../scripts/row-types/described-columns.ts';

let describer: Describer;

beforeAll(async () => {
  describer = await openDescriber();
});
afterAll(() => describer.close());

const PROJECT = { id: 'string', tags: 'string[]', createdAt: 'Date', position: 'number' };
const STATEMENT =
  'SELECT id, tags, created_at AS "createdAt", position FROM projects WHERE org_id = $1';

async function problemsOf(text: string, row: Record<string, string>): Promise<string[]> {
  const fields = Object.entries(row).map(([name, kind]): [string, DeclaredField] => [
    name,
    { kinds: new Set([kind]), isNullable: false, isOptional: false },
  ]);
  const columns = (await describer.columnsOf(text)) ?? [];
  return [...compareRows(new Map(fields), columns, () => false)];
}

it('finds nothing if a row is what the statement returns', async () => {
  expect(await problemsOf(STATEMENT, PROJECT)).toEqual([]);
});

it('finds a column that has another name', async () => {
  expect(await problemsOf(STATEMENT.replace('"createdAt"', '"madeAt"'), PROJECT)).toEqual([
    'createdAt is declared, but the statement does not return it',
    'the statement returns madeAt, which is not declared',
  ]);
});

it('finds a type that the driver makes something else of', async () => {
  expect(await problemsOf(STATEMENT, { ...PROJECT, createdAt: 'string', tags: 'string' })).toEqual([
    'tags is declared as string, but _text becomes string[]',
    'createdAt is declared as string, but timestamptz becomes Date',
  ]);
  expect(
    await problemsOf('SELECT array_agg(position) AS all FROM projects', { all: 'number[]' }),
  ).toEqual(['all is declared as number[], but _int8 becomes string[]']);
});

it('finds a column that can be null', async () => {
  const row = { archivedAt: 'Date', name: 'string' };
  expect(
    await problemsOf('SELECT archived_at AS "archivedAt", upper(name) AS name FROM projects', row),
  ).toEqual(['archivedAt is declared as Date, but this column (timestamptz) can be null']);
});

it('describes what a write returns', async () => {
  const text = 'DELETE FROM projects WHERE org_id = $1 RETURNING id, archived_at IS NULL AS open';
  expect(await problemsOf(text, { id: 'string', open: 'boolean' })).toEqual([]);
  expect(await describer.columnsOf('DELETE FROM projects')).toBeUndefined();
});

it('fails for a column that no longer exists, and goes on', async () => {
  await expect(describer.columnsOf('SELECT label FROM projects')).rejects.toThrow(
    'column "label" does not exist',
  );
  expect(await problemsOf(STATEMENT, PROJECT)).toEqual([]);
});
