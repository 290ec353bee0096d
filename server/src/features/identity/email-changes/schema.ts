import { z } from 'zod';
import { isUnambiguous } from '../../../email.ts';
import { optional, text } from '../../../http/fields.ts';
import { email } from '../sign-in/schema.ts';

export const ChangeEmail = z.strictObject({
  email: email().refine(isUnambiguous, 'contains a character that looks like another letter'),
  currentPassword: optional(text({ max: 1_000 })),
});
export const ConfirmChange = z.strictObject({ token: text({ max: 200 }) });
export const UndoChange = ConfirmChange;
export const RestoredEmail = z.object({ email: z.string() });
