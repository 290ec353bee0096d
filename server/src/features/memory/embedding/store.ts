import type { TextEncoder } from '../../../adapters/embeddings/text-encoder.ts';
import type { OrgDb, OrgTransaction, Queryable } from '../../../db/types.ts';
import type { LockedMemory, MemoryRow, SearchForm } from '../store.ts';
import { readerParameters, VISIBLE_SCOPES, type Reader } from '../visibility.ts';

/** What rows are embedded with now. */
export type Models = Pick<TextEncoder, 'model' | 'tokenModel'>;

/** Rows of another model, as ranges that the indexes by model can find. */
const isOutdated = (model: string, tokenModel: string) =>
  `(${isAnother('m.embedding_model', model)} OR ${isAnother('m.token_model', tokenModel)})`;
const isAnother = (column: string, value: string) =>
  `${column} IS NULL OR ${column} < ${value} OR ${column} > ${value}`;

export interface OutdatedMemory extends Pick<
  MemoryRow,
  'id' | 'content' | 'visibility' | 'ownerUserId'
> {
  position: number;
  terms: number[];
  /** False if only its token vectors are of another model. */
  needsVector: boolean;
}

/** Rows of an org that the models have not embedded, oldest first. */
export function listOutdated(
  { db, orgId }: OrgDb,
  { model, tokenModel }: Models,
  { after, limit }: { after: number; limit: number },
): Promise<OutdatedMemory[]> {
  return db.query(
    `SELECT m.id, m.content, m.position, m.visibility, m.owner_user_id AS "ownerUserId",
       to_json(m.terms) AS terms, m.embedding_model IS DISTINCT FROM $2 AS "needsVector"
     FROM memories m WHERE m.org_id = $1 AND ${isOutdated('$2', '$3')} AND m.position > $4
     ORDER BY m.position LIMIT $5`,
    [orgId, model, tokenModel, after, limit],
  );
}

/** Does nothing if the content has changed in the meantime. */
export async function saveEmbedding(
  { db, orgId }: OrgDb,
  memory: Pick<OutdatedMemory, 'id' | 'content'>,
  form: Omit<SearchForm, 'terms' | 'weights'>,
): Promise<void> {
  await db.query(
    `UPDATE memories SET embedding = $4, embedding_model = $5, token_vectors = $6, token_model = $7
     WHERE org_id = $1 AND id = $2 AND content = $3`,
    [
      orgId,
      memory.id,
      memory.content,
      form.embedding,
      form.embeddingModel,
      form.tokenVectors,
      form.tokenModel,
    ],
  );
}

/** The same for token vectors only. */
export async function saveTokens(
  { db, orgId }: OrgDb,
  memory: Pick<OutdatedMemory, 'id' | 'content'>,
  form: Pick<SearchForm, 'tokenVectors' | 'tokenModel'>,
): Promise<void> {
  await db.query(
    `UPDATE memories SET token_vectors = $4, token_model = $5
     WHERE org_id = $1 AND id = $2 AND content = $3`,
    [orgId, memory.id, memory.content, form.tokenVectors, form.tokenModel],
  );
}

/** Locked until the transaction ends. Undefined if the content has changed in the meantime. */
export async function lockTerms(
  { db, orgId }: OrgTransaction,
  { id, content }: Pick<OutdatedMemory, 'id' | 'content'>,
): Promise<Pick<LockedMemory, 'scope' | 'visibility' | 'terms'> | undefined> {
  const [row] = await db.query<Pick<LockedMemory, 'scope' | 'visibility' | 'terms'>>(
    `SELECT scope, visibility, to_json(terms) AS terms FROM memories
     WHERE org_id = $1 AND id = $2 AND content = $3 FOR UPDATE`,
    [orgId, id, content],
  );
  return row;
}

export function saveTermsAtCommit(
  { db, orgId }: OrgTransaction,
  id: string,
  { terms, weights }: Pick<SearchForm, 'terms' | 'weights'>,
): void {
  db.atCommit('UPDATE memories SET terms = $3, term_weights = $4 WHERE org_id = $1 AND id = $2', [
    orgId,
    id,
    terms,
    weights,
  ]);
}

/** Orgs with outdated rows, and how many. Crosses orgs, so only for jobs and operators. */
export function countOutdatedByOrg(
  db: Queryable,
  { model, tokenModel }: Models,
): Promise<{ orgId: string; memories: number }[]> {
  return db.query(
    `/* all orgs */ SELECT m.org_id AS "orgId", count(*) AS memories FROM memories m
     WHERE ${isOutdated('$1', '$2')} GROUP BY m.org_id ORDER BY m.org_id`,
    [model, tokenModel],
  );
}

/** Of all orgs, so only for operators. */
export async function countMemories(db: Queryable): Promise<number> {
  const [row] = await db.query<{ memories: number }>(
    '/* all orgs */ SELECT count(*) AS memories FROM memories',
  );
  return row?.memories ?? 0;
}

/** How many memories the reader can see, and how many of them are outdated. */
export async function countVisibleOutdated(
  db: Queryable,
  reader: Reader,
  { model, tokenModel }: Models,
): Promise<{ memories: number; outdated: number }> {
  const [row] = await db.query<{ memories: number; outdated: number }>(
    `SELECT
       (SELECT coalesce(sum(s.memories), 0)::bigint FROM memory_scopes s
        WHERE s.org_id = $1 AND s.scope = ANY (${VISIBLE_SCOPES})) AS memories,
       (SELECT count(*) FROM memories m WHERE m.org_id = $1 AND ${isOutdated('$5', '$6')}
          AND m.scope = ANY (${VISIBLE_SCOPES})) AS outdated`,
    [...readerParameters(reader), model, tokenModel],
  );
  return row ?? { memories: 0, outdated: 0 };
}
