import { hashToken } from '../../adapters/secrets/tokens.ts';
import {
  withTransaction,
  type Context,
  type PersonContext,
  type Role,
  type Tokens,
  type UserContext,
} from '../../core/context.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { emailKey } from '../../core/email.ts';
import { conflict, forbidden, notFound, type AppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { recordAudit } from '../audit/service.ts';
import { requireNoSubscription } from '../billing/service.ts';
import { revokeOrgKeys } from '../keys/service.ts';
import { giveHandle, restHandle } from '../mentions/service.ts';
import { deleteNotificationsOf, notifyOfAcceptance } from '../notifications/service.ts';
import { leaveSessionsAtCommit } from '../sessions/participants/service.ts';
import { INVITATION_MAIL, invitationToken } from './invitation-mail-job.ts';
import { countInvitationMail } from './mail-limit/service.ts';
import { isPageToken, pageToken, readPageToken } from './page-token.ts';
import { requireAnotherOwner, requireRemoval, requireRoleChange } from './policy.ts';
import type { CreateInvitation } from './schema.ts';
import {
  acceptInvitation as acceptRow,
  deleteMember,
  eraseInvitee as eraseInviteeRows,
  findCurrentToken,
  findInvitation,
  findInvitationByToken,
  findPendingEmail,
  hasOtherMembers,
  lockInvitation,
  insertInvitation,
  insertMember,
  isMemberEmail,
  listMembers as listMemberRows,
  listPendingInvitations,
  listSentInvitations,
  lockInvitationByToken,
  lockMember,
  renewToken,
  revokeInvitation as revokeRow,
  revokePendingInvitations,
  updateRole,
  type DescribedInvitation,
  type InvitationRow,
  type MemberRow,
  type SentInvitation,
} from './store.ts';

export function listMembers(ctx: Context): Promise<MemberRow[]> {
  return listMemberRows(ctx);
}

export function changeRole(ctx: UserContext, userId: string, role: Role): Promise<MemberRow> {
  return withTransaction(ctx, async (inner) => {
    const { member, owners } = await lockMember(inner, userId);
    if (!member) throw notFound('This member');
    requireRoleChange(ctx, member, role);
    if (member.role === role) return member;
    requireAnotherOwner(member, owners);
    await updateRole(inner, userId, role);
    leaveSessionsAtCommit(inner.db, ctx.orgId, userId);
    recordAudit(inner, 'member.role_changed', userId, { from: member.role, to: role });
    ctx.hints.announce(inner, { type: 'org.updated' });
    // The new role may give or take away access to Projects.
    ctx.hints.announce(inner, { type: 'resync', to: userId });
    return { ...member, role };
  });
}

export async function removeMember(ctx: UserContext, userId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const { member, owners } = await lockMember(inner, userId);
    if (!member) throw notFound('This member');
    requireRemoval(ctx, member);
    requireAnotherOwner(member, owners);
    await endMembership(inner, member);
  });
}

type Leaving = Omit<PersonContext, 'db' | 'orgId'> & { db: Transaction; orgId: string };

async function endMembership(ctx: Leaving, { userId, role }: MemberRow): Promise<void> {
  await restHandle(ctx.db, ctx.orgId, userId);
  await deleteMember(ctx, userId);
  await deleteNotificationsOf(ctx.db, ctx.orgId, userId);
  leaveSessionsAtCommit(ctx.db, ctx.orgId, userId);
  recordAudit(ctx, 'member.removed', userId, { role });
  ctx.hints.announce(ctx, { type: 'org.updated' });
}

/**
 * For a person who deletes their account. An org that nobody else belongs to is closed: nobody can ever
 * enter it again, so its invitations and keys must stop working.
 */
export async function leaveForGood(ctx: Leaving, orgName: string): Promise<void> {
  const { member, owners } = await lockMember(ctx, ctx.actor.userId);
  if (!member) return;
  if (member.role === 'OWNER' && owners === 1) {
    // This waits for whoever is accepting one right now, so that they are counted.
    await revokePendingInvitations(ctx);
    if (await hasOtherMembers(ctx, member.userId)) {
      throw conflict(
        'last_owner',
        `You are the last OWNER of ${orgName}. Make someone else an OWNER first.`,
        { orgId: ctx.orgId },
      );
    }
    await requireNoSubscription(ctx, orgName);
    await revokeOrgKeys(ctx.db, ctx.orgId);
  }
  await endMembership(ctx, member);
}

export function listInvitations(ctx: Context): Promise<InvitationRow[]> {
  return listPendingInvitations(ctx);
}

export function inviteMember(ctx: UserContext, input: CreateInvitation): Promise<InvitationRow> {
  const { email, role } = input;
  return withTransaction(ctx, async (inner) => {
    if (await isMemberEmail(inner, emailKey(email))) {
      throw conflict('already_member', `${email} is already a member of this organisation.`);
    }
    const id = newId();
    const tokenNumber = 1;
    const invitation = await insertInvitation(inner, {
      id,
      email,
      emailKey: emailKey(email),
      role,
      tokenNumber,
      tokenHash: hashToken(invitationToken(ctx.tokens, id, tokenNumber)),
      invitedById: ctx.actor.userId,
    });
    if (!invitation) {
      throw conflict(
        'invitation_pending',
        `${email} already has a pending invitation. Resend or revoke it.`,
      );
    }
    await countInvitationMail(inner, email);
    ctx.jobs.enqueue(inner.db, mailJob(ctx.orgId, invitation));
    recordAudit(inner, 'invitation.created', id, { role });
    ctx.hints.announce(inner, { type: 'org.updated' });
    return invitation;
  });
}

