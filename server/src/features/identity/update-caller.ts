import { withTransaction, type PersonContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { forbidden } from '../../core/errors.ts';
import { recordAudit } from '../audit/service.ts';
import { claimName, requireFewChanges } from '../mentions/service.ts';
import { renamePerson } from './account/service.ts';
import type { UpdateMe } from './schema.ts';
import { describeCaller } from './service.ts';
import { findOwnSettings, updateEmailNotifications } from './store.ts';

type InOrg = Omit<PersonContext, 'db' | 'orgId'> & { db: Transaction; orgId: string };

/** Changes the person's own name, and what they have chosen for themselves in this organisation. */
export async function updateCaller(ctx: PersonContext, input: UpdateMe) {
  const { name, handle, emailNotifications } = input;
  await withTransaction(ctx, async (inner) => {
    if (name !== undefined) await renamePerson(inner, name);
    if (handle === undefined && emailNotifications === undefined) return;
    const there = inOrg(inner);
    if (handle !== undefined) await changeHandle(there, handle);
    if (emailNotifications !== undefined) {
      const { db, orgId, actor } = there;
      await updateEmailNotifications(db, orgId, actor.userId, emailNotifications);
    }
  });
  return describeCaller(ctx);
}

function inOrg(ctx: Omit<PersonContext, 'db'> & { db: Transaction }): InOrg {
  const { orgId } = ctx;
  if (orgId !== null) return { ...ctx, orgId };
  throw forbidden('wrong_org', 'This belongs to an organisation. Choose one with Atrium-Org.');
}

async function changeHandle(ctx: InOrg, handle: string): Promise<void> {
  const { userId } = ctx.actor;
  if ((await findOwnSettings(ctx.db, ctx.orgId, userId))?.handle === handle) return;
  await requireFewChanges(ctx, userId, handle);
  claimName(ctx, handle, { userId });
  // Without the handles: they may be names, and the log outlives an account.
  recordAudit(ctx, 'member.handle_changed', userId);
  ctx.hints.announce(ctx, { type: 'org.updated' });
}
