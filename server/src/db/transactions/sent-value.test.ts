import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';

const database = useTestDatabase();
let driver: pg.Client | undefined;

beforeAll(async () => {
  if (ENGINE === 'embedded') return;
  driver = new pg.Client(database.url);
  await driver.connect();
});
afterAll(() => driver?.end());

const bytes = Buffer.from([0, 1, 0x5c, 0x22, 0xff]);
const awkward = [
  '',
  'NULL',
  'a,b',
  '{x}',
  'quote " and \\ backslash',
  ' space',
  "it's",
  'größe 日本\n',
];

const VALUES: [type: string, value: unknown, text: string | null][] = [
  ['text', null, null],
  ['text', undefined, null],
  ['text', '', ''],
  ['text', 'größe 日本 \\ "', 'größe 日本 \\ "'],
  ['int', 42, '42'],
  ['float8', -1.5e-7, '-1.5e-07'],
  ['float8', Number.NaN, 'NaN'],
  ['bigint', 9_223_372_036_854_775_807n, '9223372036854775807'],
  ['boolean', true, 'true'],
  ['boolean', false, 'false'],
  ['bytea', bytes, '\\x00015c22ff'],
  ['bytea', new Uint8Array([9, 8, 7]).subarray(1), '\\x0807'],
  ['timestamptz', new Date('2024-02-29T12:34:56.789Z'), '2024-02-29 12:34:56.789+00'],
  ['timestamptz', new Date('0001-01-01T00:00:00Z'), '0001-01-01 00:00:00+00'],
  ['timestamptz', new Date('0000-03-01T00:00:00Z'), '0001-03-01 00:00:00+00 BC'],
  ['timestamptz', new Date('9999-12-31T23:59:59-14:00'), '10000-01-01 13:59:59+00'],
  ['jsonb', { a: [1, null, 'x'] }, '{"a": [1, null, "x"]}'],
  ['text[]', [], '{}'],
  ['text[]', awkward, null],
  ['text[]', [null, undefined, 'null'], '{NULL,NULL,"null"}'],
  ['int[]', [1, -2, null], '{1,-2,NULL}'],
  ['bigint[]', [2n ** 62n], '{4611686018427387904}'],
  ['float8[]', [0.1, Number.NaN, Infinity], '{0.1,NaN,Infinity}'],
  ['boolean[]', [true, false], '{t,f}'],
  [
    'text[]',
    [
      ['a', 'b,'],
      ['c"', 'd'],
    ],
    '{{a,"b,"},{"c\\"",d}}',
  ],
  ['bytea[]', [bytes], '{"\\\\x00015c22ff"}'],
  ['timestamptz[]', [new Date('2024-02-29T12:34:56.789Z')], '{"2024-02-29 12:34:56.789+00"}'],
  ['jsonb[]', [{ a: '"' }], '{"{\\"a\\": \\"\\\\\\"\\"}"}'],
];

describe('a value', () => {
  it.each(VALUES)('%s %o arrives as the driver sends it', async (type, value, text) => {
    const read = `SELECT $1::${type}::text AS value`;
    const ours = await database.db.transaction(async (tx) => {
      await tx.script("SET LOCAL TimeZone = 'UTC'");
      return tx.query<{ value: string | null }>(read, [value]);
    });
    if (value !== awkward) expect(ours).toEqual([{ value: text }]);
    if (!driver) return;
    await driver.query("SET TimeZone = 'UTC'");
    expect((await driver.query(read, [value])).rows).toEqual(ours);
  });

  it('that has no text is refused before anything is sent', async () => {
    await expect(database.db.query('SELECT $1', [new Date(Number.NaN)])).rejects.toThrow(
      RangeError,
    );
  });
});
