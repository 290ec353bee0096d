import { hashToken } from '../../../adapters/secrets/tokens.ts';
import {
  withTransaction,
  type PersonContext,
  type Tokens,
  type UserContext,
} from '../../../core/context.ts';
import { emailKey } from '../../../core/email.ts';
import { conflict, forbidden, notFound, type AppError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import type { Queryable, Transaction } from '../../../db/types.ts';
import { emit } from '../../../events/emit.ts';
import { INVITATION_MAIL, invitationToken } from '../invitation-mail-job.ts';
import { countInvitationMail } from '../mail-limit/service.ts';
import { isPageToken, pageToken, readPageToken } from '../page-token.ts';
import type { CreateInvitation } from '../schema.ts';
import { addMember } from '../service.ts';
import type { MemberRow } from '../store.ts';
import {
  acceptInvitation as acceptRow,
  eraseInvitee as eraseInviteeRows,
  findCurrentToken,
  findInvitation,
  findInvitationByToken,
  findPendingEmail,
  insertInvitation,
  isMemberEmail,
  lockInvitation,
  lockInvitationByToken,
  renewToken,
  revokeInvitation as revokeRow,
  type DescribedInvitation,
  type InvitationRow,
} from './store.ts';

export { listPendingInvitations as listInvitations, listSentInvitations } from './store.ts';

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
    emit(inner, { type: 'invitation.created', invitationId: id, role });
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
    emit(inner, { type: 'invitation.resent', invitationId });
    return renewed;
  });
}

export async function revokeInvitation(ctx: UserContext, invitationId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (await revokeRow(inner, invitationId)) {
      emit(inner, { type: 'invitation.revoked', invitationId });
      return;
    }
    const found = await lockInvitation(inner, invitationId);
    if (!found) throw notFound('This invitation');
    if (found.status !== 'REVOKED') throw invitationClosed();
  });
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
    const { id: invitationId, invitedById, orgId, orgName, role } = invitation;
    const { userId } = ctx.actor;
    const member = await addMember(inner, { orgId, userId, role });
    if (!member) throw conflict('already_member', 'You are already a member of this organisation.');
    await acceptRow(inner.db, invitationId);
    const there = { ...inner, orgId };
    emit(there, { type: 'invitation.accepted', invitationId, invitedById, accepterId: userId });
    emit(there, { type: 'member.joined', userId, role });
    return { member, org: { id: orgId, name: orgName } };
  });
}

function mailJob(orgId: string, { id, tokenNumber }: InvitationRow) {
  return { kind: INVITATION_MAIL, payload: { orgId, invitationId: id, tokenNumber } };
}

function invitationClosed(): AppError {
  return conflict('invitation_closed', 'This invitation was accepted or revoked, or has expired.');
}
