import { ModelFailure, type Prompt } from '../../../adapters/models/model.ts';
import type { CheckResult } from '../../../adapters/safe-fetch/safe-fetch.ts';
import { UnreadableSecret } from '../../../adapters/secrets/vault.ts';
import { withTransaction, type Context, type UserContext } from '../../../core/context.ts';
import {
  conflict,
  invalid,
  invalidValue,
  limitReached,
  notFound,
  requireFound,
} from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { sealedColumn, type SealedSource } from '../../../db/sealed-column.ts';
import type { Transaction } from '../../../db/types.ts';
import { emit } from '../../../events/emit.ts';
import { claimName, freeModelNames } from '../../mentions/service.ts';
import { baseUrlOf, needsKey, type ProviderKind } from './kinds.ts';
import { accessOf, configOf, placeOf } from './model-config.ts';
import type {
  CreateModelProvider,
  ModelProviderTest,
  OfferedModels,
  UpdateModelProvider,
} from './schema.ts';
import {
  countProviders,
  deleteModels,
  deleteProvider,
  findProvider,
  insertModelsAtCommit,
  insertProvider,
  listProviders as listRows,
  lockProvider,
  saveTest,
  updateProvider as updateRow,
  type ProviderModelRow,
  type ProviderRow,
} from './store.ts';

/** The keys of model providers. */
export const sealedKeys: SealedSource = {
  placeOf,
  ...sealedColumn('model_providers', 'sealed_key'),
};

const MOST_PROVIDERS = 20;
const PROVIDER = 'This provider';

/** A provider as it is shown: with the models whose names the operator has taken since. */
export interface ShownProvider extends ProviderRow {
  models: (ProviderModelRow & { isOverridden: boolean })[];
}

function shown(
  { models: ofServer }: Pick<Context, 'models'>,
  provider: ProviderRow,
): ShownProvider {
  const models = provider.models.map((model) => ({
    ...model,
    isOverridden: ofServer.find(model.slug) !== undefined,
  }));
  return { ...provider, models };
}

export async function listProviders(ctx: UserContext): Promise<ShownProvider[]> {
  return (await listRows(ctx)).map((provider) => shown(ctx, provider));
}

/** Resolves the address, with no transaction open. Undefined if none is given. */
export async function checkAddress(
  ctx: Context,
  kind: ProviderKind,
  baseUrl: string | undefined,
): Promise<CheckResult | undefined> {
  const address = baseUrlOf(kind, baseUrl);
  return address === undefined ? undefined : ctx.providers.check(address);
}

export async function createProvider(
  ctx: UserContext,
  input: CreateModelProvider,
  checked: CheckResult | undefined,
): Promise<ShownProvider> {
  const { kind, name, apiKey } = input;
  const baseUrl = baseUrlOf(kind, input.baseUrl);
  if (baseUrl === undefined) {
    throw invalidValue('body.baseUrl', 'is required for an OpenAI-compatible service');
  }
  requireKey(kind, baseUrl, apiKey !== undefined);
  const id = newId();
  const now = ctx.clock.now();
  const provider: ProviderRow = {
    id,
    name,
    kind,
    baseUrl,
    sealedKey: sealed(ctx, id, apiKey ?? null),
    isEnabled: true,
    models: rowsOf(input.models ?? []),
    lastTestedAt: null,
    // Every call is checked anyway, so an unreachable resolver is not a reason to refuse.
    lastError: problemOf(checked),
    createdAt: now,
    updatedAt: now,
  };
  await withTransaction(ctx, async (inner) => {
    if ((await countProviders(inner)) >= MOST_PROVIDERS) {
      const message = `The organisation has ${MOST_PROVIDERS} model providers. Remove one first.`;
      throw limitReached('model_providers_per_org', MOST_PROVIDERS, message);
    }
    await insertProvider(inner, { ...provider, createdById: ctx.actor.userId });
    claimNames(inner, id, provider.models);
    insertModelsAtCommit(inner.db, ctx.orgId, id, provider.models);
    emit(inner, { type: 'model_provider.created', providerId: id, kind });
  });
  return shown(ctx, provider);
}

