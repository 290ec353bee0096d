import { describe, expect, it } from 'vitest';
import { browserWith, signIn } from '../../../test/harness/clients/browser.ts';
import { createTestOrg } from '../../../test/harness/factories.ts';
import { useServerWithOrg } from '../../../test/harness/processes/use-test-org.ts';
import { dataOf } from '../../../test/harness/clients/envelope.ts';

const { server, org } = useServerWithOrg();

async function statusFor(email: string, orgId = org.orgId) {
  const browser = await signIn(server, email);
  return browser.call('GET', '/web/memory/status', { headers: { 'atrium-org': orgId } });
}

async function remember(body: object): Promise<string> {
  return dataOf(await server.call('POST', '/api/memory', org.owner, body), 201).id;
}

describe('GET /web/memory/status', () => {
  it('200: how many memories the model has read, of those that the caller can see', async () => {
    await remember({ content: 'Everyone sees this.', visibility: 'ORG' });
    const id = await remember({ content: 'Only I see this.', visibility: 'PRIVATE' });
    await server.db.query(`UPDATE memories SET embedding_model = 'another' WHERE id = $1`, [id]);
    const model = 'all-MiniLM-L6-v2-atrium-1';
    const ours = await statusFor(org.owner.email);
    expect([ours.status, ours.json.data]).toEqual([200, { model, ready: 1, pending: 1 }]);
    const theirs = await statusFor(org.member.email);
    expect(theirs.json.data).toEqual({ model, ready: 1, pending: 0 });
    await server.db.query(
      `UPDATE memories SET embedding_model = $2, token_model = 'another' WHERE id = $1`,
      [id, model],
    );
    expect((await statusFor(org.owner.email)).json.data.pending).toBe(1);
  });

  it('401 without a cookie, 403 for an organisation of others', async () => {
    const path = '/web/memory/status';
    expect((await browserWith(server).call('GET', path)).status).toBe(401);
    const other = await createTestOrg(server.db);
    expect((await statusFor(org.owner.email, other.orgId)).status).toBe(403);
  });
});
