import { hashToken } from '../../../adapters/secrets/tokens.ts';
import {
  withTransaction,
  type SignedInContext,
  type SystemActor,
  type WebContext,
} from '../../../core/context.ts';
import type { Queryable, Transaction } from '../../../db/types.ts';
import { conflict, notFound } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { countKeysOfPerson, revokeKeysSince } from '../../keys/service.ts';
import { listSentInvitations } from '../../org/invitations/service.ts';
import { holdAccount, requireFreshSignIn } from '../account/fresh-sign-in.ts';
import { emitRenamed } from '../account/service.ts';
import { countAttempt } from '../sign-in/attempts.ts';
import { EMAIL_CHANGED_MAIL, LINK_MAIL } from '../sign-in/link-mail-job.ts';
import { createLink, redeemLink, undoToken, whyNotUsed } from '../sign-in/links.ts';
import { endLinks, notePreviousEmail } from '../sign-in/store.ts';
import { findOrgNames, findPerson, forgetSecrets, lockEmail, updateEmail } from '../store.ts';
import { endAllSessions } from '../web-sessions/service.ts';
import { EMAIL_RESTORED_MAIL } from './restored-mail.ts';
import type { RestoredEmail } from './schema.ts';
import { endLaterUndos, findUndo, insertUndo, useUndo, type UndoRow } from './store.ts';

/** Does the same work whether or not the address is taken: the job checks, and sends nothing if it is. */
export async function requestEmailChange(
  ctx: SignedInContext,
  { email, currentPassword }: { email: string; currentPassword?: string | undefined },
): Promise<void> {
  await requireFreshSignIn(ctx, currentPassword);
  await countAttempt(ctx, 'link', email);
  const { userId } = ctx.actor;
  await withTransaction(ctx, async ({ db }) => {
    const linkId = await createLink(db, ctx.tokens, { purpose: 'email-change', email, userId });
    ctx.jobs.enqueue(db, { kind: LINK_MAIL, payload: { linkId } });
  });
}

/** Locks are always taken in this order: links, the person, their sessions. */
export function confirmEmailChange(ctx: SignedInContext, token: string): Promise<void> {
  const { userId } = ctx.actor;
  return withTransaction(ctx, async (inner) => {
    const { db } = inner;
    const link = await redeemLink(db, 'email-change', token, userId);
    const previous = await holdAccount(ctx, db);
    await changeEmail(db, userId, link.email);
    if (previous === link.email) return;
    await emitRenamed(inner, userId);
    await notePreviousEmail(db, link.id, previous);
    const undoId = await createUndo(ctx, db, previous);
    ctx.jobs.enqueue(db, { kind: EMAIL_CHANGED_MAIL, payload: { linkId: link.id, undoId } });
  });
}

async function createUndo(ctx: SignedInContext, db: Queryable, email: string): Promise<string> {
  const id = newId();
  const tokenHash = hashToken(undoToken(ctx.tokens, id));
  await insertUndo(db, { id, tokenHash, userId: ctx.actor.userId, email });
  return id;
}

/**
 * Gives the account back to whoever reads email at the old address. The person who changed it may know
 * the password, be signed in, and have open links and new keys, so all of those are revoked.
 */
export function undoEmailChange(ctx: WebContext, token: string): Promise<RestoredEmail> {
  const tokenHash = hashToken(token);
  return withTransaction(ctx, async (inner) => {
    const { db } = inner;
    const undo = await findUndo(db, tokenHash);
    if (!undo) throw notFound('This link');
    const { userId, email } = undo;
    // Links to the current address, to the restored one, and to any that the person asked to change to.
    const current = await findPerson(db, userId);
    await endLinks(db, userId, [email, current?.email ?? email]);
    await lockEmail(db, userId);
    if (!(await useUndo(db, undo.id))) throw whyNotUsed(await findUndo(db, tokenHash));
    await changeEmail(db, userId, email);
    await endLaterUndos(db, userId, undo.position);
    await forgetSecrets(db, userId);
    await endAllSessions(ctx, db, userId);
    const restoring = { ...inner, actor: { kind: 'system' } as const };
    await emitRenamed(restoring, userId);
    const restored = { email, ...(await endKeys(restoring, undo)) };
    ctx.jobs.enqueue(db, { kind: EMAIL_RESTORED_MAIL, payload: { undoId: undo.id, restored } });
    return restored;
  });
}

type Restoring = Omit<WebContext<SystemActor>, 'db'> & { db: Transaction };

/** Invitations are only listed: an organisation may have meant them, and its admins can revoke them. */
async function endKeys(
  ctx: Restoring,
  { userId, createdAt }: UndoRow,
): Promise<Omit<RestoredEmail, 'email'>> {
  const { db } = ctx;
  const keys = await revokeKeysSince(ctx, userId, createdAt);
  const names = await findOrgNames(db, [...new Set(keys.map(({ orgId }) => orgId))]);
  return {
    revokedKeys: keys.map(({ name, prefix, orgId }) => ({
      name,
      prefix,
      orgName: names.get(orgId) ?? '',
    })),
    remainingKeys: await countKeysOfPerson(db, userId),
    invitations: await listSentInvitations(db, userId, createdAt),
  };
}

async function changeEmail(db: Queryable, userId: string, email: string): Promise<void> {
  if (await updateEmail(db, userId, email)) return;
  throw conflict('email_taken', 'Another account uses this address now.');
}
