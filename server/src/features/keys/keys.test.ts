import { describe, expect, it, vi } from 'vitest';
import { dataOf, expectInvalid, reasonOf } from '../../../test/harness/clients/envelope.ts';
import { keyWithScopes } from '../../../test/harness/factories.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';
import { SCOPES } from './scopes.ts';

const { server, call, org } = useServerWithOrg();
const otherOrg = useTestOrg(() => server.db);

const isGood = async (key: string) => (await call('GET', '/api/projects', { key })).status === 200;

async function createKey(scopes: readonly string[] = ['projects:read']) {
  const body = { name: 'Laptop', scopes };
  return dataOf(await call('POST', '/api/keys', org.member, body), 201);
}

async function createOrgKey(person = org.owner, body: object = { name: 'Import' }) {
  return dataOf(await call('POST', `/api/org/${org.orgId}/api-keys`, person, body), 201);
}

describe('POST /keys', () => {
  it('201: a working key whose secret is shown once and never stored', async () => {
    const made = await createKey(['projects:read', 'projects:read']);
    expect(made).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      name: 'Laptop',
      prefix: made.secret.slice(0, 10),
      scopes: ['projects:read'],
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      secret: expect.stringMatching(/^atr_[0-9A-Za-z]{46}$/),
    });
    expect(await isGood(made.secret)).toBe(true);
    const stored = await server.db.query('SELECT * FROM api_keys WHERE id = $1', [made.id]);
    expect(JSON.stringify(stored)).not.toContain(made.secret);
    expect(server.logLines.join('')).not.toContain(made.secret);
  });

  it.each([[[]], [['memory:admin']], ['projects:read'], [null]])(
    '400: scopes %j',
    async (scopes) => {
      const body = { name: 'Laptop', scopes };
      const reply = await call('POST', '/api/keys', org.member, body);
      expect(expectInvalid(reply)[0]?.location).toMatch(/^body\.scopes/);
    },
  );

  it('403: a scope the calling key does not hold', async () => {
    const { key } = await keyWithScopes(server.db, org.orgId, org.member.userId, [
      'keys:write',
      'projects:read',
    ]);
    const attempt = (scopes: string[]) =>
      call('POST', '/api/keys', { key, body: { name: 'More', scopes } });
    expect((await attempt(['projects:read'])).status).toBe(201);
    const reply = await attempt(['projects:read', 'org:write']);
    expect(reply.status).toBe(403);
    expect(reply.json.error.details).toEqual({ reason: 'missing_scope', scopes: ['org:write'] });
  });
});

describe('GET /keys', () => {
  it("200: your own keys, newest first, without secrets; never a teammate's", async () => {
    const made = await createKey();
    const { data } = (await call('GET', '/api/keys', org.member)).json;
    expect(data.total).toBe(data.items.length);
    expect(data.items[0].id).toBe(made.id);
    expect(data.items[0]).not.toHaveProperty('secret');
    const theirs = (await call('GET', '/api/keys', org.owner)).json.data;
    expect(theirs.items.map((key: { id: string }) => key.id)).not.toContain(made.id);
  });

  it('200: lastUsedAt follows use, at most once a minute', async () => {
    const made = await createKey();
    const lastUsed = async () => {
      const { data } = (await call('GET', '/api/keys', org.member)).json;
      return data.items.find((key: { id: string }) => key.id === made.id).lastUsedAt;
    };
    expect(await lastUsed()).toBeNull();
    await isGood(made.secret);
    const first = await vi.waitFor(async () => {
      const time = await lastUsed();
      expect(time).not.toBeNull();
      return time;
    }, 30_000);
    await isGood(made.secret);
    expect(await lastUsed()).toBe(first);
  });
});

describe('DELETE /keys/{keyId}', () => {
  it('200: the key is refused from then on; a repetition gets the same response', async () => {
    const made = await createKey();
    const path = `/api/keys/${made.id}`;
    const first = await call('DELETE', path, org.member);
    expect(dataOf(first, 200).revokedAt).toEqual(expect.any(String));
    expect(await isGood(made.secret)).toBe(false);
    expect((await call('DELETE', path, org.member)).json.data).toEqual(first.json.data);
  });

  it("404: a teammate's key, an org key, or none", async () => {
    const orgKey = await createOrgKey();
    for (const id of [org.owner.keyId, orgKey.id, 'caaaaaaaaaaaaaaaaaaaaaaaa', 'x']) {
      expect((await call('DELETE', `/api/keys/${id}`, org.member)).status).toBe(404);
    }
    expect(await isGood(org.owner.key)).toBe(true);
  });
});

