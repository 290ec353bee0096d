import type { OuterTransaction, Transaction } from '../db/types.ts';

export interface Table {
  name: string;
  /** All columns but generated ones, which the database computes again. */
  columns: { name: string; type: string }[];
}

export interface StoredFile {
  key: string;
  size: number;
  /** Null as long as it is being checked. */
  sha256: string | null;
}

/** Rows that are read and written at a time. With the largest rows that is about 100 MB. */
const BATCH_ROWS = 100;

/** The migrations fill it. Every other table is in a backup. */
export const LEFT_OUT: readonly string[] = ['schema_migrations'];
/**
 * Rows that have expired, and wait for maintenance to delete them, are not in a backup. Neither are those about bytes
 * that it doesn't hold: of unfinished uploads, and of deleted files.
 */
const KEPT_ROWS: Readonly<Record<string, string>> = {
  file_remains: 'false',
  file_uploads: 'false',
  idempotency_keys: `created_at > now() - interval '24 hours'`,
};

/** Values must have the same text in every session, on both engines and in every time zone. */
const SAME_TEXT = `SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, MDY'; SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`;

/** Makes everything that the transaction reads the state of one moment. */
export async function takeSnapshot(tx: OuterTransaction): Promise<void> {
  await tx.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  await tx.script(SAME_TEXT);
}

export async function prepareLoad(tx: OuterTransaction): Promise<void> {
  await tx.script(SAME_TEXT);
}

export async function hasSchema(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ exists: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
  );
  return row?.exists === true;
}

/** A table, view or sequence that is there already; undefined if the database is empty. */
export async function findAnyRelation(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
         AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY relname LIMIT 1`,
  );
  return row?.name;
}

/** Read from the catalogue, so that a new table is in the next backup without anyone adding it here. */
export async function listTables(tx: Transaction): Promise<Table[]> {
  return tx.query<Table>(
    `SELECT c.relname AS name,
       json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
         ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND c.relname <> ALL ($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [LEFT_OUT],
  );
}

/** The rows of a table as JSON arrays of texts, a batch at a time. */
export async function* readRows(
  tx: OuterTransaction,
  table: Table,
  which: 'kept' | 'all',
): AsyncGenerator<string[]> {
  const condition = which === 'kept' ? KEPT_ROWS[table.name] : undefined;
  const values = table.columns.map(({ name }) => `${quote(name)}::text`).join(', ');
  const cursor = quote(`${which}_${table.name}`);
  await tx.script(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT json_build_array(${values})::text AS row
     FROM ${quote(table.name)} ${condition ? `WHERE ${condition}` : ''}`,
  );
  for (;;) {
    const rows = await tx.query<{ row: string }>(`FETCH FORWARD ${BATCH_ROWS} FROM ${cursor}`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await tx.script(`CLOSE ${cursor}`);
}

/** The bytes that files refer to, a batch at a time. */
export async function* readStoredFiles(tx: OuterTransaction): AsyncGenerator<StoredFile[]> {
  await tx.script(
    `DECLARE stored_files NO SCROLL CURSOR FOR /* all orgs */
     SELECT storage_key AS key, size, sha256 FROM files WHERE storage_key IS NOT NULL`,
  );
  for (;;) {
    const rows = await tx.query<StoredFile>('FETCH FORWARD 1000 FROM stored_files');
    if (rows.length === 0) break;
    yield rows;
  }
  await tx.script('CLOSE stored_files');
}

export async function insertRows(tx: Transaction, table: Table, rows: string[]): Promise<void> {
  const names = table.columns.map(({ name }) => quote(name)).join(', ');
  const values = table.columns.map(({ type }, index) => `(r ->> ${index})::${type}`).join(', ');
  await tx.query(
    `INSERT INTO ${quote(table.name)} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${values} FROM jsonb_array_elements($1::jsonb) AS r`,
    [`[${rows.join(',')}]`],
  );
}

/**
 * Removes foreign keys and indexes, which are faster to create once than to maintain for each row,
 * triggers, which are for new changes only, and rows that migrations inserted. Returns the statements
 * that create them again.
 */
export async function emptyTables(
  tx: OuterTransaction,
  tables: readonly Table[],
): Promise<string[]> {
  const parts = await tx.query<{ remove: string; create: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
         pg_get_constraintdef(oid)) AS create
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
     UNION ALL
     SELECT format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::regclass), pg_get_triggerdef(t.oid)
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
     UNION ALL
     SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`,
  );
  for (const { remove } of parts) await tx.script(remove);
  await tx.script(`TRUNCATE ${tables.map(({ name }) => quote(name)).join(', ')}`);
  return parts.map(({ create }) => create);
}

/** Also collects statistics: the embedded engine never does so by itself. */
export async function completeTables(
  tx: OuterTransaction,
  create: readonly string[],
): Promise<void> {
  for (const statement of create) await tx.script(statement);
  await tx.script('ANALYZE');
}

/** The last value of each sequence; null if it has given none. */
export async function readSequences(tx: Transaction): Promise<Record<string, number | null>> {
  const rows = await tx.query<{ name: string; value: number | null }>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
     WHERE schemaname = current_schema() ORDER BY sequencename`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function setSequence(tx: Transaction, name: string, value: number): Promise<void> {
  await tx.query('SELECT setval(quote_ident($1)::regclass, $2)', [name, value]);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
