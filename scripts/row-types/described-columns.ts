import { PGlite } from '@electric-sql/pglite';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../../server/src/db/engines/embedded.ts';
import { parseSqlTypes } from '../../server/src/db/engines/sql-types.ts';
import { migrate } from '../../server/src/db/migrating/migrate.ts';

/** A column that a statement returns, as the database describes it. */
export interface DescribedColumn {
  name: string;
  /** PostgreSQL's name of its type. */
  type: string;
  /** What the driver makes of it: `string`, `Date`, `number[]`, …; `json` may be anything. */
  kind: string;
  /** The column of a table that can be null. Nothing is known about expressions. */
  isNullable: boolean;
}

export interface Describer {
  /** Undefined if the statement returns no rows. */
  columnsOf(text: string): Promise<DescribedColumn[] | undefined>;
  close(): Promise<void>;
}

/** Asks the embedded engine, which has the schema that the migrations make. */
export async function openDescriber(): Promise<Describer> {
  const engine = new PGlite({ extensions: EMBEDDED_EXTENSIONS });
  const db = embeddedDatabase(engine);
  await migrate(db);
  const types = new Map<number, string>();
  for (const { oid, typname } of await db.query<{ oid: number; typname: string }>(
    'SELECT oid::int AS oid, typname::text AS typname FROM pg_type',
  )) {
    types.set(oid, typname);
  }
  const nullable = new Set<string>();
  for (const { place } of await db.query<{ place: string }>(
    `SELECT attrelid::int || '.' || attnum AS place FROM pg_attribute WHERE attnum > 0 AND NOT attnotnull`,
  )) {
    nullable.add(place);
  }
  return {
    async columnsOf(text) {
      const fields = await describe(engine, text);
      return fields?.map(({ name, dataTypeID, tableID, columnID }) => {
        const type = types.get(dataTypeID) ?? String(dataTypeID);
        const isNullable = nullable.has(`${tableID}.${columnID}`);
        return { name, type, kind: kindOf(type, dataTypeID), isNullable };
      });
    },
    close: () => db.close(),
  };
}

interface Field {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
}

/** `describeQuery` of the engine leaves out which table a column is from, so we send its messages. */
async function describe(engine: PGlite, text: string): Promise<Field[] | undefined> {
  const parse = message('P', Buffer.concat([Buffer.from(`\0${text}\0`), Buffer.alloc(2)]));
  const { messages } = await engine.execProtocol(
    Buffer.concat([parse, message('D', Buffer.from('S\0')), message('S', Buffer.alloc(0))]),
  );
  const described = messages.find(({ name }) => name === 'rowDescription');
  return (described as { fields: Field[] } | undefined)?.fields;
}

function message(code: string, body: Buffer): Buffer {
  const head = Buffer.from(`${code}\0\0\0\0`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** How the database writes a value of each type. What it becomes is the driver's choice. */
const SAMPLES: Readonly<Record<string, string>> = {
  bool: 't',
  bytea: '\\x00',
  date: '2026-01-31',
  float4: '1.5',
  float8: '1.5',
  int2: '1',
  int4: '1',
  int8: '1',
  numeric: '1.5',
  timestamptz: '2026-01-31 12:00:00+00',
};

/** Types that are not listed are texts for the driver. */
function kindOf(type: string, oid: number): string {
  if (type === 'json' || type === 'jsonb') return 'json';
  const isArray = type.startsWith('_');
  const sample = SAMPLES[isArray ? type.slice(1) : type] ?? 'x';
  const value: unknown = parseSqlTypes.getTypeParser(oid, 'text')(isArray ? `{${sample}}` : sample);
  return Array.isArray(value) ? `${kindOfValue(value[0])}[]` : kindOfValue(value);
}

function kindOfValue(value: unknown): string {
  if (value instanceof Date) return 'Date';
  return Buffer.isBuffer(value) ? 'Buffer' : typeof value;
}
