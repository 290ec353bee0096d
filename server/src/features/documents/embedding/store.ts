import type { TextEncoder } from '../../../adapters/embeddings/text-encoder.ts';
import type { OrgDb, Queryable } from '../../../db/types.ts';

/** What rows are embedded with now. */
type Models = Pick<TextEncoder, 'model' | 'tokenModel'>;

/** Passages of another model, as ranges that the indexes by model can find. */
const isOutdated = (model: string, tokenModel: string) =>
  `(${isAnother('ps.embedding_model', model)} OR ${isAnother('ps.token_model', tokenModel)})`;
const isAnother = (column: string, value: string) =>
  `${column} IS NULL OR ${column} < ${value} OR ${column} > ${value}`;

export interface OutdatedPassage {
  id: number;
  text: string;
  heading: string | null;
}

/** Newest first: what was just uploaded is asked about first. */
export function listOutdated(
  { db, orgId }: OrgDb,
  { model, tokenModel }: Models,
  { without, limit }: { without: readonly number[]; limit: number },
): Promise<OutdatedPassage[]> {
  return db.query<OutdatedPassage>(
    `SELECT ps.id, ps.text, ps.heading FROM passages ps
     WHERE ps.org_id = $1 AND ${isOutdated('$2', '$3')} AND ps.id <> ALL ($4::bigint[])
     ORDER BY ps.id DESC LIMIT $5`,
    [orgId, model, tokenModel, without, limit],
  );
}

export interface PassageForm {
  embedding: Buffer | null;
  embeddingModel: string | null;
  tokenVectors: Uint8Array | null;
  tokenModel: string;
}

/** Does nothing if the document was deleted meanwhile. */
export async function saveEmbedding(
  { db, orgId }: OrgDb,
  passageId: number,
  { embedding, embeddingModel, tokenVectors, tokenModel }: PassageForm,
): Promise<void> {
  await db.query(
    `UPDATE passages SET embedding = $3, embedding_model = $4, token_vectors = $5, token_model = $6
     WHERE org_id = $1 AND id = $2`,
    [orgId, passageId, embedding, embeddingModel, tokenVectors, tokenModel],
  );
}

/** Across orgs: those with passages that the models have not read. */
export async function listOutdatedOrgs(
  db: Queryable,
  { model, tokenModel }: Models,
): Promise<string[]> {
  const rows = await db.query<{ orgId: string }>(
    `/* all orgs */ SELECT DISTINCT ps.org_id AS "orgId" FROM passages ps
     WHERE ${isOutdated('$1', '$2')}`,
    [model, tokenModel],
  );
  return rows.map(({ orgId }) => orgId);
}
