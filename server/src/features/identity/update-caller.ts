import { withTransaction, type PersonContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { forbidden, invalidValue } from '../../core/errors.ts';
import { emit } from '../../events/emit.ts';
import { changeHandle, type InOrg } from '../org/service.ts';
import { renamePerson } from './account/service.ts';
import { setPhoto } from './photos/service.ts';
import type { UpdateMe } from './schema.ts';
import { describeCaller } from './service.ts';
import {
  findOwnSettings,
  listOrgsOf,
  updateEmailNotifications,
  updateStatus,
  updateTimeZone,
  updateTitle,
} from './store.ts';

type Changing = Omit<PersonContext, 'db'> & { db: Transaction };

/** Changes what the person is everywhere, and what they have chosen for themselves in this organisation. */
export async function updateCaller(ctx: PersonContext, input: UpdateMe) {
  const { status } = input;
  if (status?.until && status.until <= ctx.clock.now()) {
    throw invalidValue('body.status.until', 'must be in the future');
  }
  await withTransaction(ctx, async (inner) => {
    await changeEverywhere(inner, input);
    await changeHere(inner, input);
  });
  return describeCaller(ctx);
}

async function changeEverywhere(ctx: Changing, { name, photo, timeZone }: UpdateMe): Promise<void> {
  const { db, actor } = ctx;
  if (name !== undefined) await renamePerson(ctx, name);
  const fields: string[] = [];
  if (photo !== undefined) {
    await setPhoto(ctx, photo);
    fields.push('photo');
  }
  if (timeZone !== undefined && (await updateTimeZone(db, actor.userId, timeZone))) {
    fields.push('timeZone');
  }
  if (fields.length === 0) return;
  for (const { id: orgId } of await listOrgsOf(db, actor.userId)) {
    emit({ ...ctx, orgId }, { type: 'member.profile_changed', userId: actor.userId, fields });
  }
}

async function changeHere(ctx: Changing, input: UpdateMe): Promise<void> {
  const { handle, emailNotifications, title, status } = input;
  if ([handle, emailNotifications, title, status].every((value) => value === undefined)) return;
  const there = inOrg(ctx);
  const { db, orgId, actor } = there;
  const { userId } = actor;
  if (handle !== undefined) {
    const settings = await findOwnSettings(db, orgId, userId);
    if (settings?.handle !== handle) await changeHandle(there, handle);
  }
  if (emailNotifications !== undefined) {
    await updateEmailNotifications(db, orgId, userId, emailNotifications);
  }
  const fields: string[] = [];
  if (title !== undefined && (await updateTitle(db, orgId, userId, title))) fields.push('title');
  if (status !== undefined) {
    await updateStatus(db, orgId, userId, status);
    fields.push('status');
  }
  if (fields.length > 0) emit(there, { type: 'member.profile_changed', userId, fields });
}

function inOrg(ctx: Changing): InOrg {
  const { orgId } = ctx;
  if (orgId !== null) return { ...ctx, orgId };
  throw forbidden('wrong_org', 'This belongs to an organisation. Choose one with Atrium-Org.');
}