/** What `updateProvider` has to know before its transaction: whether a new address may be called. */
export async function checkUpdate(
  ctx: Context,
  providerId: string,
  { baseUrl }: UpdateModelProvider,
): Promise<CheckResult | undefined> {
  if (baseUrl === undefined) return undefined;
  const { kind } = requireFound(await findProvider(ctx, providerId), PROVIDER);
  return checkAddress(ctx, kind, baseUrl);
}

export function updateProvider(
  ctx: Context,
  providerId: string,
  input: UpdateModelProvider,
  checked: CheckResult | undefined,
): Promise<ShownProvider> {
  return withTransaction(ctx, async (inner) => {
    if (!(await lockProvider(inner, providerId))) throw notFound(PROVIDER);
    const before = requireFound(await findProvider(inner, providerId), PROVIDER);
    const fields = Object.entries(input).flatMap(([field, value]) =>
      value === undefined ? [] : [field],
    );
    if (fields.length === 0) return shown(ctx, before);
    const after = changed(ctx, before, input, checked);
    await updateRow(inner, after);
    if (input.models !== undefined) await replaceModels(inner, before, after.models);
    emit(inner, { type: 'model_provider.updated', providerId, fields });
    return shown(ctx, after);
  });
}

function changed(
  ctx: Context,
  before: ProviderRow,
  { name, baseUrl, apiKey, isEnabled, models }: UpdateModelProvider,
  checked: CheckResult | undefined,
): ProviderRow {
  const address = baseUrlOf(before.kind, baseUrl ?? before.baseUrl) ?? before.baseUrl;
  // A key goes only where the person who entered it has sent it.
  const isElsewhere = new URL(address).origin !== new URL(before.baseUrl).origin;
  if (isElsewhere && before.sealedKey && apiKey === undefined) {
    throw invalidValue('body.apiKey', 'has to be given again with an address on another host');
  }
  const sealedKey = apiKey === undefined ? before.sealedKey : sealed(ctx, before.id, apiKey);
  requireKey(before.kind, address, sealedKey !== null);
  const isReset = baseUrl !== undefined || apiKey !== undefined;
  return {
    ...before,
    name: name ?? before.name,
    baseUrl: address,
    sealedKey,
    isEnabled: isEnabled ?? before.isEnabled,
    models: models ? rowsOf(models) : before.models,
    lastError: isReset ? problemOf(checked) : before.lastError,
    updatedAt: ctx.clock.now(),
  };
}

function sealed({ vault, orgId }: Context, id: string, apiKey: string | null): Buffer | null {
  return apiKey === null ? null : vault.seal(placeOf(orgId, id), apiKey);
}

type OrgTx = Pick<Context, 'orgId' | 'models'> & { db: Transaction };

async function replaceModels(
  inner: OrgTx,
  { id, models: before }: ProviderRow,
  after: readonly ProviderModelRow[],
): Promise<void> {
  const { db, orgId } = inner;
  const without = (from: readonly ProviderModelRow[], others: readonly ProviderModelRow[]) =>
    from.filter(({ slug }) => !others.some((other) => other.slug === slug));
  const gone = without(before, after);
  await deleteModels(inner, id);
  if (gone.length > 0)
    await freeModelNames(
      db,
      orgId,
      id,
      gone.map(({ slug }) => slug),
    );
  claimNames(inner, id, without(after, before));
  insertModelsAtCommit(db, orgId, id, after);
}

function claimNames(inner: OrgTx, id: string, models: readonly ProviderModelRow[]): void {
  for (const { slug } of models) {
    if (inner.models.find(slug)) {
      const message = `The name "${slug}" belongs to a model that the operator of this server configured. Choose another.`;
      throw conflict('slug_taken', message, { slug });
    }
    claimName(inner, slug, { modelProviderId: id });
  }
}

/** With its key. Agents that use its models answer that their model is not configured any more. */
export async function removeProvider(ctx: Context, providerId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await lockProvider(inner, providerId))) throw notFound(PROVIDER);
    const { models } = requireFound(await findProvider(inner, providerId), PROVIDER);
    const names = models.map(({ slug }) => slug);
    if (names.length > 0) await freeModelNames(inner.db, ctx.orgId, providerId, names);
    await deleteProvider(inner, providerId);
    emit(inner, { type: 'model_provider.deleted', providerId });
  });
}

