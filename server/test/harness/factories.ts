import type { Role } from '../../src/core/context.ts';
import type { Database } from '../../src/db/types.ts';
import { createMember, createOrg } from '../../src/features/identity/service.ts';
import { SCOPES } from '../../src/features/keys/scopes.ts';
import { mintKey } from '../../src/features/keys/service.ts';

export interface Person {
  userId: string;
  email: string;
  key: string;
  keyId: string;
}

export interface TestOrg {
  orgId: string;
  owner: Person;
  admin: Person;
  member: Person;
  /** A v1 key of the org. */
  orgKey: string;
}

let counter = 0;

/** An org with one person in each role, each with a key that has every scope. */
export async function createTestOrg(db: Database): Promise<TestOrg> {
  const number = ++counter;
  const { orgId, owner } = await createOrg(db, {
    name: `Org ${number}`,
    ownerEmail: `owner${number}@example.com`,
  });
  const { secret: orgKey } = await mintKey(
    db,
    { orgId, userId: null },
    { name: 'v1', scopes: ['memory:read', 'memory:write'], createdById: null },
  );
  return {
    orgId,
    owner: await withKey(db, orgId, owner),
    admin: await addPerson(db, orgId, 'ADMIN'),
    member: await addPerson(db, orgId, 'MEMBER'),
    orgKey,
  };
}

export async function addPerson(db: Database, orgId: string, role: Role): Promise<Person> {
  const email = `person${++counter}@example.com`;
  const user = await createMember(db, orgId, { email, role });
  if (!user) throw new Error(`${email} is already a member`);
  return withKey(db, orgId, user);
}

export async function keyWithScopes(
  db: Database,
  orgId: string,
  userId: string,
  scopes: readonly string[],
): Promise<{ key: string; keyId: string }> {
  const { key, secret } = await mintKey(
    db,
    { orgId, userId },
    { name: 'test', scopes, createdById: null },
  );
  return { key: secret, keyId: key.id };
}

/** Revokes all keys except the first ones, because the number of live keys is limited. */
export async function revokeOtherKeys(db: Database, { orgId, owner }: TestOrg): Promise<void> {
  await db.query(
    `UPDATE api_keys SET revoked_at = now()
     WHERE org_id = $1 AND id <> $3 AND (user_id = $2 OR user_id IS NULL AND name <> 'v1')`,
    [orgId, owner.userId, owner.keyId],
  );
}

async function withKey(
  db: Database,
  orgId: string,
  user: { id: string; email: string },
): Promise<Person> {
  const { key, keyId } = await keyWithScopes(db, orgId, user.id, SCOPES);
  return { userId: user.id, email: user.email, key, keyId };
}
