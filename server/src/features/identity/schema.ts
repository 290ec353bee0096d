import { z } from 'zod';
import { ROLES } from '../../context.ts';
import { optional, recordId, text } from '../../http/fields.ts';

export const Me = z
  .object({
    userId: recordId(),
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    org: z.object({ id: recordId(), name: z.string() }),
    keyId: recordId().meta({ description: 'The key of this request.' }),
    scopes: z.array(z.string()).meta({ description: 'What the key may be used for.' }),
  })
  .meta({ id: 'Me' });

export const DeleteAccount = z
  .strictObject({
    currentPassword: optional(text({ max: 1_000 })).meta({
      description: 'Not needed within 10 minutes of signing in with an email link.',
    }),
  })
  .meta({ id: 'DeleteAccount' });

/** In the browser there is no key, and there may be no org. */
export const MeInBrowser = Me.extend({
  role: Me.shape.role.nullable(),
  org: Me.shape.org.nullable(),
  keyId: z.null(),
});
