import type { ProviderAccess } from '../../../adapters/models/model.ts';
import type { ModelConfig } from '../../../config/models.ts';
import type { Context } from '../../../core/context.ts';
import { wireOf, type ProviderKind } from './kinds.ts';
import type { ServingModelRow } from './store.ts';

/** As the operator would have configured it. With `keys`, it can be called. */
export function configOf(row: ServingModelRow, keys?: KeyReader): ModelConfig {
  const { slug, model, inputCredits: input, outputCredits: output, vision } = row;
  return {
    slug,
    model,
    ...(keys ? accessOf(row, keys) : { provider: wireOf(row.kind), baseUrl: row.baseUrl }),
    creditsPer1kTokens: Math.max(input, output) / 1000,
    creditsPerMillion: { input, output },
    ...(vision && { vision }),
    isOfOrg: true,
  };
}

type KeyReader = Pick<Context, 'vault' | 'orgId'>;

/** Throws UnreadableSecret if the key was encrypted with a secrets key that is gone. */
export function accessOf(
  provider: { providerId: string; kind: ProviderKind; baseUrl: string; sealedKey: Buffer | null },
  { vault, orgId }: KeyReader,
): ProviderAccess {
  const { providerId, kind, baseUrl, sealedKey } = provider;
  return {
    provider: wireOf(kind),
    baseUrl,
    ...(sealedKey && { apiKey: vault.unseal(placeOf(orgId, providerId), sealedKey) }),
  };
}

/** The vault's name for the place of its key. */
export function placeOf(orgId: string, providerId: string): string {
  return `model-provider/${orgId}/${providerId}`;
}
