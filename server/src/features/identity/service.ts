import {
  withTransaction,
  type Context,
  type PersonContext,
  type Role,
  type UserContext,
} from '../../core/context.ts';
import type { Queryable } from '../../db/types.ts';
import { requireFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { presentProfile } from '../../core/profile.ts';
import { addMember, createOrgByOperator, createOrgOf, findRole } from '../org/service.ts';
import { presentPhoto } from './photos/service.ts';
import { findPhotoOf } from './photos/store.ts';
import {
  findOrgName,
  findOwnSettings,
  findPerson,
  findPersonByEmail,
  upsertUser,
  type UserRow,
} from './store.ts';

export { findPersonByEmail } from './store.ts';

/** Of somebody without an org. */
const NO_SETTINGS = { title: null, statusEmoji: null, statusText: null, statusUntil: null };

export async function describeCaller(ctx: PersonContext) {
  const { userId, email, role, keyId, scopes } = ctx.actor;
  const [person, orgName, settings] = await Promise.all([
    findPerson(ctx.db, userId),
    ctx.orgId === null ? undefined : findOrgName(ctx.db, ctx.orgId),
    ctx.orgId === null ? undefined : findOwnSettings(ctx.db, ctx.orgId, userId),
  ]);
  const found = requireFound(person, 'This person');
  const { name } = found;
  const profile = presentProfile(userId, { ...found, ...(settings ?? NO_SETTINGS) });
  const org = ctx.orgId === null || orgName === undefined ? null : { id: ctx.orgId, name: orgName };
  const handle = settings?.handle ?? null;
  const me = { userId, email, name, handle, ...profile, scopes: [...scopes] };
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
  const person = requireFound(await findPerson(ctx.db, userId), 'This person');
  const [settings, photo] = await Promise.all([
    findOwnSettings(ctx.db, ctx.orgId, userId),
    findPhotoOf(ctx.db, userId),
  ]);
  const { handle, emailNotifications } = settings ?? {};
  return {
    userId,
    email,
    name: person.name,
    handle,
    emailNotifications,
    ...presentProfile(userId, { ...person, ...(settings ?? NO_SETTINGS) }),
    photoFile: photo && presentPhoto(photo),
  };
}

export async function findOrCreateUser(db: Queryable, email: string): Promise<UserRow> {
  const name = email.slice(0, email.indexOf('@'));
  return upsertUser(db, { id: newId(), email, name });
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
  const user = await findPersonByEmail(db, email);
  const role = user && (await findRole(db, orgId, user.id));
  return role && { ...user, role };
}

export async function orgExists(db: Queryable, orgId: string): Promise<boolean> {
  return (await findOrgName(db, orgId)) !== undefined;
}
