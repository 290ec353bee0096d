import { SERVING_MODELS } from '../../../access/serving-models.ts';
import type { OrgDb, Queryable, Transaction } from '../../../db/types.ts';
import type { ProviderKind } from './kinds.ts';

export interface ProviderModelRow {
  slug: string;
  /** The provider's own name for it. */
  model: string;
  /** Per million tokens. */
  inputCredits: number;
  outputCredits: number;
  /** Whether it takes images. */
  vision: boolean;
}

export interface ProviderRow {
  id: string;
  name: string;
  kind: ProviderKind;
  baseUrl: string;
  sealedKey: Buffer | null;
  isEnabled: boolean;
  /** In the order in which they were chosen. */
  models: ProviderModelRow[];
  lastTestedAt: Date | null;
  lastError: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A model with what is needed to call it. */
export interface ServingModelRow extends ProviderModelRow {
  providerId: string;
  kind: ProviderKind;
  baseUrl: string;
  sealedKey: Buffer | null;
}

const MODEL_COLUMNS = `m.slug, m.model, m.input_credits AS "inputCredits",
  m.output_credits AS "outputCredits", m.vision, v.id AS "providerId", v.kind, v.base_url AS "baseUrl",
  v.sealed_key AS "sealedKey"`;

/** Those that answer, the oldest provider's first. */
export function listServingModels(db: Queryable, orgId: string): Promise<ServingModelRow[]> {
  return db.query<ServingModelRow>(
    `SELECT ${MODEL_COLUMNS} FROM ${SERVING_MODELS}
     WHERE m.org_id = $1 ORDER BY v.created_at, v.id, m.ordinal`,
    [orgId],
  );
}

export async function findServingModel(
  db: Queryable,
  orgId: string,
  slug: string,
): Promise<ServingModelRow | undefined> {
  const [row] = await db.query<ServingModelRow>(
    `SELECT ${MODEL_COLUMNS} FROM ${SERVING_MODELS} WHERE m.org_id = $1 AND m.slug = $2`,
    [orgId, slug],
  );
  return row;
}

const PROVIDER_COLUMNS = `v.id, v.name, v.kind, v.base_url AS "baseUrl", v.sealed_key AS "sealedKey",
  v.is_enabled AS "isEnabled", v.last_tested_at AS "lastTestedAt", v.last_error AS "lastError",
  v.created_at AS "createdAt", v.updated_at AS "updatedAt",
  (SELECT coalesce(json_agg(json_build_object('slug', m.slug, 'model', m.model,
      'inputCredits', m.input_credits, 'outputCredits', m.output_credits, 'vision', m.vision) ORDER BY m.ordinal), '[]')
    FROM provider_models m WHERE m.org_id = $1 AND m.provider_id = v.id) AS models`;

/** Oldest first. */
export function listProviders({ db, orgId }: OrgDb): Promise<ProviderRow[]> {
  return db.query<ProviderRow>(
    `SELECT ${PROVIDER_COLUMNS} FROM model_providers v
     WHERE v.org_id = $1 ORDER BY v.created_at, v.id`,
    [orgId],
  );
}

export async function findProvider(
  { db, orgId }: OrgDb,
  providerId: string,
): Promise<ProviderRow | undefined> {
  const [row] = await db.query<ProviderRow>(
    `SELECT ${PROVIDER_COLUMNS} FROM model_providers v WHERE v.org_id = $1 AND v.id = $2`,
    [orgId, providerId],
  );
  return row;
}

/** Until the transaction ends, so that changes take turns. */
export async function lockProvider({ db, orgId }: OrgDb, providerId: string): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 AS found FROM model_providers WHERE org_id = $1 AND id = $2 FOR UPDATE',
    [orgId, providerId],
  );
  return rows.length === 1;
}

export async function countProviders({ db, orgId }: OrgDb): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*) FROM model_providers WHERE org_id = $1',
    [orgId],
  );
  return row?.count ?? 0;
}

export async function insertProvider(
  { db, orgId }: OrgDb,
  provider: ProviderRow & { createdById: string },
): Promise<void> {
  await db.query(
    `INSERT INTO model_providers (org_id, id, name, kind, base_url, sealed_key, is_enabled,
       last_error, created_by_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      orgId,
      provider.id,
      provider.name,
      provider.kind,
      provider.baseUrl,
      provider.sealedKey,
      provider.isEnabled,
      provider.lastError,
      provider.createdById,
      provider.createdAt,
    ],
  );
}

export async function updateProvider({ db, orgId }: OrgDb, provider: ProviderRow): Promise<void> {
  const { id, name, baseUrl, sealedKey, isEnabled, lastError, updatedAt } = provider;
  await db.query(
    `UPDATE model_providers SET name = $3, base_url = $4, sealed_key = $5, is_enabled = $6,
       last_error = $7, updated_at = $8
     WHERE org_id = $1 AND id = $2`,
    [orgId, id, name, baseUrl, sealedKey, isEnabled, lastError, updatedAt],
  );
}

/** Sent with COMMIT, after their names were claimed. */
export function insertModelsAtCommit(
  tx: Transaction,
  orgId: string,
  providerId: string,
  models: readonly ProviderModelRow[],
): void {
  if (models.length === 0) return;
  tx.atCommit(
    `INSERT INTO provider_models (org_id, slug, provider_id, model, input_credits, output_credits,
       vision, ordinal)
     SELECT $1, one.slug, $2, one.model, one.input, one.output, one.vision, one.ordinal
     FROM unnest($3::text[], $4::text[], $5::float8[], $6::float8[], $7::boolean[])
       WITH ORDINALITY AS one (slug, model, input, output, vision, ordinal)`,
    [
      orgId,
      providerId,
      models.map(({ slug }) => slug),
      models.map(({ model }) => model),
      models.map(({ inputCredits }) => inputCredits),
      models.map(({ outputCredits }) => outputCredits),
      models.map(({ vision }) => vision),
    ],
  );
}

export async function deleteModels({ db, orgId }: OrgDb, providerId: string): Promise<void> {
  await db.query('DELETE FROM provider_models WHERE org_id = $1 AND provider_id = $2', [
    orgId,
    providerId,
  ]);
}

/** With its key and its models. */
export async function deleteProvider({ db, orgId }: OrgDb, providerId: string): Promise<void> {
  await db.query('DELETE FROM model_providers WHERE org_id = $1 AND id = $2', [orgId, providerId]);
}

/** False if it was removed during the test. */
export async function saveTest(
  { db, orgId }: OrgDb,
  providerId: string,
  lastError: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE model_providers SET last_tested_at = now(), last_error = $3
     WHERE org_id = $1 AND id = $2 RETURNING 1 AS saved`,
    [orgId, providerId, lastError],
  );
  return rows.length === 1;
}
