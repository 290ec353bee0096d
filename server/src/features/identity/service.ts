import type { Role, UserContext } from '../../context.ts';
import type { Queryable } from '../../db/database.ts';
import { emailKey } from '../../email.ts';
import { notFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import {
  findOrgName,
  findProfile,
  findRole,
  findUserByEmail,
  hasAnyOrg,
  insertMembership,
  insertOrg,
  upsertUser,
  type UserRow,
} from './store.ts';

export async function describeCaller(ctx: UserContext) {
  const { userId, email, role, keyId, scopes } = ctx.actor;
  const profile = await findProfile(ctx.db, ctx.orgId, userId);
  if (!profile) throw notFound('This member');
  const org = { id: ctx.orgId, name: profile.orgName };
  return { userId, email, name: profile.name, role, org, keyId, scopes: [...scopes] };
}

// What follows is for the command line and the first start: there is no caller whose rights could be asked.

export async function createOrg(
  db: Queryable,
  input: { name: string; ownerEmail: string },
): Promise<{ orgId: string; owner: UserRow }> {
  return db.transaction(async (tx) => {
    const orgId = newId();
    await insertOrg(tx, orgId, input.name);
    const owner = await findOrCreateUser(tx, input.ownerEmail);
    await insertMembership(tx, orgId, owner.id, 'OWNER');
    return { orgId, owner };
  });
}

/** Undefined when the person is a member of the org already. */
export async function createMember(
  db: Queryable,
  orgId: string,
  input: { email: string; role: Role },
): Promise<UserRow | undefined> {
  return db.transaction(async (tx) => {
    const user = await findOrCreateUser(tx, input.email);
    return (await insertMembership(tx, orgId, user.id, input.role)) ? user : undefined;
  });
}

export async function findMember(
  db: Queryable,
  orgId: string,
  email: string,
): Promise<UserRow | undefined> {
  const user = await findUserByEmail(db, emailKey(email));
  return user && (await findRole(db, orgId, user.id)) ? user : undefined;
}

export async function orgExists(db: Queryable, orgId: string): Promise<boolean> {
  return (await findOrgName(db, orgId)) !== undefined;
}

export function isInUse(db: Queryable): Promise<boolean> {
  return hasAnyOrg(db);
}

async function findOrCreateUser(db: Queryable, email: string): Promise<UserRow> {
  const name = email.slice(0, email.indexOf('@'));
  return upsertUser(db, { id: newId(), email, emailKey: emailKey(email), name });
}
