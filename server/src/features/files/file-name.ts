import type { z } from 'zod';
import { findHiddenCharacter } from '../../core/hidden-characters.ts';
import { text } from '../../core/fields.ts';

/** As the uploader's system has it, so it may have spaces at its ends. It names no folder and hides nothing. */
export const fileName = () =>
  text({ max: 255 })
    .refine((value) => !/[/\\]/.test(value) && value !== '.' && value !== '..', {
      params: { code: 'invalid_name' },
      message: 'must be a name without / and \\',
    })
    .refine((value) => !/\p{Cc}/u.test(value) && findHiddenCharacter(value) === undefined, {
      params: { code: 'hidden_character' },
      message: 'must not contain control characters, or ones that nobody sees',
    })
    .meta({ example: 'contract.pdf' }) satisfies z.ZodType;
