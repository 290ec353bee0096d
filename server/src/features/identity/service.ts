import {
  withTransaction,
  type Context,
  type PersonContext,
  type Role,
  type UserContext,
} from '../../core/context.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { emailKey } from '../../core/email.ts';
import { limitReached, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { recordAudit } from '../audit/service.ts';
import { giveHandle } from '../mentions/service.ts';
import {
  countOrgsMadeBy,
  findOrg,
  findOrgName,
  findOwnSettings,
  findPerson,
  findRole,
  findUserByEmail,
  hasAnyOrg,
  insertMembership,
  insertOrg,
  insertUser,
  updateOrgName,
  upsertUser,
  type UserRow,
} from './store.ts';
import { setLastOrg } from './web-sessions/store.ts';

export async function describeCaller(ctx: PersonContext) {
  const { userId, email, role, keyId, scopes } = ctx.actor;
  const [person, orgName, settings] = await Promise.all([
    findPerson(ctx.db, userId),
    ctx.orgId === null ? undefined : findOrgName(ctx.db, ctx.orgId),
    ctx.orgId === null ? undefined : findOwnSettings(ctx.db, ctx.orgId, userId),
  ]);
  if (!person) throw notFound('This person');
  const org = ctx.orgId === null || orgName === undefined ? null : { id: ctx.orgId, name: orgName };
  const handle = settings?.handle ?? null;
  const me = { userId, email, name: person.name, handle, scopes: [...scopes] };
  // A key belongs to an org, and only works while its person has a role there.
  const emailNotifications = settings?.emailNotifications ?? null;
  if (keyId !== null && role && org && emailNotifications) {
    return { ...me, emailNotifications, role, org, keyId };
  }
  return { ...me, emailNotifications, role, org, keyId: null };
}

/** The org and the person, for their exports. */
export async function describeOrg(ctx: UserContext): Promise<object> {
  const org = await findOrg(ctx.db, ctx.orgId);
  if (!org) throw notFound('This organisation');
  return { ...org, createdAt: org.createdAt.toISOString() };
}

export async function describePerson(ctx: UserContext): Promise<object> {
  const { userId, email } = ctx.actor;
  const person = await findPerson(ctx.db, userId);
  if (!person) throw notFound('This person');
  const settings = await findOwnSettings(ctx.db, ctx.orgId, userId);
  return { userId, email, name: person.name, ...settings };
}

/** The caller becomes its OWNER. */
export function createOwnOrg(ctx: PersonContext, name: string): Promise<OrgRecord> {
  return withTransaction(ctx, async (inner) => {
    const orgId = newId();
    const createdAt = await insertOwnOrg(inner.db, { id: orgId, name }, ctx.actor.userId);
    const person = await findPerson(inner.db, ctx.actor.userId);
    if (!person) throw notFound('This person');
    await addMember(inner, orgId, person, 'OWNER');
    if (ctx.actor.webSessionId !== null) await setLastOrg(inner.db, ctx.actor.userId, orgId);
    recordAudit({ ...inner, orgId }, 'org.created', orgId);
    return { id: orgId, name, createdAt };
  });
}

/** A name that is the same, or none, changes nothing. */
export function updateOrg(ctx: UserContext, name: string | undefined): Promise<OrgRecord> {
  return withTransaction(ctx, async (inner) => {
    if (name !== undefined && (await updateOrgName(inner.db, ctx.orgId, name))) {
      recordAudit(inner, 'org.updated', ctx.orgId, { fields: ['name'] });
      ctx.hints.announce(inner, { type: 'org.updated' });
    }
    const org = await findOrg(inner.db, ctx.orgId);
    if (!org) throw notFound('This organisation');
    return org;
  });
}

const MOST_ORGS = 10;

/** Only the first org gets free credits; otherwise creating orgs would yield unlimited credits. */
async function insertOwnOrg(
  tx: Transaction,
  org: { id: string; name: string },
  userId: string,
): Promise<Date> {
  const made = await countOrgsMadeBy(tx, userId);
  if (made === undefined) throw notFound('This person');
  if (made >= MOST_ORGS) {
    throw limitReached(
      'orgs_per_person',
      MOST_ORGS,
      `You have created ${MOST_ORGS} organisations, the most one person can create.`,
    );
  }
  return insertOrg(tx, { ...org, createdById: userId, hasFreeCredits: made === 0 });
}

export interface OrgRecord {
  id: string;
  name: string;
  createdAt: Date;
}

export function findPersonByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  return findUserByEmail(db, emailKey(email));
}

