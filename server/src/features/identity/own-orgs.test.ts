import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  browserWith,
  cookieOf,
  signIn,
  tokenFor,
  type Browser,
} from '../../../test/harness/clients/browser.ts';
import { expectError } from '../../../test/harness/clients/envelope.ts';
import { addPerson, createTestOrg, type Person } from '../../../test/harness/factories.ts';
import { ON_CITUS } from '../../../test/harness/databases/postgres-servers.ts';
import { useTestServer } from '../../../test/harness/processes/use-test-server.ts';
import { renewDueAccounts } from '../billing/ledger/service.ts';
import { createOrg } from './service.ts';

const server = useTestServer({ env: { SIGNUP: 'open' } });
let home: string;
let person: Person;
let browser: Browser;

beforeAll(async () => {
  home = (await createTestOrg(server.db)).orgId;
});
beforeEach(async () => {
  person = await addPerson(server.db, home, 'MEMBER');
  browser = await signIn(server, person.email);
});

/** What the migration does with existing orgs. */
async function backfill(): Promise<string> {
  const sql = await readFile(
    new URL('../../db/migrations/0011_shares.sql', import.meta.url),
    'utf8',
  );
  return /^UPDATE orgs [^;]*/m.exec(sql)?.[0] ?? '';
}

let names = 0;
const create = (by = browser) => by.call('POST', '/api/orgs', { body: { name: `Org ${++names}` } });

async function createMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push((await create()).json.data.id);
  return ids;
}

async function creditsOf(orgId: string, by = browser) {
  const headers = { 'atrium-org': orgId };
  const { data } = (await by.call('GET', '/api/billing/credits', { headers })).json;
  return { balance: data.balance, included: data.included };
}

describe('the orgs of one person', () => {
  it('409: more than ten; orgs created by an operator do not count', async () => {
    await createOrg(server.db, { name: 'Given', ownerEmail: person.email });
    await createMany(10);
    const refused = await create();
    expect(expectError(refused, 'CONFLICT')).toEqual({
      reason: 'limit_reached',
      limit: 'orgs_per_person',
      max: 10,
    });
    const { orgs } = (await browser.call('GET', '/web/profile')).json.data;
    expect(orgs).toHaveLength(12);
  });

  it('are ten, also if they are all created at once', async () => {
    const replies = await Promise.all(Array.from({ length: 15 }, () => create()));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(5).fill(409)]);
  });

  it.skipIf(ON_CITUS)(
    'also count if they were created before creators were recorded, and keep their credits',
    async () => {
      const ids = await createMany(10);
      await server.db.query(
        'UPDATE orgs SET created_by_id = NULL, has_free_credits = DEFAULT WHERE id = ANY ($1)',
        [ids],
      );
      await server.db.query(await backfill());
      expect((await create()).status).toBe(409);
      expect(await creditsOf(ids[9] ?? '')).toMatchObject({ balance: 200 });
      const [given] = await server.db.query('SELECT created_by_id FROM orgs WHERE id = $1', [home]);
      expect(given).toEqual({ created_by_id: null });
    },
  );

  it('do not count towards the limit of somebody else', async () => {
    await createMany(10);
    const other = await addPerson(server.db, home, 'MEMBER');
    expect((await create(await signIn(server, other.email))).status).toBe(201);
  });
});

describe('free credits', () => {
  const [all, none] = [
    { balance: 200, included: 200 },
    { balance: 0, included: 0 },
  ];

  it('come with the first org that a person creates, and with no other', async () => {
    const [first = '', second = '', third = ''] = await createMany(3);
    expect(await creditsOf(first)).toEqual(all);
    expect(await creditsOf(second)).toEqual(none);
    expect(await creditsOf(third)).toEqual(none);
  });

  it('are one grant, also if the orgs are created at once', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => create()));
    const balances = await Promise.all(replies.map(({ json }) => creditsOf(json.data.id)));
    expect(balances.filter(({ balance }) => balance > 0)).toEqual([all]);
  });

  it('are not granted later either, when the month is renewed', async () => {
    const [first = '', second = ''] = await createMany(2);
    await Promise.all([creditsOf(first), creditsOf(second)]);
    const next = new Date();
    next.setUTCMonth(next.getUTCMonth() + 1, 2);
    await renewDueAccounts(server.db, next);
    const grants = await server.db.query<{ id: string; credits: number }>(
      `SELECT org_id AS id, sum(credits)::bigint AS credits FROM ledger_entries
       WHERE org_id = ANY ($1) AND kind = 'GRANT' GROUP BY 1 ORDER BY 2`,
      [[first, second]],
    );
    expect(grants).toEqual([
      { id: second, credits: 0 },
      { id: first, credits: 400 },
    ]);
  });

  it('come with every org that an operator creates', async () => {
    for (const name of ['One', 'Two']) {
      const { orgId } = await createOrg(server.db, { name, ownerEmail: person.email });
      expect(await creditsOf(orgId)).toEqual(all);
    }
    const [own = ''] = await createMany(1);
    expect(await creditsOf(own)).toEqual(all);
  });

  it('come with the org of a sign-up, which counts as the first one', async () => {
    const email = 'signs-up@example.com';
    const page = browserWith(server);
    await page.call('POST', '/web/sign-in-links', { body: { email } });
    const body = { token: await tokenFor(server, email) };
    const reply = await page.call('POST', '/web/sign-in', { body });
    const newcomer = browserWith(server, cookieOf(reply));
    expect(await creditsOf(reply.json.data.orgs[0].id, newcomer)).toEqual(all);
    expect(await creditsOf((await create(newcomer)).json.data.id, newcomer)).toEqual(none);
    for (let made = 2; made < 10; made++) expect((await create(newcomer)).status).toBe(201);
    expect((await create(newcomer)).status).toBe(409);
  });
});
