import { z } from 'zod';
import { MODEL_PATTERN } from '../../config/models.ts';
import type { Limits, SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { refusalOf, sendingFailure } from './bounded-fetch.ts';
import type { OfferedModel, ProviderAccess } from './model.ts';
import { ProviderFailure } from './provider-failure.ts';

const LIMITS: Partial<Limits> = { totalMs: 8_000, maxBytes: 2 * 1024 * 1024, maxRedirects: 0 };
const MOST_MODELS = 1_000;
/** OpenAI lists them all together, and these don't answer in a chat. */
const OTHER_WORK =
  /embedding|whisper|tts|dall-e|moderation|image|audio|realtime|transcribe|sora|davinci|babbage/;

const Listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      created: z.number().optional().catch(undefined),
      display_name: z.string().optional().catch(undefined),
      architecture: z.unknown().optional(),
      capabilities: z.unknown().optional(),
    }),
  ),
});

/** As Anthropic, Mistral and OpenRouter say that a model takes images. Others say nothing about it. */
const TakesImages = z.union([
  z.object({ capabilities: z.object({ image_input: z.object({ supported: z.literal(true) }) }) }),
  z.object({ capabilities: z.object({ vision: z.literal(true) }) }),
  z.object({
    architecture: z.object({
      input_modalities: z.array(z.string()).refine((all) => all.includes('image')),
    }),
  }),
]);

/** What the provider offers, newest first if it says when they were made. Fails with a ProviderFailure. */
export async function listOfferedModels(
  { fetch }: Pick<SafeFetch, 'fetch'>,
  { provider, baseUrl, apiKey = '' }: ProviderAccess,
  signal: AbortSignal,
): Promise<OfferedModel[]> {
  const isAnthropic = provider === 'anthropic';
  const url = `${baseUrl}/models${isAnthropic ? `?limit=${MOST_MODELS}` : ''}`;
  const headers = {
    accept: 'application/json',
    ...(isAnthropic
      ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
      : apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
  };
  const { data } = await readList(
    () => fetch(url, { headers, redirect: 'manual', signal }, LIMITS),
    [apiKey],
  );
  return data
    .filter(({ id }) => MODEL_PATTERN.test(id) && !(provider === 'openai' && OTHER_WORK.test(id)))
    .toSorted((a, b) => (b.created ?? 0) - (a.created ?? 0))
    .slice(0, MOST_MODELS)
    .map((listed) => ({
      model: listed.id,
      displayName: listed.display_name?.slice(0, 120) ?? null,
      vision: TakesImages.safeParse(listed).success,
    }));
}

async function readList(ask: () => Promise<Response>, secrets: readonly string[]) {
  let body: unknown;
  try {
    const response = await ask();
    if (!response.ok) throw await refusalOf(response, secrets);
    body = await response.json();
  } catch (error) {
    throw error instanceof SyntaxError ? new ProviderFailure('broken') : sendingFailure(error);
  }
  const { data } = Listed.safeParse(body);
  if (!data) throw new ProviderFailure('broken');
  return data;
}
