import { z } from 'zod';
import { PROVIDERS } from '../../config/models.ts';
import { listOf } from '../../http/fields.ts';

export const Model = z
  .object({
    slug: z.string().meta({ description: 'What to write after the @.' }),
    provider: z.enum(['builtin', ...PROVIDERS]),
    model: z.string().nullable().meta({ description: "The provider's own name for it." }),
    creditsPer1kTokens: z.number(),
    isDefault: z.boolean().meta({
      description: 'Who answers `@model` in a session that names no model of its own.',
    }),
  })
  .meta({ id: 'Model' });

export const ModelList = listOf(Model).meta({ id: 'ModelList' });
