import type { z } from 'zod';
import type { OrgDb, OrgTransaction, Queryable } from '../../db/types.ts';
import { BEFORE_IT, PAGE_BYTES } from '../../lists/page-bytes.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../lists/record-page.ts';
import { IS_PROJECT_MEMBER } from '../../access/standing.ts';
import { IS_OWN_PROJECT } from '../../access/direct.ts';
import type { Memory, SearchMemories } from './schema.ts';
import { readerParameters, VISIBLE_SCOPES, type Reader } from './visibility.ts';

export type Visibility = MemoryRow['visibility'];

type SameFields = Omit<z.output<typeof Memory>, 'embeddingStatus' | 'createdAt' | 'updatedAt'>;

export interface MemoryRow extends SameFields {
  embeddingModel: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What a row is found by, derived from its content. */
export interface SearchForm {
  terms: number[];
  weights: string;
  embedding: Buffer | null;
  embeddingModel: string | null;
  tokenVectors: Uint8Array | null;
  tokenModel: string;
}

export const MEMORY_COLUMNS = `m.id, m.content, m.visibility, m.project_id AS "projectId",
  m.owner_user_id AS "ownerUserId", m.tags, m.source_url AS "sourceUrl",
  m.embedding_model AS "embeddingModel", m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

export interface ProjectStanding {
  isMember: boolean;
  archivedAt: Date | null;
}

/** A Project of the org, and whether the reader is a member. No row means 404, no membership 403. */
export async function findProjectStanding(
  db: Queryable,
  reader: Reader,
  projectId: string,
): Promise<ProjectStanding | undefined> {
  const [row] = await db.sharedRead<ProjectStanding>(
    `SELECT (${IS_PROJECT_MEMBER} AND ($4::text[] IS NULL OR p.id = ANY ($4))) AS "isMember",
       p.archived_at AS "archivedAt"
     FROM projects p WHERE p.org_id = $1 AND p.id = $5 AND ${IS_OWN_PROJECT}`,
    [...readerParameters(reader), projectId],
  );
  return row;
}

/** A row that is ready to be written. */
export interface NewMemory {
  memory: Omit<MemoryRow, 'embeddingModel' | 'updatedAt'>;
  form: SearchForm;
  /** Of the line it was imported from, or null. */
  importHash: string | null;
}

const INSERT_MEMORY = `INSERT INTO memories (org_id, id, owner_user_id, visibility, project_id, content,
    tags, source_url, terms, term_weights, embedding, embedding_model, token_vectors, token_model,
    created_at, updated_at, import_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16)`;

/** Inserts the rows in order. The last is sent with COMMIT, like the counts of its terms. */
export async function insertMemories(
  { db, orgId }: OrgTransaction,
  rows: readonly NewMemory[],
): Promise<void> {
  for (const [at, row] of rows.entries()) {
    const values = insertedValues(orgId, row);
    if (at === rows.length - 1) return db.atCommit(INSERT_MEMORY, values);
    await db.query(INSERT_MEMORY, values);
  }
}

/** False if the line was imported before. Waits for another import that is adding it. */
export async function insertImportedMemory(
  { db, orgId }: OrgTransaction,
  row: NewMemory,
): Promise<boolean> {
  const rows = await db.query(
    `${INSERT_MEMORY}
     ON CONFLICT (org_id, import_hash) WHERE import_hash IS NOT NULL DO NOTHING RETURNING id`,
    insertedValues(orgId, row),
  );
  return rows.length > 0;
}

/** Which of the lines were imported before. */
export async function findImportHashes(
  { db, orgId }: OrgDb,
  hashes: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(
    `SELECT import_hash AS hash FROM memories WHERE org_id = $1 AND import_hash = ANY ($2)`,
    [orgId, hashes],
  );
  return rows.map(({ hash }) => hash);
}

function insertedValues(orgId: string, { memory, form, importHash }: NewMemory): unknown[] {
  return [
    orgId,
    memory.id,
    memory.ownerUserId,
    memory.visibility,
    memory.projectId,
    memory.content,
    memory.tags,
    memory.sourceUrl,
    form.terms,
    form.weights,
    form.embedding,
    form.embeddingModel,
    form.tokenVectors,
    form.tokenModel,
    memory.createdAt,
    importHash,
  ];
}

export async function findMemory(
  db: Queryable,
  reader: Reader,
  memoryId: string,
): Promise<MemoryRow | undefined> {
  const [row] = await db.query<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} FROM memories m
     WHERE m.org_id = $1 AND m.id = $5 AND m.scope = ANY (${VISIBLE_SCOPES})`,
    [...readerParameters(reader), memoryId],
  );
  return row;
}

