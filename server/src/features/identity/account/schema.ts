import { z } from 'zod';
import { ROLES } from '../../../core/context.ts';
import { name, optional, recordId, text } from '../../../core/fields.ts';

/** The signed-in person and their orgs. */
export const Profile = z.object({
  userId: recordId(),
  email: z.string(),
  name: z.string(),
  hasPassword: z.boolean(),
  orgs: z.array(z.object({ id: recordId(), name: z.string(), role: z.enum(ROLES) })),
  lastOrgId: recordId().nullable(),
});
export type Profile = z.output<typeof Profile>;

/** Null if nobody is signed in. */
export const SignedIn = z.object({ profile: Profile.nullable() });

/** What the app has to know about how this server is set up. */
export const ServerInfo = z.object({
  sendsMail: z.boolean(),
  /** NONE: nothing can be bought here. SANDBOX: payments are simulated. */
  payments: z.enum(['STRIPE', 'SANDBOX', 'NONE']),
});

export const UpdateProfile = z.strictObject({ name: optional(name()) });

export const SetPassword = z.strictObject({
  password: text({ min: 10, max: 200 }),
  currentPassword: optional(text({ max: 1_000 })),
  /** Off by default: a page from before this field existed has not asked the person. */
  revokeKeys: optional(z.boolean()),
});
export type SetPassword = z.output<typeof SetPassword>;
export const ChangedPassword = z.object({ revokedKeys: z.int() });

export const ConfirmSignIn = z.strictObject({ currentPassword: optional(text({ max: 1_000 })) });
