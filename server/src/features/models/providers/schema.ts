import { z } from 'zod';
import { addressOf, isModelSlug, MAX_CREDITS, MODEL_PATTERN } from '../../../config/models.ts';
import {
  httpUrl,
  listOf,
  name,
  optional,
  pathId,
  recordId,
  text,
  timestamp,
} from '../../../core/fields.ts';
import { PROVIDER_KINDS } from './kinds.ts';

const MOST_MODELS = 50;

const Credits = z
  .object({ input: z.number(), output: z.number() })
  .meta({ description: 'Credits for a million tokens. One credit is 0.01 USD.' });

const ProviderModel = z.object({
  slug: z.string().meta({ description: 'The name to mention it by, after the `@`.' }),
  model: z.string().meta({ description: "The provider's name for it." }),
  creditsPerMillionTokens: Credits,
  vision: z.boolean().meta({ description: 'Whether it is shown the images of a question.' }),
  isOverridden: z.boolean().meta({
    description:
      'True if the operator has since given this slug to a model of the server, which answers instead.',
  }),
});

export const ModelProvider = z
  .object({
    id: recordId(),
    name: z.string(),
    kind: z.enum(PROVIDER_KINDS),
    baseUrl: z.string(),
    hasKey: z.boolean(),
    isEnabled: z.boolean().meta({ description: 'If not, none of its models answers.' }),
    models: z.array(ProviderModel),
    lastTestedAt: timestamp().nullable(),
    lastError: z.string().nullable(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'OrgModelProvider' });

export const ModelProviderList = listOf(ModelProvider).meta({ id: 'OrgModelProviderList' });

const price = () =>
  z
    .number()
    .min(0)
    .max(1000 * MAX_CREDITS);

const ChosenModel = z
  .strictObject({
    slug: z
      .string()
      .refine(isModelSlug, {
        params: { code: 'invalid_format' },
        message:
          'must be 1 to 64 of a-z, 0-9, - _ . and :, must neither start nor end with . or :, and must not be model or recall',
      })
      .meta({
        description:
          'The name to mention it by. Unique among the models, agents, MCP servers and handles of the organisation.',
      }),
    model: z
      .string()
      .regex(MODEL_PATTERN, "must be the provider's own name for the model, without spaces"),
    creditsPerMillionTokens: optional(z.strictObject({ input: price(), output: price() })).meta({
      description: 'What its replies cost in credits. Default: nothing.',
    }),
    vision: optional(z.boolean()).meta({
      description: 'Whether it takes images. It is then shown those of a question. Default: false.',
    }),
  })
  .meta({ id: 'ChosenModel' });

const models = () =>
  z
    .array(ChosenModel)
    .max(MOST_MODELS)
    .superRefine((chosen, context) => {
      for (const [at, { slug }] of chosen.entries()) {
        if (chosen.findIndex((other) => other.slug === slug) === at) continue;
        const message = 'is given twice';
        context.addIssue({
          code: 'custom',
          path: [at, 'slug'],
          params: { code: 'duplicate' },
          message,
        });
      }
    })
    .meta({ description: `The models that people can mention, up to ${MOST_MODELS}.` });

const baseUrl = () =>
  httpUrl()
    .refine((value) => addressOf(value) !== undefined, {
      params: { code: 'invalid_url' },
      message: 'must be an address without a user, a password, ? or #',
    })
    .transform((value) => addressOf(value) ?? value);

/** It is sent in a header, and only these characters are allowed there. */
const apiKey = () =>
  text({ max: 1000 })
    .regex(/^[\x21-\x7e]+$/, 'must be an API key: printable ASCII characters, without spaces')
    .meta({ description: 'Stored encrypted and never returned.' });

export const CreateModelProvider = z
  .strictObject({
    kind: z.enum(PROVIDER_KINDS),
    name: name(),
    baseUrl: optional(baseUrl()).meta({
      description:
        'Default: the address of OpenAI, of Anthropic, or of Ollama on the same machine. Required for `openai-compatible`.',
    }),
    apiKey: optional(apiKey()),
    models: optional(models()),
  })
  .meta({ id: 'CreateModelProvider' });

export const UpdateModelProvider = z
  .strictObject({
    name: optional(name()),
    baseUrl: optional(baseUrl()).meta({
      description: 'If it is on another host, the key has to be given again.',
    }),
    apiKey: apiKey().nullable().optional().meta({ description: 'Null removes it.' }),
    isEnabled: optional(z.boolean()),
    models: optional(models()).meta({
      description: 'All of them: those that are missing are removed.',
    }),
  })
  .meta({ id: 'UpdateModelProvider' });

export const TestModelProvider = z
  .strictObject({
    model: optional(
      z.string().regex(MODEL_PATTERN, "must be the provider's own name for a model"),
    ).meta({
      description:
        'Default: the first of its models. If it has none, it is asked which models it offers.',
    }),
  })
  .meta({ id: 'TestModelProvider' });

const Failure = z.object({ code: z.string(), message: z.string() });

export const ModelProviderTest = z
  .union([
    z.object({
      ok: z.literal(true),
      model: z.string().nullable().meta({ description: 'Which one answered.' }),
      answer: z.string().nullable().meta({ description: 'What it answered.' }),
      offeredModels: z.int().nullable().meta({
        description: 'How many models the provider offers, if it was asked that.',
      }),
      latencyMs: z.int(),
    }),
    z.object({ ok: z.literal(false), error: Failure }),
  ])
  .meta({ id: 'ModelProviderTest' });

export const OfferedModels = z
  .object({
    models: z.array(
      z.object({
        model: z.string().meta({ description: "The provider's name for it." }),
        displayName: z.string().nullable(),
        vision: z
          .boolean()
          .meta({ description: 'Whether the provider says that it takes images.' }),
      }),
    ),
    error: Failure.nullable().meta({ description: 'Why there is no list. Null if there is one.' }),
  })
  .meta({ id: 'OfferedModels' });

export const ModelProviderPath = z.object({ id: pathId('provider') });

export type CreateModelProvider = z.output<typeof CreateModelProvider>;
export type UpdateModelProvider = z.output<typeof UpdateModelProvider>;
export type TestModelProvider = z.output<typeof TestModelProvider>;
export type ModelProviderTest = z.output<typeof ModelProviderTest>;
export type OfferedModels = z.output<typeof OfferedModels>;
