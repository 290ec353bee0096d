import {
  withTransaction,
  type Context,
  type PersonContext,
  type Role,
  type UserContext,
} from '../../core/context.ts';
import type { Queryable } from '../../db/types.ts';
import { emailKey } from '../../core/email.ts';
import { notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { addMember, createOrgByOperator, createOrgOf, findRole } from '../org/service.ts';
import {
  findOrgName,
  findOwnSettings,
  findPerson,
  findUserByEmail,
  insertUser,
  upsertUser,
  type UserRow,
} from './store.ts';

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

/** For the person's export. */
export async function describePerson(ctx: UserContext): Promise<object> {
  const { userId, email } = ctx.actor;
  const person = await findPerson(ctx.db, userId);
  if (!person) throw notFound('This person');
  const settings = await findOwnSettings(ctx.db, ctx.orgId, userId);
  return { userId, email, name: person.name, ...settings };
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

/** For signing up: the account and its first org. Returns the person's id. */
export function createAccountWithOrg(
  ctx: { db: Queryable } & Pick<Context, 'models'>,
  { email, orgName }: { email: string; orgName: string },
): Promise<string> {
  return withTransaction(ctx, async (inner) => {
    const { id } = await findOrCreateUser(inner.db, email);
    await createOrgOf(inner, id, orgName);
    return id;
  });
}

// The rest is for the command line and the first start. There is no caller, so no rights are checked.

/** Created by an operator, so it doesn't count towards its owner's limit. */
export async function createOrg(
  db: Queryable,
  input: { name: string; ownerEmail: string },
): Promise<{ orgId: string; owner: UserRow }> {
  return db.transaction(async (tx) => {
    // The person first, as in every such transaction: on Citus, either statement locks the table `users`.
    const owner = await findOrCreateUser(tx, input.ownerEmail);
    return { orgId: await createOrgByOperator(tx, owner.id, input.name), owner };
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
    const member = await addMember({ db: tx }, { orgId, userId: user.id, role: input.role });
    return member && user;
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

export async function orgExists(db: Queryable, orgId: string): Promise<boolean> {
  return (await findOrgName(db, orgId)) !== undefined;
}