export async function findOrCreateUser(db: Queryable, email: string): Promise<UserRow> {
  const name = email.slice(0, email.indexOf('@'));
  return upsertUser(db, { id: newId(), email, emailKey: emailKey(email), name });
}

/** Undefined if somebody has this address. */
export function createUser(
  db: Queryable,
  { email, name }: { email: string; name: string },
): Promise<UserRow | undefined> {
  return insertUser(db, { id: newId(), email, emailKey: emailKey(email), name });
}

/** For signing up: the account and its first org. */
export function createAccountWithOrg(
  ctx: { db: Queryable } & Pick<Context, 'models'>,
  input: { name: string; ownerEmail: string },
): Promise<{ orgId: string; owner: UserRow }> {
  return withTransaction(ctx, async (inner) => {
    const orgId = newId();
    const owner = await findOrCreateUser(inner.db, input.ownerEmail);
    await insertOwnOrg(inner.db, { id: orgId, name: input.name }, owner.id);
    await addMember(inner, orgId, owner, 'OWNER');
    return { orgId, owner };
  });
}

/** False if the person is already a member, in any role. */
async function addMember(
  { db, models }: { db: Queryable } & Partial<Pick<Context, 'models'>>,
  orgId: string,
  { id: userId, name, email }: UserRow,
  role: Role,
): Promise<boolean> {
  if (!(await insertMembership(db, orgId, userId, role))) return false;
  await giveHandle(db, { orgId, userId, name, email }, models);
  return true;
}

// The rest is for the command line and the first start. There is no caller, so no rights are checked.

/** Created by an operator, so it doesn't count towards its owner's limit. */
export async function createOrg(
  db: Queryable,
  input: { name: string; ownerEmail: string },
): Promise<{ orgId: string; owner: UserRow }> {
  return db.transaction(async (tx) => {
    const orgId = newId();
    // The person first, as in every such transaction: on Citus, either statement locks the table `users`.
    const owner = await findOrCreateUser(tx, input.ownerEmail);
    await insertOrg(tx, { id: orgId, name: input.name, createdById: null, hasFreeCredits: true });
    await addMember({ db: tx }, orgId, owner, 'OWNER');
    return { orgId, owner };
  });
}

/** Undefined if the person is already a member. */
export async function createMember(
  db: Queryable,
  orgId: string,
  input: { email: string; role: Role },
): Promise<UserRow | undefined> {
  return db.transaction(async (tx) => {
    const user = await findOrCreateUser(tx, input.email);
    return (await addMember({ db: tx }, orgId, user, input.role)) ? user : undefined;
  });
}

export async function findMember(
  db: Queryable,
  orgId: string,
  email: string,
): Promise<(UserRow & { role: Role }) | undefined> {
  const user = await findUserByEmail(db, emailKey(email));
  const role = user && (await findRole(db, orgId, user.id));
  return role && { ...user, role };
}

/** Whether the caller belongs to this org, whichever one they work in. */
export async function isMember(
  { db, actor }: Pick<PersonContext, 'db' | 'actor'>,
  orgId: string,
): Promise<boolean> {
  return (await findRole(db, orgId, actor.userId)) !== undefined;
}

export async function orgExists(db: Queryable, orgId: string): Promise<boolean> {
  return (await findOrgName(db, orgId)) !== undefined;
}

export function isInUse(db: Queryable): Promise<boolean> {
  return hasAnyOrg(db);
}