/** Longer than other tests: a local model may have to be loaded first. */
const TEST_MS = 25_000;
const TEST_TOKENS = 512;
const TEST_PROMPT: Prompt = {
  instructions: 'Answer in one short sentence.',
  messages: [{ role: 'user', content: 'Say hello to the team.' }],
};

/** Asks a model something, or the provider for its models. Calls out, so no transaction is open. */
export async function testProvider(
  ctx: Context,
  providerId: string,
  model: string | undefined,
): Promise<ModelProviderTest> {
  const provider = requireFound(await findProvider(ctx, providerId), PROVIDER);
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(TEST_MS);
  const asked = model ?? provider.models[0]?.model;
  try {
    const found =
      asked === undefined
        ? {
            model: null,
            answer: null,
            offeredModels: (await offered(ctx, provider, signal)).length,
          }
        : {
            model: asked,
            answer: await askOnce(ctx, provider, asked, signal),
            offeredModels: null,
          };
    return { ok: true, ...found, latencyMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}

async function askOnce(
  ctx: Context,
  provider: ProviderRow,
  model: string,
  signal: AbortSignal,
): Promise<string> {
  const { id: providerId, kind, baseUrl, sealedKey } = provider;
  const free = { slug: model, model, inputCredits: 0, outputCredits: 0, vision: false };
  const config = configOf({ ...free, providerId, kind, baseUrl, sealedKey }, ctx);
  const opened = await ctx.providers.open(config);
  // No time for retries: the person who waits can press the button again.
  const endsAt = performance.now();
  const options = { maxOutputTokens: TEST_TOKENS, signal, endsAt };
  return (await opened.generate(TEST_PROMPT, options)).text.slice(0, 500).toWellFormed();
}

export async function recordTest(
  ctx: UserContext & { db: Context['db'] },
  providerId: string,
  result: ModelProviderTest,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const lastError = result.ok ? null : result.error.message;
    if (!(await saveTest(inner, providerId, lastError))) throw notFound(PROVIDER);
    emit(inner, { type: 'model_provider.tested', providerId });
  });
}

const LIST_MS = 8_000;

/** What the provider offers now, to choose from. */
export async function listOffered(ctx: Context, providerId: string): Promise<OfferedModels> {
  const provider = requireFound(await findProvider(ctx, providerId), PROVIDER);
  try {
    const models = await offered(ctx, provider, AbortSignal.timeout(LIST_MS));
    return { models, error: null };
  } catch (error) {
    return { models: [], error: failureOf(error) };
  }
}

function offered(ctx: Context, { id, ...provider }: ProviderRow, signal: AbortSignal) {
  return ctx.providers.listModels(accessOf({ providerId: id, ...provider }, ctx), signal);
}

/** For the OWNER who set the provider up: with what it said itself. Any other error is thrown. */
function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof UnreadableSecret) {
    const message = 'The key was encrypted with a secrets key that is gone. Enter it again.';
    return { code: 'provider_error', message };
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { code: 'timeout', message: 'The provider did not answer in time.' };
  }
  if (!(error instanceof ModelFailure)) throw error;
  const { code, message, said } = error;
  return { code, message: said === undefined ? message : `${message} It says: ${said}` };
}

function rowsOf(models: NonNullable<CreateModelProvider['models']>): ProviderModelRow[] {
  return models.map(({ slug, model, creditsPerMillionTokens, vision }) => ({
    slug,
    model,
    inputCredits: creditsPerMillionTokens?.input ?? 0,
    outputCredits: creditsPerMillionTokens?.output ?? 0,
    vision: vision ?? false,
  }));
}

function requireKey(kind: ProviderKind, baseUrl: string, hasKey: boolean): void {
  if (hasKey || !needsKey(kind, baseUrl)) return;
  const message = 'is required at the address of OpenAI or Anthropic';
  throw invalid([{ location: 'body.apiKey', code: 'required', message }]);
}

/** Why its address could not be checked. An address that may not be called is refused. */
function problemOf(checked: CheckResult | undefined): string | null {
  if (checked?.ok === false) {
    const error = { location: 'body.baseUrl', code: 'not_allowed', message: checked.message };
    throw invalid([error]);
  }
  return checked?.ok === 'unresolved' ? checked.message : null;
}