describe('POST /keys/{keyId}/rotate', () => {
  it('201: a new key; the old one expires immediately by default', async () => {
    const made = await createKey(['projects:read', 'projects:write']);
    const reply = await call('POST', `/api/keys/${made.id}/rotate`, org.member);
    expect(reply.status).toBe(201);
    const { id, secret, scopes, expiresAt, replacedKeyId } = reply.json.data;
    expect({ scopes, replacedKeyId }).toEqual({ scopes: made.scopes, replacedKeyId: made.id });
    expect(id).not.toBe(made.id);
    expect(new Date(expiresAt).getTime()).toBeLessThanOrEqual(Date.now());
    expect([await isGood(made.secret), await isGood(secret)]).toEqual([false, true]);
  });

  it('201: within the grace period both work', async () => {
    const made = await createKey();
    const body = { gracePeriodSeconds: 3600 };
    const { data } = (await call('POST', `/api/keys/${made.id}/rotate`, org.member, body)).json;
    expect(new Date(data.expiresAt).getTime() - Date.now()).toBeGreaterThan(3_500_000);
    expect([await isGood(made.secret), await isGood(data.secret)]).toEqual([true, true]);
  });

  it('201: a key that rotates itself lives on for a minute, so a lost response can be requested again', async () => {
    const self = await keyWithScopes(server.db, org.orgId, org.member.userId, SCOPES);
    const headers = { 'idempotency-key': 'rotate-me' };
    const body = { gracePeriodSeconds: 0 };
    const rotate = () => call('POST', `/api/keys/${self.keyId}/rotate`, { ...self, headers }, body);
    const first = await rotate();
    const again = await rotate();
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const left = new Date(first.json.data.expiresAt).getTime() - Date.now();
    expect(left).toBeGreaterThan(55_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it.each([-1, 604_801, 1.5, '60'])('400: gracePeriodSeconds %j', async (gracePeriodSeconds) => {
    const path = `/api/keys/${org.member.keyId}/rotate`;
    expect((await call('POST', path, org.member, { gracePeriodSeconds })).status).toBe(400);
  });

  it('403: the calling key lacks a scope of the result', async () => {
    const made = await createKey(['projects:write']);
    const { key } = await keyWithScopes(server.db, org.orgId, org.member.userId, ['keys:write']);
    const reply = await call('POST', `/api/keys/${made.id}/rotate`, { key });
    expect(reasonOf(reply)).toEqual([403, 'missing_scope']);
    expect((await call('GET', '/api/keys', org.member)).json.data.items[0].expiresAt).toBeNull();
  });

  it("404: a teammate's key", async () => {
    const reply = await call('POST', `/api/keys/${org.owner.keyId}/rotate`, org.member);
    expect(reply.status).toBe(404);
  });

  it('409: revoked, or already rotated', async () => {
    const made = await createKey();
    const rotate = () => call('POST', `/api/keys/${made.id}/rotate`, org.member);
    expect((await rotate()).status).toBe(201);
    const reply = await rotate();
    expect(reasonOf(reply)).toEqual([409, 'key_inactive']);
  });
});

describe('/org/{orgId}/api-keys', () => {
  it('201: a v1 key with both scopes by default, its plaintext shown once', async () => {
    const made = await createOrgKey(org.admin);
    expect(made.key).toMatch(/^sk_live_[0-9A-Za-z]{46}$/);
    expect(made.scopes).toEqual(['memory:read', 'memory:write']);
    expect(made).not.toHaveProperty('secret');
    const only = await createOrgKey(org.owner, { name: 'Reader', scopes: ['memory:read'] });
    expect(only.scopes).toEqual(['memory:read']);
    const { data } = (await call('GET', `/api/org/${org.orgId}/api-keys`, org.owner)).json;
    expect(data.items.slice(0, 2).map((key: { id: string }) => key.id)).toEqual([only.id, made.id]);
    expect(JSON.stringify(data)).not.toContain(made.key);
  });

  it('400: a scope of the other family', async () => {
    const reply = await call('POST', `/api/org/${org.orgId}/api-keys`, org.owner, {
      name: 'x',
      scopes: ['projects:read'],
    });
    expect(reply.status).toBe(400);
  });

  it('401: the two families are not interchangeable', async () => {
    expect((await call('GET', '/api/projects', { key: org.orgKey })).status).toBe(401);
  });

  it('403: a MEMBER, another org, a missing scope', async () => {
    const path = `/api/org/${org.orgId}/api-keys`;
    const body = { name: 'x' };
    expect(reasonOf(await call('POST', path, org.member, body))).toEqual([403, 'role']);
    for (const orgId of [otherOrg.orgId, 'not-an-id']) {
      const foreign = await call('POST', `/api/org/${orgId}/api-keys`, org.owner, body);
      expect(reasonOf(foreign)).toEqual([403, 'wrong_org']);
    }
    const { key } = await keyWithScopes(server.db, org.orgId, org.owner.userId, [
      'keys:write',
      'memory:read',
    ]);
    expect(reasonOf(await call('POST', path, { key, body }))).toEqual([403, 'missing_scope']);
  });

  it('200: revoking sets revokedAt once', async () => {
    const made = await createOrgKey();
    const path = `/api/org/${org.orgId}/api-keys/${made.id}`;
    const first = await call('DELETE', path, org.admin);
    expect(first.json.data.revokedAt).toEqual(expect.any(String));
    expect((await call('DELETE', path, org.admin)).json.data).toEqual(first.json.data);
  });

  it("404: another org's key, a person's key", async () => {
    const reply = await call('POST', `/api/org/${otherOrg.orgId}/api-keys`, otherOrg.owner, {
      name: 'theirs',
    });
    for (const id of [reply.json.data.id, org.member.keyId, 'x']) {
      const path = `/api/org/${org.orgId}/api-keys/${id}`;
      expect((await call('DELETE', path, org.owner)).status).toBe(404);
      expect((await call('POST', `${path}/rotate`, org.owner)).status).toBe(404);
    }
  });

  it('201: rotating gives a new v1 key', async () => {
    const made = await createOrgKey();
    const path = `/api/org/${org.orgId}/api-keys/${made.id}/rotate`;
    const reply = await call('POST', path, org.owner, { gracePeriodSeconds: 60 });
    expect(dataOf(reply, 201)).toMatchObject({
      replacedKeyId: made.id,
      key: expect.stringMatching(/^sk_live_/),
    });
  });
});
