import {
  withTransaction,
  type Context,
  type EventContext,
  type PersonContext,
  type Role,
  type UserContext,
} from '../../core/context.ts';
import { conflict, limitReached, notFound, requireFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Transaction } from '../../db/types.ts';
import { emit, prepareFor } from '../../events/emit.ts';
import { GROUP_WORDS } from '../../text/group-words.ts';
import { claimName, giveHandle, requireFewChanges, restHandle } from '../mentions/service.ts';
import { revokePendingInvitations } from './invitations/store.ts';
import type { UpdateOrg } from './schema.ts';
import { requireAnotherOwner, requireRemoval, requireRoleChange } from './policy.ts';
import {
  countOrgsMadeBy,
  deleteMember,
  findMember,
  findOrg,
  findRole,
  hasOtherMembers,
  insertMember,
  insertOrg,
  lockMember,
  updateLinkPreviews,
  updateOrgName,
  updateRole,
  type MemberRow,
  type OrgRow,
} from './store.ts';

export { expireDepartures, findRole, hasAnyOrg, listMembers } from './store.ts';

/** The command line knows no models. */
type Joining = Partial<Pick<Context, 'models'>> & { db: Transaction };

/** The caller becomes its OWNER. */
export function createOwnOrg(ctx: PersonContext, name: string): Promise<OrgRow> {
  return withTransaction(ctx, async (inner) => {
    const org = await createOrgOf(inner, ctx.actor.userId, name);
    emit({ ...inner, orgId: org.id }, { type: 'org.created' });
    return org;
  });
}

const MOST_ORGS = 10;

/** Only a person's first org gets free credits; otherwise creating orgs would yield unlimited credits. */
export async function createOrgOf(ctx: Joining, userId: string, name: string): Promise<OrgRow> {
  const made = requireFound(await countOrgsMadeBy(ctx.db, userId), 'This person');
  if (made >= MOST_ORGS) {
    throw limitReached(
      'orgs_per_person',
      MOST_ORGS,
      `You have created ${MOST_ORGS} organisations, the most one person can create.`,
    );
  }
  const id = newId();
  const row = { id, name, createdById: userId, hasFreeCredits: made === 0 };
  const createdAt = await insertOrg(ctx.db, row);
  await addMember(ctx, { orgId: id, userId, role: 'OWNER' });
  return { id, name, linkPreviews: true, createdAt };
}

/** Doesn't count towards its owner's limit. Returns its id. */
export async function createOrgByOperator(
  db: Transaction,
  ownerId: string,
  name: string,
): Promise<string> {
  const id = newId();
  await insertOrg(db, { id, name, createdById: null, hasFreeCredits: true });
  await addMember({ db }, { orgId: id, userId: ownerId, role: 'OWNER' });
  return id;
}

/** Undefined if the person is already a member, in any role. */
export async function addMember(
  { db, models }: Joining,
  { orgId, userId, role }: { orgId: string; userId: string; role: Role },
): Promise<MemberRow | undefined> {
  const joined = await insertMember(db, orgId, userId, role);
  if (!joined) return undefined;
  return { ...joined, handle: await giveHandle(db, { ...joined, orgId }, models) };
}

/** What is the same, or not sent, changes nothing. */
export function updateOrg(ctx: UserContext, { name, linkPreviews }: UpdateOrg): Promise<OrgRow> {
  const { orgId } = ctx;
  return withTransaction(ctx, async (inner) => {
    const { db } = inner;
    const fields = [];
    if (name !== undefined && (await updateOrgName(db, orgId, name))) fields.push('name');
    if (linkPreviews !== undefined && (await updateLinkPreviews(db, orgId, linkPreviews))) {
      fields.push('linkPreviews');
    }
    if (fields.length > 0) emit(inner, { type: 'org.updated', fields });
    return getOrg(inner);
  });
}

export async function getOrg(ctx: Context): Promise<OrgRow> {
  return requireFound(await findOrg(ctx.db, ctx.orgId), 'This organisation');
}

/** Whether the caller belongs to this org, whichever one they work in. */
export async function isMember(
  { db, actor }: Pick<PersonContext, 'db' | 'actor'>,
  orgId: string,
): Promise<boolean> {
  return (await findRole(db, orgId, actor.userId)) !== undefined;
}

export function changeRole(ctx: UserContext, userId: string, role: Role): Promise<MemberRow> {
  return withTransaction(ctx, async (inner) => {
    const { member, owners } = await lockMember(inner, userId);
    if (!member) throw notFound('This member');
    requireRoleChange(ctx, member, role);
    if (member.role === role) return member;
    requireAnotherOwner(member, owners);
    await updateRole(inner, userId, role);
    emit(inner, { type: 'member.role_changed', userId, from: member.role, to: role });
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

async function endMembership(ctx: EventContext, { userId, role }: MemberRow): Promise<void> {
  await restHandle(ctx.db, ctx.orgId, userId);
  await deleteMember(ctx, userId);
  emit(ctx, { type: 'member.removed', userId, role });
}

/** A person in one of their organisations. */
export type InOrg = Omit<PersonContext, 'db' | 'orgId'> & { db: Transaction; orgId: string };

export async function changeHandle(ctx: InOrg, handle: string): Promise<void> {
  const { userId } = ctx.actor;
  // Whoever had it before it was reserved keeps it.
  if (GROUP_WORDS.has(handle) && (await findMember(ctx, userId))?.handle === handle) return;
  await requireFewChanges(ctx, userId, handle);
  claimName(ctx, handle, { userId });
  emit(ctx, { type: 'member.handle_changed', userId });
}

/**
 * For a person who deletes their account. An org that nobody else belongs to is closed: nobody can ever
 * enter it again, so its invitations and keys must stop working.
 */
export async function leaveForGood(ctx: InOrg, orgName: string): Promise<void> {
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
    await prepareFor(ctx, { type: 'org.closing', orgName });
  }
  await endMembership(ctx, member);
}
