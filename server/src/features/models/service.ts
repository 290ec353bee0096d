import type { Context } from '../../core/context.ts';
import { listResults, type ModelResult } from './store.ts';

export { saveResultAtCommit, type ModelResult } from './store.ts';

/** The models of this server, each with how its latest reply in this org ended. */
export async function listModels({ db, orgId, models }: Context) {
  const results = new Map<string, ModelResult>();
  for (const result of await listResults(db, orgId)) results.set(result.model, result);
  return models.list().map((model) => ({
    ...model,
    isDefault: model.slug === models.defaultSlug,
    lastResult: results.get(model.slug),
  }));
}
