import { z } from 'zod';
import { PROVIDERS } from '../../config/models.ts';
import { listOf, timestamp } from '../../core/fields.ts';

export const Model = z
  .object({
    slug: z.string().meta({ description: 'The name to mention it by, after the `@`.' }),
    provider: z.enum(['builtin', ...PROVIDERS]),
    model: z
      .string()
      .nullable()
      .meta({ description: "The provider's name for it; null for `recall`." }),
    creditsPer1kTokens: z.number().meta({
      description: 'The higher of its two prices, if input and output have different ones.',
    }),
    creditsPerMillionTokens: z.object({ input: z.number(), output: z.number() }),
    origin: z.enum(['builtin', 'server', 'organisation']).meta({
      description:
        'Who offers it: Atrium itself, whoever runs the server, or an OWNER of the organisation.',
    }),
    isDefault: z.boolean().meta({
      description: 'Whether it answers `@model` in a session without a model of its own.',
    }),
    lastResult: z
      .object({
        status: z.enum(['COMPLETED', 'FAILED']),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
        at: timestamp(),
      })
      .nullable()
      .meta({
        description:
          "How its latest reply in this organisation ended. Null if it has not answered yet, and for `recall`. Replies that failed for other reasons, such as missing credits, don't count.",
      }),
  })
  .meta({ id: 'Model' });

export const ModelList = listOf(Model).meta({ id: 'ModelList' });
