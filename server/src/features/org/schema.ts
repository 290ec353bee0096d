import { z } from 'zod';
import { ROLES } from '../../core/context.ts';
import { isEmail, isUnambiguous } from '../../core/email.ts';
import { handle, listOf, name, optional, pathId, recordId, timestamp } from '../../core/fields.ts';

export const OrgDetails = z
  .object({ id: recordId(), name: z.string(), createdAt: timestamp() })
  .meta({ id: 'OrgDetails', description: 'The organisation.' });

export const UpdateOrg = z.strictObject({ name: optional(name()) }).meta({ id: 'UpdateOrg' });

export const Member = z
  .object({
    userId: recordId(),
    email: z.string(),
    name: z.string(),
    handle: handle(),
    role: z.enum(ROLES),
    joinedAt: timestamp(),
  })
  .meta({ id: 'Member' });

export const MemberList = listOf(Member).meta({ id: 'MemberList' });

export const Invitation = z
  .object({
    id: recordId(),
    email: z.string(),
    role: z.enum(['ADMIN', 'MEMBER']),
    status: z.enum(['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED']),
    invitedById: recordId(),
    expiresAt: timestamp(),
    createdAt: timestamp(),
  })
  .meta({ id: 'Invitation', description: 'The token is only in the email.' });

export const InvitationList = listOf(Invitation).meta({ id: 'InvitationList' });

export const InvitationLink = z
  .object({ url: z.string().meta({ format: 'uri' }) })
  .meta({ id: 'InvitationLink' });

export const AcceptedInvitation = Member.extend({
  org: z.object({ id: recordId(), name: z.string() }),
}).meta({ id: 'AcceptedInvitation' });

export const WebInvitation = z.object({
  org: z.object({ id: recordId(), name: z.string() }),
  inviter: z.object({ name: z.string() }),
  email: z.string(),
  role: Invitation.shape.role,
  status: Invitation.shape.status,
  expiresAt: timestamp(),
  /** The visitor's address. They may have to sign in with another one. */
  signedInAs: z.string().nullable(),
  /** Whether this link may create the account. */
  canSignUp: z.boolean(),
});

export const CreateInvitation = z
  .strictObject({
    email: z
      .string()
      .trim()
      .refine(isEmail, 'must be an email address')
      .refine(isUnambiguous, 'contains a character that looks like another letter')
      .meta({ format: 'email', maxLength: 254 }),
    role: z.enum(['ADMIN', 'MEMBER']),
  })
  .meta({ id: 'CreateInvitation' });

export const ChangeRole = z.strictObject({ role: z.enum(ROLES) }).meta({ id: 'ChangeRole' });

export const OrgPath = z.object({ orgId: pathId('org') });
export const MemberPath = OrgPath.extend({ userId: pathId('user') });
export const InvitationPath = OrgPath.extend({ invitationId: pathId('invitation') });
export const TokenPath = z.object({
  token: z.string().meta({ description: 'The one-time token from the email.', example: 'tok…' }),
});

export type CreateInvitation = z.output<typeof CreateInvitation>;
