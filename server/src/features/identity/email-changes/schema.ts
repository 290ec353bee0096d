import { z } from 'zod';
import { isUnambiguous } from '../../../core/email.ts';
import { optional, text } from '../../../core/fields.ts';
import { email } from '../sign-in/schema.ts';

export const ChangeEmail = z.strictObject({
  email: email().refine(isUnambiguous, 'contains a character that looks like another letter'),
  currentPassword: optional(text({ max: 1_000 })),
});
export const ConfirmChange = z.strictObject({ token: text({ max: 200 }) });
export const UndoChange = ConfirmChange;
/** What undoing a change ended, and what the person should look at. */
export const RestoredEmail = z.object({
  email: z.string(),
  /** Those created since the change. */
  revokedKeys: z.array(z.object({ name: z.string(), prefix: z.string(), orgName: z.string() })),
  /** How many older keys of the person still work. */
  remainingKeys: z.int(),
  /** Sent in the person's name since the change. They stay. */
  invitations: z.array(
    z.object({ email: z.string(), isAccepted: z.boolean(), orgName: z.string() }),
  ),
});
export type RestoredEmail = z.output<typeof RestoredEmail>;
