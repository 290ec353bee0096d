import { describe, expect, it } from 'vitest';
import { createCaller, type Reply } from '../../../../test/harness/clients/client.ts';
import { useTestDatabase } from '../../../../test/harness/databases/use-test-database.ts';
import { expectError } from '../../../../test/harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../../../../test/harness/factories.ts';
import { startTestServer } from '../../../../test/harness/processes/server.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { purgeMails } from './service.ts';

const database = useTestDatabase();
const { server, call, org } = useServerWithNewOrgs(async () => ({ shared: database }));

let addresses = 0;
const fresh = () => `invitee${++addresses}@example.com`;

function invite(email: string, by = org, at = call): Promise<Reply> {
  const body = { email, role: 'MEMBER' };
  return at('POST', `/api/org/${by.orgId}/invitations`, { key: by.admin.key, body });
}

const resend = (id: string, by = org) =>
  call('POST', `/api/org/${by.orgId}/invitations/${id}/resend`, by.admin);

const PER_ADDRESS = { reason: 'limit_reached', limit: 'invitation_mails_per_address', max: 5 };
const PER_ORG = { reason: 'limit_reached', limit: 'invitation_mails_per_org', max: 200 };
const refusal = (reply: Reply) => expectError(reply, 'CONFLICT');

const mailJobs = async () => {
  const [row] = await server.db.query<{ count: number }>(
    `SELECT count(*) FROM jobs WHERE kind = 'invitation-mail'`,
  );
  return row?.count ?? 0;
};

/** As if the org had sent this many emails, each to another address. */
const noteMails = (count: number) =>
  server.db.query(
    `INSERT INTO invitation_mails (org_id, address_hash)
     SELECT $1, convert_to($1 || n, 'UTF8') FROM generate_series(1, $2::integer) n`,
    [org.orgId, count],
  );
const letDayPass = () =>
  server.db.query(`UPDATE invitation_mails SET sent_at = now() - interval '24 hours'`);

describe('invitation emails to one address', () => {
  it('409: more than five in a day, invitations and resends together, and no email is queued', async () => {
    const email = fresh();
    const { id } = (await invite(email)).json.data;
    for (let sent = 1; sent < 5; sent++) expect((await resend(id)).status).toBe(200);
    const before = await mailJobs();
    expect(refusal(await resend(id))).toEqual(PER_ADDRESS);
    expect(await mailJobs()).toBe(before);
    await letDayPass();
    expect((await resend(id)).status).toBe(200);
  });

  it('409: more than five from several orgs, ignoring case, and the error names none of them', async () => {
    const email = fresh();
    for (let sent = 0; sent < 5; sent++) {
      const by = await createTestOrg(server.db);
      expect((await invite(sent % 2 ? email : email.toUpperCase(), by)).status).toBe(201);
    }
    const refused = await invite(email);
    expect(refusal(refused)).toEqual(PER_ADDRESS);
    expect(refused.headers.get('retry-after')).toBeNull();
    const list = await call('GET', `/api/org/${org.orgId}/invitations`, org.admin);
    expect(list.json.data.items).toEqual([]);
  });

  it('are five, also if ten orgs invite it at once', async () => {
    const email = fresh();
    const orgs: TestOrg[] = [];
    while (orgs.length < 10) orgs.push(await createTestOrg(server.db));
    const replies = await Promise.all(orgs.map((by) => invite(email, by)));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(5).fill(409)]);
  });

  it('are not increased by revoking and inviting again', async () => {
    const email = fresh();
    for (let sent = 0; sent < 5; sent++) {
      const { id } = (await invite(email)).json.data;
      await call('DELETE', `/api/org/${org.orgId}/invitations/${id}`, org.admin);
    }
    expect(refusal(await invite(email))).toEqual(PER_ADDRESS);
  });

  it('still count on another process, after the secrets key was rotated', async () => {
    const email = fresh();
    for (let sent = 0; sent < 5; sent++) await invite(email, await createTestOrg(server.db));
    const keys = [9, 7].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const rotated = await startTestServer({
      shared: database,
      env: { SECRETS_KEY: keys.join(',') },
    });
    const reply = await invite(email, org, createCaller(rotated.origin));
    await rotated.stop();
    expect(refusal(reply)).toEqual(PER_ADDRESS);
  });

  it('are counted without the address being stored', async () => {
    const email = fresh();
    await invite(email);
    const rows = await server.db.query<{ address_hash: Buffer }>(
      'SELECT * FROM invitation_mails WHERE org_id = $1',
      [org.orgId],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(email);
    expect(rows[0]?.address_hash).toHaveLength(32);
  });
});

describe('invitation emails of one org', () => {
  it('409: more than 200 in a day, whoever is invited', async () => {
    await noteMails(199);
    expect((await invite(fresh())).status).toBe(201);
    expect(refusal(await invite(fresh()))).toEqual(PER_ORG);
    expect((await invite(fresh(), await createTestOrg(server.db))).status).toBe(201);
    await letDayPass();
    expect((await invite(fresh())).status).toBe(201);
  });

  it('are 200, also if more are sent at once', async () => {
    await noteMails(197);
    const replies = await Promise.all(Array.from({ length: 8 }, () => invite(fresh())));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(3).fill(201), ...Array(5).fill(409)]);
  });

  it('do not count if they are not sent: a member, a pending address, a closed invitation', async () => {
    await noteMails(198);
    const email = fresh();
    const { id } = (await invite(email)).json.data;
    for (const reply of [await invite(email), await invite(org.member.email)]) {
      expect(reply.status).toBe(409);
    }
    await call('DELETE', `/api/org/${org.orgId}/invitations/${id}`, org.admin);
    expect(refusal(await resend(id))).toEqual({ reason: 'invitation_closed' });
    expect((await invite(fresh())).status).toBe(201);
  });
});

describe('email counts', () => {
  it('are deleted after a day', async () => {
    await server.db.query('DELETE FROM invitation_mails');
    await noteMails(3);
    await letDayPass();
    await invite(fresh());
    expect(await purgeMails(server.db)).toBe(3);
    expect(await purgeMails(server.db)).toBe(0);
    expect(await server.db.query('SELECT 1 FROM invitation_mails')).toHaveLength(1);
  });
});
