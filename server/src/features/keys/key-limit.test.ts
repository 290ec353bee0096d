import { describe, expect, it } from 'vitest';
import { signIn } from '../../../test/harness/clients/browser.ts';
import type { Reply } from '../../../test/harness/clients/client.ts';
import { expectError } from '../../../test/harness/clients/envelope.ts';
import { createTestOrg, type Person } from '../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../test/harness/processes/use-test-org.ts';
import { mintKey } from './service.ts';

const { server, call, org } = useServerWithNewOrgs();

/** The org's own keys, or those of a person: the same limit on other rows. */
const FAMILIES = [
  {
    limit: 'keys_per_person',
    path: () => '/api/keys',
    owner: () => ({ orgId: org.orgId, userId: org.owner.userId }),
    body: { name: 'Laptop', scopes: ['projects:read'] },
  },
  {
    limit: 'keys_per_org',
    path: () => `/api/org/${org.orgId}/api-keys`,
    owner: () => ({ orgId: org.orgId, userId: null }),
    body: { name: 'Import' },
  },
];

describe.each(FAMILIES)('$limit', ({ limit, path, owner, body }) => {
  const create = (by: Person = org.owner) => call('POST', path(), by, body);
  const rotate = (keyId: string, gracePeriodSeconds: number) =>
    call('POST', `${path()}/${keyId}/rotate`, org.owner, { gracePeriodSeconds });
  const refusal = (reply: Reply) => expectError(reply, 'CONFLICT');
  const REFUSED = { reason: 'limit_reached', limit, max: 50 };

  /** Up to this many live ones, including the one that every test org has. */
  async function fill(live: number): Promise<string> {
    let id = '';
    for (let made = 1; made < live; made++) {
      const draft = { name: 'Filler', scopes: ['memory:read'], createdById: null };
      ({ id } = (await mintKey(server.db, owner(), draft)).key);
    }
    return id;
  }

  it('201 up to 50 live keys, then 409', async () => {
    await fill(49);
    expect((await create()).status).toBe(201);
    expect(refusal(await create())).toEqual(REFUSED);
    const browser = await signIn(server, org.owner.email);
    const headers = { 'atrium-org': org.orgId };
    expect(refusal(await browser.call('POST', path(), { body, headers }))).toEqual(REFUSED);
  });

  it('one is left and ten request it at once: one gets it', async () => {
    await fill(49);
    const replies = await Promise.all(Array.from({ length: 10 }, () => create()));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array(9).fill(409)]);
  });

  it('revoked and expired ones do not count', async () => {
    const id = await fill(50);
    expect((await call('DELETE', `${path()}/${id}`, org.owner)).status).toBe(200);
    const { id: next } = (await create()).json.data;
    expect(refusal(await create())).toEqual(REFUSED);
    await server.db.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [next]);
    expect((await create()).status).toBe(201);
  });

  it('at 50, a rotation works without a grace period, and is refused with one', async () => {
    let id = await fill(50);
    expect(refusal(await rotate(id, 60))).toEqual(REFUSED);
    // Many times: a time that is rounded up would keep the old key alive now and then.
    for (let rotated = 0; rotated < 10; rotated++) {
      const reply = await rotate(id, 0);
      expect(reply.status, reply.text).toBe(201);
      ({ id } = reply.json.data);
    }
    expect(refusal(await create())).toEqual(REFUSED);
  });

  it('a rotated key counts until its grace period ends', async () => {
    const id = await fill(49);
    expect((await rotate(id, 3600)).status).toBe(201);
    expect(refusal(await create())).toEqual(REFUSED);
    await server.db.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]);
    expect((await create()).status).toBe(201);
  });

  it('concurrent rotations do not exceed it', async () => {
    await fill(45);
    const keys = await Promise.all(Array.from({ length: 4 }, () => create()));
    const replies = await Promise.all(keys.map(({ json }) => rotate(json.data.id, 3600)));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409]);
  });

  it('does not count the keys of others', async () => {
    await fill(50);
    const other = await createTestOrg(server.db);
    const path = limit === 'keys_per_org' ? `/api/org/${other.orgId}/api-keys` : '/api/keys';
    expect((await call('POST', path, other.owner, body)).status).toBe(201);
    if (limit === 'keys_per_person') expect((await create(org.member)).status).toBe(201);
  });
});
