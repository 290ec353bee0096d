import { z } from 'zod';
import { ROLES } from '../../core/context.ts';
import { isEmail, isUnambiguous } from '../../core/email.ts';
import { PRESENCES } from '../../core/presence.ts';
import { PROFILE_FIELDS } from '../../core/profile.ts';
import { handle, listOf, name, optional, pathId, recordId, timestamp } from '../../core/fields.ts';

export const OrgDetails = z
  .object({
    id: recordId(),
    name: z.string(),
    linkPreviews: z
      .boolean()
      .meta({ description: 'Whether the server reads public pages that its messages link to.' }),
    linkPreviewsAvailable: z.boolean().meta({
      description: 'False if the operator has turned previews off for all organisations.',
    }),
    createdAt: timestamp(),
  })
  .meta({ id: 'OrgDetails', description: 'The organisation.' });

export const UpdateOrg = z
  .strictObject({
    name: optional(name()),
    linkPreviews: optional(z.boolean()).meta({
      description: 'False: from now on, messages get no previews of links.',
    }),
  })
  .meta({ id: 'UpdateOrg' });

export const Member = z
  .object({
    userId: recordId(),
    email: z.string(),
    name: z.string(),
    handle: handle(),
    role: z.enum(ROLES),
    ...PROFILE_FIELDS,
    joinedAt: timestamp(),
    presence: z.enum(PRESENCES).meta({
      description:
        'ACTIVE: has used the web app in the last minutes. AWAY: has it open. OFFLINE: neither, or you share no Project with the person.',
    }),
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
export type UpdateOrg = z.output<typeof UpdateOrg>;