/** Sends a new token; the old one stops working. */
export function resendInvitation(ctx: UserContext, invitationId: string): Promise<InvitationRow> {
  return withTransaction(ctx, async (inner) => {
    const found = await lockInvitation(inner, invitationId);
    if (!found) throw notFound('This invitation');
    const tokenNumber = found.tokenNumber + 1;
    const tokenHash = hashToken(invitationToken(ctx.tokens, invitationId, tokenNumber));
    const renewed = await renewToken(inner, invitationId, tokenNumber, tokenHash);
    if (!renewed) throw invitationClosed();
    await countInvitationMail(inner, renewed.email);
    ctx.jobs.enqueue(inner.db, mailJob(ctx.orgId, renewed));
    recordAudit(inner, 'invitation.resent', invitationId);
    ctx.hints.announce(inner, { type: 'org.updated' });
    return renewed;
  });
}

export async function revokeInvitation(ctx: UserContext, invitationId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (await revokeRow(inner, invitationId)) {
      recordAudit(inner, 'invitation.revoked', invitationId);
      ctx.hints.announce(inner, { type: 'org.updated' });
      return;
    }
    const found = await lockInvitation(inner, invitationId);
    if (!found) throw notFound('This invitation');
    if (found.status !== 'REVOKED') throw invitationClosed();
  });
}

export type { SentInvitation } from './store.ts';

/** In every org: those that were sent in the person's name since then, and not revoked. */
export function listInvitationsSince(
  db: Queryable,
  userId: string,
  since: Date,
): Promise<SentInvitation[]> {
  return listSentInvitations(db, userId, since);
}

/** Removes addresses from all invitations to them. Pending ones are revoked. */
export function eraseInvitee(db: Queryable, emails: readonly string[]): Promise<void> {
  return eraseInviteeRows(db, emails.map(emailKey));
}

/** The address as the pending invitation spells it. Undefined if there is none. */
export function findInvitedEmail(db: Queryable, email: string): Promise<string | undefined> {
  return findPendingEmail(db, emailKey(email));
}

/** A link that only opens the invitation's page, for OWNERs and ADMINs to pass on. */
export async function getInvitationLink(ctx: UserContext, invitationId: string): Promise<string> {
  const invitation = await findInvitation(ctx, invitationId);
  if (!invitation) throw notFound('This invitation');
  if (invitation.status !== 'PENDING') throw invitationClosed();
  return `${ctx.site.publicUrl()}/invite/${pageToken(ctx.tokens, invitation)}`;
}

export interface InvitationPage extends DescribedInvitation {
  /** The emailed link has proved the address, and nobody has an account with it. */
  canSignUp: boolean;
}

/** For the page behind either link: anyone with the token may see what it is for. */
export async function describeInvitation(
  ctx: { db: Queryable; tokens: Tokens },
  token: string,
): Promise<InvitationPage> {
  const invitation = await findInvitationByToken(ctx.db, await findTokenHash(ctx, token));
  if (!invitation) throw notFound('This invitation');
  return { ...invitation, canSignUp: isEmailed(token) && !invitation.hasAccount };
}

/** For somebody without an account. Locks the invitation. The copied link is not enough: it proves nothing. */
export async function holdEmailedInvitation(
  db: Transaction,
  token: string,
): Promise<{ email: string; orgId: string }> {
  const invitation = await lockInvitationByToken(db, hashToken(token));
  if (!invitation) throw notFound('This invitation');
  if (invitation.status !== 'PENDING') throw invitationClosed();
  return invitation;
}

function isEmailed(token: string): boolean {
  return readPageToken(token) === undefined;
}

/** The hash by which the invitation is stored, whichever of its two tokens this is. */
async function findTokenHash(
  { db, tokens }: { db: Queryable; tokens: Tokens },
  token: string,
): Promise<Buffer> {
  const invitationId = readPageToken(token);
  const current = invitationId && (await findCurrentToken(db, invitationId));
  return current && isPageToken(tokens, current, token) ? current.tokenHash : hashToken(token);
}

export interface Acceptance {
  member: MemberRow;
  org: { id: string; name: string };
}

/** The caller may be in any org or none; only their address must be the invited one. */
export function acceptInvitation(ctx: PersonContext, token: string): Promise<Acceptance> {
  return withTransaction(ctx, async (inner) => {
    const invitation = await lockInvitationByToken(inner.db, await findTokenHash(inner, token));
    if (!invitation) throw notFound('This invitation');
    if (invitation.emailKey !== emailKey(ctx.actor.email)) {
      throw forbidden('wrong_invitee', 'This invitation is for another email address.');
    }
    if (invitation.status !== 'PENDING') throw invitationClosed();
    const { orgId, orgName, role } = invitation;
    const joined = await insertMember(inner.db, orgId, ctx.actor.userId, role);
    if (!joined) throw conflict('already_member', 'You are already a member of this organisation.');
    const handle = await giveHandle(inner.db, { ...joined, orgId }, ctx.models);
    const member = { ...joined, handle };
    await acceptRow(inner.db, invitation.id);
    const there = { ...inner, orgId };
    notifyOfAcceptance(there, invitation, member.userId);
    recordAudit(there, 'invitation.accepted', invitation.id);
    recordAudit(there, 'member.joined', member.userId, { role });
    ctx.hints.announce(there, { type: 'org.updated' });
    return { member, org: { id: orgId, name: orgName } };
  });
}

function mailJob(orgId: string, { id, tokenNumber }: InvitationRow) {
  return { kind: INVITATION_MAIL, payload: { orgId, invitationId: id, tokenNumber } };
}

function invitationClosed(): AppError {
  return conflict('invitation_closed', 'This invitation was accepted or revoked, or has expired.');
}
