import { withTransaction, type SignedInContext } from '../../../core/context.ts';
import { requireFound } from '../../../core/errors.ts';
import { eraseInvitee } from '../../org/invitations/service.ts';
import { expireDepartures, leaveForGood } from '../../org/service.ts';
import { deleteUndos, listUndoEmails } from '../email-changes/store.ts';
import { deletePhoto } from '../photos/store.ts';
import { eraseLinks } from '../sign-in/store.ts';
import { eraseUser, findPerson, listOrgsOf } from '../store.ts';
import { endAllSessions } from '../web-sessions/service.ts';
import { holdAccount, requireFreshSignIn } from './fresh-sign-in.ts';

/**
 * Erases name and address, and ends everything that could act for the person. Locks are taken in this order:
 * invitations, links, the person, then their orgs, so nothing can bring the person back meanwhile.
 */
export async function deleteAccount(ctx: SignedInContext, currentPassword?: string): Promise<void> {
  await requireFreshSignIn(ctx, currentPassword);
  const { userId } = ctx.actor;
  await withTransaction(ctx, async (inner) => {
    const { db } = inner;
    const person = requireFound(await findPerson(db, userId), 'This person');
    const emails = [person.email, ...(await listUndoEmails(db, userId))];
    await eraseInvitee(db, emails);
    await eraseLinks(db, userId, emails);
    const email = await holdAccount(ctx, db);
    // The address may have been changed just before.
    if (email !== person.email) await eraseInvitee(db, [email]);
    for (const org of await listOrgsOf(db, userId)) {
      await leaveForGood({ ...inner, orgId: org.id }, org.name);
    }
    await expireDepartures(db, userId);
    await deleteUndos(db, userId);
    await endAllSessions(ctx, db, userId);
    await deletePhoto(db, userId);
    await eraseUser(db, userId);
  });
}
