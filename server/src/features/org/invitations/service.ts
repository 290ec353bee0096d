import { hashToken } from '../../../adapters/secrets/tokens.ts';
import { withTransaction, type PersonContext, type UserContext } from '../../../core/context.ts';
import { emailKey } from '../../../core/email.ts';
import { conflict, forbidden, requireFound, type AppError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import type { Transaction } from '../../../db/types.ts';
import { emit } from '../../../events/emit.ts';
import { INVITATION_MAIL, invitationToken } from '../invitation-mail-job.ts';
import { countInvitationMail } from '../mail-limit/service.ts';
import { isPageToken, pageToken, readPageToken } from '../page-token.ts';
import type { CreateInvitation } from '../schema.ts';
import { addMember } from '../service.ts';
import {
  acceptInvitation as acceptRow,
  findCurrentToken,
  findInvitation,
  findInvitationByToken,
  insertInvitation,
  isMemberEmail,
  lockInvitation,
  lockInvitationByToken,
  renewToken,
  revokeInvitation as revokeRow,
  type InvitationRow,
} from './store.ts';

export {
  eraseInvitee,
  findInvitedEmail,
  listPendingInvitations as listInvitations,
  listSentInvitations,
} from './store.ts';

const INVITATION = 'This invitation';

export function inviteMember(ctx: UserContext, input: CreateInvitation): Promise<InvitationRow> {
  const { email, role } = input;
  return withTransaction(ctx, async (inner) => {
    if (await isMemberEmail(inner, email)) {
      throw conflict('already_member', `${email} is already a member of this organisation.`);
    }
    const id = newId();
    const tokenNumber = 1;
    const invitation = await insertInvitation(inner, {
      id,
      email,
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
    const found = requireFound(await lockInvitation(inner, invitationId), INVITATION);
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
    const found = requireFound(await lockInvitation(inner, invitationId), INVITATION);
    if (found.status !== 'REVOKED') throw invitationClosed();
  });
}

/** A link that only opens the invitation's page, for OWNERs and ADMINs to pass on. */
export async function getInvitationLink(ctx: UserContext, invitationId: string): Promise<string> {
  const invitation = requireFound(await findInvitation(ctx, invitationId), INVITATION);
  if (invitation.status !== 'PENDING') throw invitationClosed();
  return `${ctx.site.publicUrl()}/invite/${pageToken(ctx.tokens, invitation)}`;
}

type Reading = Pick<PersonContext, 'db' | 'tokens'>;

/** For the page behind either link: anyone with the token may see what it is for. */
export async function describeInvitation(ctx: Reading, token: string) {
  const found = await findInvitationByToken(ctx.db, await findTokenHash(ctx, token));
  const invitation = requireFound(found, INVITATION);
  // Then the emailed link has proved the address, and nobody has an account with it.
  const canSignUp = readPageToken(token) === undefined && !invitation.hasAccount;
  return { ...invitation, canSignUp };
}

/** For somebody without an account. Locks the invitation. The copied link is not enough: it proves nothing. */
export async function holdEmailedInvitation(
  db: Transaction,
  token: string,
): Promise<{ email: string; orgId: string }> {
  const invitation = requireFound(await lockInvitationByToken(db, hashToken(token)), INVITATION);
  if (invitation.status !== 'PENDING') throw invitationClosed();
  return invitation;
}

/** The hash by which the invitation is stored, whichever of its two tokens this is. */
async function findTokenHash({ db, tokens }: Reading, token: string): Promise<Buffer> {
  const invitationId = readPageToken(token);
  const current = invitationId && (await findCurrentToken(db, invitationId));
  return current && isPageToken(tokens, current, token) ? current.tokenHash : hashToken(token);
}

/** The caller may be in any org or none; only their address must be the invited one. */
export function acceptInvitation(ctx: PersonContext, token: string) {
  return withTransaction(ctx, async (inner) => {
    const found = await lockInvitationByToken(inner.db, await findTokenHash(inner, token));
    const invitation = requireFound(found, INVITATION);
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
