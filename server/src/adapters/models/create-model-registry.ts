import type { Logger } from 'pino';
import type { ModelConfig } from '../../config/models.ts';
import type { RetryTimings } from './retries.ts';
import { infoOf, type LanguageModel, type ModelInfo, type ModelRegistry } from './model.ts';

/** Answers only from the session and its memory. Always available, and free. */
export const RECALL: ModelInfo = {
  slug: 'recall',
  provider: 'builtin',
  model: null,
  creditsPer1kTokens: 0,
};

export function createModelRegistry(
  models: readonly ModelConfig[],
  log: Logger,
  timings?: RetryTimings,
): ModelRegistry {
  const infos = [...models.map(infoOf), RECALL];
  const configs = new Map(models.map((config) => [config.slug, config]));
  const loaded = new Map<string, Promise<LanguageModel>>();

  /** Loaded on first use, because importing the SDK takes a third of a second. */
  async function loadModel(config: ModelConfig): Promise<LanguageModel> {
    const { createLanguageModel } = await import('./language-model.ts');
    return createLanguageModel(config, log, timings && { timings });
  }

  return {
    defaultSlug: infos[0]?.slug ?? RECALL.slug,
    hasModels: models.length > 0,
    list: () => infos.map((info) => ({ ...info })),
    find: (slug) => infos.find((info) => info.slug === slug.toLowerCase()),
    async load(slug) {
      const config = configs.get(slug.toLowerCase());
      if (!config) return undefined;
      const loading = loaded.get(config.slug) ?? loadModel(config);
      loaded.set(config.slug, loading);
      return loading;
    },
  };
}