export function findMemories(
  db: Queryable,
  reader: Reader,
  memoryIds: readonly string[],
): Promise<MemoryRow[]> {
  return db.query<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} FROM memories m
     WHERE m.org_id = $1 AND m.id = ANY ($5) AND m.scope = ANY (${VISIBLE_SCOPES})`,
    [...readerParameters(reader), memoryIds],
  );
}

export interface LockedMemory extends MemoryRow {
  scope: string;
  terms: number[];
}

/** Locked until the transaction ends. */
export async function lockMemory(
  db: Queryable,
  reader: Reader,
  memoryId: string,
): Promise<LockedMemory | undefined> {
  const [row] = await db.query<LockedMemory>(
    `SELECT ${MEMORY_COLUMNS}, m.scope, to_json(m.terms) AS terms FROM memories m
     WHERE m.org_id = $1 AND m.id = $5 AND m.scope = ANY (${VISIBLE_SCOPES}) FOR UPDATE OF m`,
    [...readerParameters(reader), memoryId],
  );
  return row;
}

/** Keeps only what a cursor needs, and none of the content. */
export function deleteMemoryAtCommit({ db, orgId }: OrgTransaction, memoryId: string): void {
  db.atCommit(
    `INSERT INTO deleted_memories (org_id, id, scope, project_id, position)
     SELECT org_id, id, scope, project_id, position FROM memories WHERE org_id = $1 AND id = $2`,
    [orgId, memoryId],
  );
  db.atCommit('DELETE FROM memories WHERE org_id = $1 AND id = $2', [orgId, memoryId]);
}

/** Writes all fields, and the vectors only if the content is new. */
export function updateMemoryAtCommit(
  { db, orgId }: OrgTransaction,
  memory: MemoryRow,
  form: SearchForm,
  isNewContent: boolean,
): void {
  db.atCommit(
    `UPDATE memories SET content = $3, visibility = $4, project_id = $5, tags = $6, source_url = $7,
       updated_at = $8, terms = $9, term_weights = $10,
       embedding = CASE WHEN $11::boolean THEN $12::halfvec(1536) ELSE embedding END,
       embedding_model = CASE WHEN $11 THEN $13 ELSE embedding_model END,
       token_vectors = CASE WHEN $11 THEN $14::bytea ELSE token_vectors END,
       token_model = CASE WHEN $11 THEN $15 ELSE token_model END
     WHERE org_id = $1 AND id = $2`,
    [
      orgId,
      memory.id,
      memory.content,
      memory.visibility,
      memory.projectId,
      memory.tags,
      memory.sourceUrl,
      memory.updatedAt,
      form.terms,
      form.weights,
      isNewContent,
      form.embedding,
      form.embeddingModel,
      form.tokenVectors,
      form.tokenModel,
    ],
  );
}

/** Purges what is left of deleted memories, and PRIVATE memories of people who left 30 days ago. */
export async function purgeMemories(db: Queryable): Promise<number> {
  const tombstones = await db.query(
    `/* all orgs */ DELETE FROM deleted_memories WHERE deleted_at < now() - interval '7 days' RETURNING 1 AS purged`,
  );
  // In one transaction: once a departure is deleted, nothing would find the memories again.
  const erased = await db.transaction(async (tx) => {
    const departed = await tx.query<{ orgId: string; userId: string }>(
      `/* all orgs */ DELETE FROM departures d WHERE d.left_at < now() - interval '30 days'
         AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = d.org_id AND m.user_id = d.user_id)
       RETURNING d.org_id AS "orgId", d.user_id AS "userId"`,
    );
    let memories = 0;
    for (const { orgId, userId } of departed) {
      for (const table of ['memory_terms', 'memory_scopes', 'deleted_memories', 'memories']) {
        const rows = await tx.query(
          `DELETE FROM ${table} WHERE org_id = $1 AND scope = $2 RETURNING 1 AS erased`,
          [orgId, userId],
        );
        if (table === 'memories') memories += rows.length;
      }
    }
    return memories;
  });
  return tombstones.length + erased;
}

export type MemoryFilter = Omit<SearchMemories, 'query' | 'limit' | 'threshold'>;

/** The filter as SQL conditions on `m`. Adds its values to the query's. */
export function filterConditions(filter: MemoryFilter, values: unknown[]): string {
  const { visibility, projectId, tags, createdAfter, createdBefore } = filter;
  let conditions = '';
  const add = (condition: string, value: unknown) => {
    if (value !== undefined) conditions += ` AND ${condition} $${values.push(value)}`;
  };
  add('m.visibility =', visibility);
  add('m.project_id =', projectId);
  add('m.tags @>', tags?.length ? tags : undefined);
  add('m.created_at >=', createdAfter);
  add('m.created_at <', createdBefore);
  return conditions;
}

/** The cursor's position, even if it was deleted since. Undefined if the reader can't have seen it here. */
export async function findCursor(
  db: Queryable,
  reader: Reader,
  memoryId: string,
  { visibility, projectId }: Pick<MemoryFilter, 'visibility' | 'projectId'>,
): Promise<number | undefined> {
  const [row] = await db.query<{ position: number }>(
    `SELECT position FROM (
       SELECT scope, project_id, position FROM memories WHERE org_id = $1 AND id = $5
       UNION ALL
       SELECT scope, project_id, position FROM deleted_memories WHERE org_id = $1 AND id = $5) m
     WHERE m.scope = ANY (${VISIBLE_SCOPES}) AND ($6::text IS NULL OR m.project_id = $6)
       AND $7 IN ('ANY', CASE m.scope WHEN 'ORG' THEN 'ORG' WHEN $2 THEN 'PRIVATE' ELSE 'PROJECT' END)`,
    [...readerParameters(reader), memoryId, projectId ?? null, visibility ?? 'ANY'],
  );
  return row?.position;
}

/**
 * Newest first, no more than fit on a page. Each visible scope is read separately and the results are merged, so other people's
 * PRIVATE rows are not even scanned.
 */
export async function listMemoryRows(
  db: Queryable,
  reader: Reader,
  filter: MemoryFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<(MemoryRow & { hasOlder: boolean })[]> {
  const values = [...readerParameters(reader), before, limit];
  return db.query(
    `SELECT ${MEMORY_COLUMNS}, m."hasOlder"
     FROM (SELECT m.*, sum(octet_length(m.content)) OVER newest_first AS before_it,
         lead(true) OVER newest_first IS NOT NULL AS "hasOlder"
       FROM (SELECT m.* FROM unnest(${VISIBLE_SCOPES}) visible (scope)
         CROSS JOIN LATERAL (
           SELECT * FROM memories m
           WHERE m.org_id = $1 AND m.scope = visible.scope
             AND ($5::bigint IS NULL OR m.position < $5) ${filterConditions(filter, values)}
           ORDER BY m.position DESC LIMIT $6::int + 1
         ) m
         ORDER BY m.position DESC LIMIT $6::int + 1) m
       WINDOW newest_first AS (ORDER BY m.position DESC ${BEFORE_IT})) m
     WHERE m.before_it IS NULL OR m.before_it < ${PAGE_BYTES}
     ORDER BY m.position DESC LIMIT $6`,
    values,
  );
}

/**
 * Every shared memory of the org in the order of their ids, or only the reader's own that they can see,
 * PRIVATE ones included.
 */
export function scanMemories(
  db: Queryable,
  reader: Reader,
  { isOwn, after }: RecordQuery,
): Promise<ScannedRow<MemoryRow>[]> {
  return db.query(
    `SELECT page.id AS at, ${MEMORY_COLUMNS}
     FROM (SELECT id FROM memories WHERE org_id = $1 AND id > $5 ORDER BY id LIMIT $7) page
     LEFT JOIN memories m ON m.org_id = $1 AND m.id = page.id AND (CASE WHEN $6
       THEN m.owner_user_id = $2 AND m.scope = ANY (${VISIBLE_SCOPES})
       ELSE m.visibility <> 'PRIVATE' END)
     ORDER BY page.id`,
    [...readerParameters(reader), after, isOwn, RECORDS_PER_PAGE],
  );
}
