import type { ShownProvider } from './service.ts';

/** Without the key. */
export function presentProvider(provider: ShownProvider) {
  const { id, name, kind, baseUrl, isEnabled, lastError, models } = provider;
  return {
    id,
    name,
    kind,
    baseUrl,
    hasKey: provider.sealedKey !== null,
    isEnabled,
    models: models.map(({ slug, model, inputCredits, outputCredits, vision, isOverridden }) => ({
      slug,
      model,
      creditsPerMillionTokens: { input: inputCredits, output: outputCredits },
      vision,
      isOverridden,
    })),
    lastTestedAt: provider.lastTestedAt?.toISOString() ?? null,
    lastError,
    createdAt: provider.createdAt.toISOString(),
    updatedAt: provider.updatedAt.toISOString(),
  };
}
