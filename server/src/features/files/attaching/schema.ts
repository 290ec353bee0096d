import { z } from 'zod';
import { text } from '../../../core/fields.ts';
import { Attachment } from '../schema.ts';

const MOST_ATTACHED = 10;

/** What a message or task is to have, in this order. */
export const fileIds = () =>
  z
    .array(text({ max: 50 }))
    .max(MOST_ATTACHED)
    .refine((ids) => new Set(ids).size === ids.length, {
      params: { code: 'invalid_value' },
      message: 'must not name a file twice',
    })
    .meta({ uniqueItems: true });

export const attachments = () => z.array(Attachment);
