import { RECALL } from '../../adapters/models/create-model-registry.ts';
import { infoOf, type LanguageModel, type ModelInfo } from '../../adapters/models/model.ts';
import { UnreadableSecret } from '../../adapters/secrets/vault.ts';
import type { Context } from '../../core/context.ts';
import { firstModel } from '../mentions/service.ts';
import { configOf } from './providers/model-config.ts';
import { findServingModel, listServingModels } from './providers/store.ts';
import { listResults, type ModelResult } from './store.ts';

export { saveResultAtCommit, type ModelResult } from './store.ts';
export { listProviders as listModelProviders, sealedKeys } from './providers/service.ts';

type ModelContext = Pick<Context, 'db' | 'orgId' | 'models'>;
export type ModelOrigin = 'builtin' | 'server' | 'organisation';

/** The models that answer in this org: the server's, those that its OWNERs added, and the built-in agent. */
export async function listModelInfos({
  db,
  orgId,
  models,
}: ModelContext): Promise<(ModelInfo & { origin: ModelOrigin })[]> {
  const ofOrg = await listServingModels(db, orgId);
  return [
    ...models
      .list()
      .filter(({ slug }) => slug !== RECALL.slug)
      .map((model) => ({ ...model, origin: 'server' as const })),
    ...ofOrg
      // The operator may have taken the name later.
      .filter(({ slug }) => !models.find(slug))
      .map((model) => ({ ...infoOf(configOf(model)), origin: 'organisation' as const })),
    { ...RECALL, origin: 'builtin' },
  ];
}

/** The same, each with how its latest reply in this org ended. */
export async function listModels(ctx: ModelContext) {
  const [infos, rows] = await Promise.all([listModelInfos(ctx), listResults(ctx.db, ctx.orgId)]);
  const results = new Map<string, ModelResult>(rows.map((result) => [result.model, result]));
  const ofOrg = infos.filter(({ origin }) => origin === 'organisation').map(({ slug }) => slug);
  const first = firstModel(ctx.models, ofOrg);
  return infos.map((model) => ({
    ...model,
    isDefault: model.slug === first,
    lastResult: results.get(model.slug),
  }));
}

/** A model that answers in this org. The server's come first, and cost no query. */
export async function findModel(
  { db, orgId, models }: ModelContext,
  slug: string,
): Promise<ModelInfo | undefined> {
  const ofServer = models.find(slug);
  if (ofServer) return ofServer;
  const row = await findServingModel(db, orgId, slug.toLowerCase());
  return row && infoOf(configOf(row));
}

/** Undefined for the built-in agent, which has no model, and for an unknown slug. */
export async function loadModel(
  ctx: Context,
  slug: string,
): Promise<LanguageModel | { failure: { code: string; message: string } } | undefined> {
  if (ctx.models.find(slug)) return ctx.models.load(slug);
  const row = await findServingModel(ctx.db, ctx.orgId, slug.toLowerCase());
  if (!row) return undefined;
  try {
    return await ctx.providers.open(configOf(row, ctx));
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    const message = `The key of the provider of "${slug}" cannot be decrypted. An OWNER can enter it again under Settings, Models.`;
    return { failure: { code: 'provider_error', message } };
  }
}
