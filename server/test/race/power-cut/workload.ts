import { openEmbedded } from '../../../src/db/engines/embedded.ts';
import { migrate } from '../../../src/db/migrating/migrate.ts';
import type { Database } from '../../../src/db/types.ts';

/** The content of step n's row: short, long, or so long that it is stored in pieces. */
export const BODY = `CASE WHEN n % 16 = 0
  THEN (SELECT string_agg(md5(n || '/' || piece), '') FROM generate_series(1, 700) AS piece)
  ELSE repeat(md5(n::text), 1 + n * 37 % 60) END`;
export const SLOTS = 20;
export const PLACE = `ARRAY[n % 7, n % 11, n % 13]::vector(3)`;
export const WORDS = `ARRAY['w' || n % 5, 'n' || n]`;

/** The state after step n follows from n alone, so a check needs no other record of it. */
const TABLES = `
  CREATE TABLE steps (n integer PRIMARY KEY, body text NOT NULL);
  CREATE TABLE slots (slot integer PRIMARY KEY, n integer NOT NULL, words text[], place vector(3));
  CREATE INDEX slots_by_words ON slots USING gin (words);
  CREATE INDEX slots_by_place ON slots USING hnsw (place vector_l2_ops);
  CREATE TABLE total (sum integer NOT NULL);
  INSERT INTO total VALUES (0)`;

/** `note` is called with what was acknowledged, when it is. */
export async function runWorkload(dataDir: string, note: (text: string) => void): Promise<void> {
  const phase = (name: string) => note(`phase ${name}`);
  phase('create');
  let db = await openEmbedded(dataDir);
  phase('migrate');
  await migrate(db);
  await db.transaction((tx) => tx.script(TABLES));
  note('tables');
  phase('commits');
  await takeSteps(db, 60, note);
  phase('checkpoint');
  await Promise.all([takeSteps(db, 30, note), db.query('CHECKPOINT')]);
  await takeSteps(db, 10, note);
  phase('log segments');
  for (let segment = 0; segment < 4; segment++) {
    await db.query('SELECT pg_switch_wal()');
    await takeSteps(db, 8, note);
  }
  await Promise.all([db.query('CHECKPOINT'), takeSteps(db, 8, note)]);
  phase('index');
  await makeIndex(db, 'steps_by_body', 'steps (md5(body))', note);
  await takeSteps(db, 10, note);
  await makeIndex(db, 'slots_by_n', 'slots (n, slot)', note);
  await Promise.all([takeSteps(db, 20, note), db.query('CHECKPOINT')]);
  phase('vacuum');
  await db.query(
    'CREATE TABLE bulk AS SELECT n, md5(n::text) AS text FROM generate_series(1, 60000) n',
  );
  await takeSteps(db, 5, note);
  await db.query('DELETE FROM bulk WHERE n % 2 = 0 OR n > 30000');
  await Promise.all([takeSteps(db, 5, note), db.query('VACUUM bulk')]);
  await Promise.all([takeSteps(db, 5, note), db.query('VACUUM')]);
  await db.query('TRUNCATE bulk');
  await Promise.all([takeSteps(db, 5, note), db.query('DROP TABLE bulk')]);
  await Promise.all([takeSteps(db, 10, note), db.query('VACUUM FULL steps')]);
  await db.query('REINDEX TABLE slots');
  await Promise.all([takeSteps(db, 20, note), db.query('CHECKPOINT')]);
  phase('restart');
  await takeSteps(db, 5, note);
  await db.close();
  db = await openEmbedded(dataDir);
  await migrate(db);
  await takeSteps(db, 20, note);
  await db.close();
}

/** Several callers at a time; the engine takes their transactions one after another. */
async function takeSteps(db: Database, count: number, note: (text: string) => void): Promise<void> {
  const caller = async (mine: number) => {
    for (let i = 0; i < mine; i++) await takeStep(db, note);
  };
  await Promise.all([caller(Math.ceil(count / 2)), caller(Math.floor(count / 2))]);
}

async function takeStep(db: Database, note: (text: string) => void): Promise<void> {
  note('begun');
  const n = await db.transaction(async (tx) => {
    const [step] = await tx.query<{ n: number }>(
      `INSERT INTO steps (n, body)
       SELECT n, ${BODY} FROM (SELECT coalesce(max(n), 0) + 1 AS n FROM steps) AS next RETURNING n`,
    );
    const number = step?.n ?? 0;
    await tx.query(
      `INSERT INTO slots (slot, n, words, place)
       SELECT n % ${SLOTS}, n, ${WORDS}, ${PLACE} FROM (VALUES ($1::integer)) AS step (n)
       ON CONFLICT (slot) DO UPDATE SET n = EXCLUDED.n, words = EXCLUDED.words, place = EXCLUDED.place`,
      [number],
    );
    tx.atCommit('UPDATE total SET sum = sum + $1', [number]);
    return number;
  });
  note(`step ${n}`);
}

async function makeIndex(
  db: Database,
  name: string,
  on: string,
  note: (text: string) => void,
): Promise<void> {
  await db.query(`CREATE INDEX ${name} ON ${on}`);
  note(`index ${name}`);
}
