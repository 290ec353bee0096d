import { z } from 'zod';
import { ROLES } from '../../core/context.ts';
import { HANDLE } from '../../core/handle.ts';
import { handle, name, optional, recordId, text } from '../../core/fields.ts';
import { EMAIL_CHOICES } from './email-choices.ts';

export const Me = z
  .object({
    userId: recordId(),
    email: z.string(),
    name: z.string(),
    handle: handle(),
    emailNotifications: z
      .enum(EMAIL_CHOICES)
      .meta({ description: 'Which unread notifications of this organisation are emailed.' }),
    role: z.enum(ROLES),
    org: z.object({ id: recordId(), name: z.string() }),
    keyId: recordId().meta({ description: 'The key of this request.' }),
    scopes: z.array(z.string()).meta({ description: 'What the key may be used for.' }),
  })
  .meta({ id: 'Me' });

export const UpdateMe = z
  .strictObject({
    name: optional(name()).meta({ description: 'The same in every organisation.' }),
    handle: optional(
      z
        .string()
        .regex(HANDLE, 'must be 2 to 32 of a-z, 0-9, ., _ and -, and begin with a letter or digit'),
    ).meta({ description: 'The name by which others mention you in this organisation.' }),
    emailNotifications: optional(z.enum(EMAIL_CHOICES)).meta({
      description: 'What you are emailed about in this organisation, if it stays unread.',
    }),
  })
  .meta({ id: 'UpdateMe' });

export type UpdateMe = z.output<typeof UpdateMe>;

export const DeleteAccount = z
  .strictObject({
    currentPassword: optional(text({ max: 1_000 })).meta({
      description: 'Not needed within 10 minutes of signing in with an email link.',
    }),
  })
  .meta({ id: 'DeleteAccount' });

/** In the browser there is no key, and there may be no org. */
export const MeInBrowser = Me.extend({
  emailNotifications: Me.shape.emailNotifications.nullable(),
  role: Me.shape.role.nullable(),
  org: Me.shape.org.nullable(),
  keyId: z.null(),
});
