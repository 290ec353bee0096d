import { beforeAll, describe, expect, it } from 'vitest';
import { problemsOf } from '../../../test/harness/clients/envelope.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';

const { server, call, org } = useServerWithOrg();
const stranger = useTestOrg(() => server.db);

beforeAll(async () => {
  const [ann, bob] = [org.member.userId, org.admin.userId];
  await use('2026-03-01T00:00:00Z', ann, 'ada', 10);
  await use('2026-03-01T23:59:59.999Z', ann, 'ada', 5);
  await use('2026-03-01T12:00:00Z', ann, 'claude', 1);
  await use('2026-03-01T12:00:00Z', bob, 'ada', 2);
  await use('2026-03-02T00:00:00Z', ann, 'ada', 100);
  await use('2026-02-28T23:59:59.999Z', ann, 'ada', 1000);
  await use('2026-03-01T12:00:00Z', stranger.owner.userId, 'ada', 9999, stranger.orgId);
});

let used = 0;
async function use(at: string, userId: string, model: string, credits: number, orgId = org.orgId) {
  await server.db.query(
    `INSERT INTO model_usage (org_id, message_id, user_id, model, input_tokens, output_tokens, credits, created_at)
     VALUES ($1, $2, $3, $4, 100, 10, $5, $6)`,
    [orgId, `m${++used}`, userId, model, credits, at],
  );
}

const get = (query: string, key = org.member.key) =>
  call('GET', `/api/billing/usage${query}`, { key });

describe('GET /billing/usage', () => {
  it('200: by day in UTC, model and person; newest day first; of this org only', async () => {
    const reply = await get('?from=2026-03-01&to=2026-03-02');
    expect(reply.status, reply.text).toBe(200);
    const { items, total } = reply.json.data;
    const row = (day: string, model: string, userId: string, replies: number, credits: number) => ({
      day,
      model,
      userId,
      replies,
      inputTokens: 100 * replies,
      outputTokens: 10 * replies,
      credits,
    });
    const ofOneDay = [
      row('2026-03-01', 'ada', org.admin.userId, 1, 2),
      row('2026-03-01', 'ada', org.member.userId, 2, 15),
    ].toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
    expect(items).toEqual([
      row('2026-03-02', 'ada', org.member.userId, 1, 100),
      ...ofOneDay,
      row('2026-03-01', 'claude', org.member.userId, 1, 1),
    ]);
    expect(total).toBe(4);
  });

  it('200: 30 days up to `to`, or up to today', async () => {
    const days = async (query: string) =>
      (await get(query)).json.data.items.map(({ day }: { day: string }) => day);
    expect(await days('?to=2026-03-29')).toContain('2026-02-28');
    expect(await days('?to=2026-03-30')).not.toContain('2026-02-28');
    await use(new Date().toISOString(), org.owner.userId, 'today', 1);
    expect((await get('')).json.data.items[0]).toMatchObject({ model: 'today' });
  });

  it.each([
    ['?from=2026-03-02&to=2026-03-01', ['query.from invalid_value']],
    ['?from=2025-02-28&to=2026-03-01', ['query.from invalid_value']],
    ['?from=2026-02-30', ['query.from invalid_format']],
    ['?from=yesterday&to=2026-3-1', ['query.from invalid_format', 'query.to invalid_format']],
    ['?to=2026-03-01T00:00:00Z', ['query.to invalid_format']],
    ['?from=0000-01-01&to=0000-01-02', ['query.from invalid_value', 'query.to invalid_value']],
    ['?to=0001-01-05', ['query.to invalid_value']],
    ['?model=ada', ['query.model unknown_field']],
  ])('400: %s', async (query, problems) => {
    expect(problemsOf(await get(query))).toEqual(problems);
  });

  it('200: 366 days, and days far in the past or future', async () => {
    expect((await get('?from=2025-03-01&to=2026-03-01')).status).toBe(200);
    expect((await get('?from=9999-12-01&to=9999-12-31')).json.data).toEqual({
      items: [],
      total: 0,
    });
    expect((await get('?to=2000-01-01')).status).toBe(200);
  });
});
