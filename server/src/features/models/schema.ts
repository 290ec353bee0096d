import { z } from 'zod';
import { PROVIDERS } from '../../config/models.ts';
import { listOf } from '../../http/fields.ts';

export const Model = z
  .object({
    slug: z.string().meta({ description: 'The name to mention it by, after the `@`.' }),
    provider: z.enum(['builtin', ...PROVIDERS]),
    model: z
      .string()
      .nullable()
      .meta({ description: "The provider's name for it; null for `recall`." }),
    creditsPer1kTokens: z.number(),
    isDefault: z.boolean().meta({
      description: 'Whether it answers `@model` in a session without a model of its own.',
    }),
  })
  .meta({ id: 'Model' });

export const ModelList = listOf(Model).meta({ id: 'ModelList' });
