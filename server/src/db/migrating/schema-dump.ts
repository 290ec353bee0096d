import type { Queryable } from '../types.ts';

/** How the embedded engine has indexes that differ there (ADR 38), and how the dump shows them. */
const EMBEDDED_INDEXES = [
  [
    `hnsw (((head)::vector(384)) vector_cosine_ops) WITH (m='16', ef_construction='64')`,
    `hnsw (head halfvec_cosine_ops) WITH (m='16', ef_construction='100')`,
  ],
] as const;

/**
 * The schema as text, read from the catalogue, and the same on both engines and every PostgreSQL version.
 * `schema.sql` shows the result of all migrations, and a test keeps it up to date.
 */
export async function dumpSchema(db: Queryable): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  const parts = ['-- Generated from the migrations by `npm run generate`; do not edit.'];
  for (const { name } of tables) parts.push(await dumpTable(db, name));
  parts.push(...(await dumpTriggers(db)));
  return asOnPostgres(db, `${parts.join('\n\n')}\n`);
}

function asOnPostgres({ engine }: Queryable, schema: string): string {
  if (engine === 'postgres') return schema;
  for (const [here, onPostgres] of EMBEDDED_INDEXES) schema = schema.replaceAll(here, onPostgres);
  return schema;
}

async function dumpTable(db: Queryable, table: string): Promise<string> {
  const columns = await db.query<{ definition: string }>(
    `SELECT a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || CASE WHEN a.attidentity <> '' THEN ' GENERATED ALWAYS AS IDENTITY' ELSE '' END
       || CASE WHEN a.attgenerated <> ''
          THEN ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') STORED'
          ELSE coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') END
       || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END AS definition
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [table],
  );
  // 'n' (not null) constraints have rows only since PostgreSQL 18; the columns show them anyway. 't' are
  // triggers.
  const constraints = await db.query<{ definition: string }>(
    `SELECT 'CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE conrelid = $1::regclass AND contype NOT IN ('n', 't') ORDER BY contype, conname`,
    [table],
  );
  const indexes = await db.query<{ definition: string }>(
    `SELECT pg_get_indexdef(i.indexrelid) || ';' AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = $1::regclass
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
     ORDER BY c.relname`,
    [table],
  );
  const body = [...columns, ...constraints].map(({ definition }) => `  ${definition}`).join(',\n');
  return [`CREATE TABLE ${table} (\n${body}\n);`, ...indexes.map((index) => index.definition)].join(
    '\n',
  );
}

/** The functions that triggers call, then the triggers. */
async function dumpTriggers(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ definition: string }>(
    `SELECT rtrim(pg_get_functiondef(p.oid), E'\\n') || ';' AS definition, 1 AS place, p.proname AS name
     FROM pg_proc p WHERE p.oid IN (SELECT tgfoid FROM pg_trigger WHERE NOT tgisinternal)
     UNION ALL
     SELECT pg_get_triggerdef(t.oid) || ';', 2, c.relname || t.tgname
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
     ORDER BY place, name`,
  );
  return rows.map(({ definition }) => definition);
}
