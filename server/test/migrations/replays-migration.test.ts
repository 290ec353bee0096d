import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrating/migrate.ts';
import { seal, unseal } from '../../src/http/idempotency/sealing.ts';
import { findRequest } from '../../src/http/idempotency/store.ts';
import { createDatabaseBefore } from '../harness/databases/old-database.ts';

it('responses from before they were bounded are kept, and can be opened', async () => {
  const old = await createDatabaseBefore('0034');
  try {
    const scope = { orgId: 'corg', hash: Buffer.alloc(32, 1) };
    const { sealedResponse } = await seal('secret', scope.hash, '{"data":1}');
    await old.db.query(
      `INSERT INTO idempotency_keys (org_id, scope_hash, body_hash, claim_id, status, sealed_response)
       VALUES ($1, $2, $2, 'c', 201, $3)`,
      [scope.orgId, scope.hash, sealedResponse],
    );
    await migrate(old.db);
    // A process of the last release still writes such rows.
    const later = { ...scope, hash: Buffer.alloc(32, 2) };
    await old.db.query(
      `INSERT INTO idempotency_keys (org_id, scope_hash, body_hash, claim_id, status, sealed_response)
       VALUES ($1, $2, $2, 'c', 201, $3)`,
      [later.orgId, later.hash, sealedResponse],
    );
    const found = [await findRequest(old.db, scope), await findRequest(old.db, later)];
    for (const request of found) {
      expect(request).toMatchObject({ status: 201, sealedResponse, isCompressed: false });
    }
    const sealed = { sealedResponse, isCompressed: false };
    expect(await unseal('secret', scope.hash, sealed)).toBe('{"data":1}');
  } finally {
    await old.drop();
  }
});
