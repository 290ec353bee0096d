import { withTransaction, type PersonContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { forbidden } from '../../core/errors.ts';
import { changeHandle, type InOrg } from '../org/service.ts';
import { renamePerson } from './account/service.ts';
import type { UpdateMe } from './schema.ts';
import { describeCaller } from './service.ts';
import { findOwnSettings, updateEmailNotifications } from './store.ts';

/** Changes the person's own name, and what they have chosen for themselves in this organisation. */
export async function updateCaller(ctx: PersonContext, input: UpdateMe) {
  const { name, handle, emailNotifications } = input;
  await withTransaction(ctx, async (inner) => {
    if (name !== undefined) await renamePerson(inner, name);
    if (handle === undefined && emailNotifications === undefined) return;
    const there = inOrg(inner);
    const { db, orgId, actor } = there;
    if (handle !== undefined) {
      const settings = await findOwnSettings(db, orgId, actor.userId);
      if (settings?.handle !== handle) await changeHandle(there, handle);
    }
    if (emailNotifications !== undefined) {
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
