import { beforeEach, describe, expect, it } from 'vitest';
import type { Room } from '../../../test/harness/stages/agent-stage.ts';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useAgentStage } from '../../../test/harness/stages/use-stage.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';
import { holdAnswers } from '../../../test/harness/outside/model-server.ts';
import { releaseCredits, reserveCredits } from './service.ts';

/** 10 credits for 1,000 tokens; every org has 200 a month. A call reserves just over 40 of them. */
const PRICE = 10;
const INCLUDED = 200;
const USAGE = { inputTokens: 1_234, outputTokens: 567 };
const COST = Math.ceil(((1_234 + 567) * PRICE) / 1000);

const { stage, ada } = useAgentStage([
  { slug: 'ada', creditsPer1kTokens: PRICE },
  { slug: 'cheap', creditsPer1kTokens: 0.001 },
  { slug: 'gift' },
]);
const org = useNewOrg(() => stage.server.db);
let room: Room;

beforeEach(async () => {
  ada.answerWith([{ text: 'Gladly.', usage: USAGE }]);
  room = await stage.openRoom({}, org);
});

async function sumOf(table: 'ledger_entries' | 'credit_reservations'): Promise<number> {
  const [row] = await stage.server.db.query<{ sum: number }>(
    `SELECT coalesce(sum(credits), 0)::int AS sum FROM ${table} WHERE org_id = $1`,
    [org.orgId],
  );
  return row?.sum ?? 0;
}
const balance = () => sumOf('ledger_entries');
const held = () => sumOf('credit_reservations');

/** Leaves this many of the month's included credits, which are granted when first read. */
async function spendAllBut(credits: number): Promise<void> {
  expect(await reserve('first', 1)).toBe(true);
  await stage.server.db.transaction(async (tx) => releaseCredits(tx, org.orgId, 'first'));
  await addEntry('USAGE', credits - INCLUDED);
}

async function addEntry(kind: 'USAGE' | 'TOPUP', credits: number): Promise<void> {
  await stage.server.db.query(
    `INSERT INTO ledger_entries (org_id, id, kind, credits, source) VALUES ($1, $2, $3, $4, $2)`,
    [org.orgId, `test-${kind}`, kind, credits],
  );
}

const reserve = (id: string, credits: number) =>
  reserveCredits(stage.server.db, org.orgId, { id, credits }, new Date());

describe('an answer with a price', () => {
  it('reserves its maximum during the call, and is paid together with the reply, in one commit', async () => {
    const gate = holdAnswers(ada, { text: 'Gladly.', usage: USAGE });
    const { id } = await room.post('@ada what now?');
    await gate.asked();
    expect(await balance()).toBe(INCLUDED);
    expect(await held()).toBeGreaterThan(COST);
    gate.open();
    const [reply] = await room.replies(id);
    expect(reply?.usage).toMatchObject({ ...USAGE, credits: COST });
    expect(await balance()).toBe(INCLUDED - COST);
    expect(await held()).toBe(0);
    const entries = await stage.server.db.query(
      `SELECT l.kind, l.credits, l.source, l.xmin::text = m.xmin::text AS "isOneCommit"
       FROM ledger_entries l LEFT JOIN messages m ON m.org_id = l.org_id AND m.id = l.message_id
       WHERE l.org_id = $1 ORDER BY l.position`,
      [org.orgId],
    );
    expect(entries).toEqual([
      expect.objectContaining({ kind: 'GRANT', credits: INCLUDED }),
      { kind: 'USAGE', credits: -COST, source: `message:${reply?.id}`, isOneCommit: true },
    ]);
  });

  it('in fractions is rounded up to a whole credit', async () => {
    const [reply] = await room.ask('@cheap what now?');
    expect(reply?.usage?.credits).toBe(1);
    expect(await balance()).toBe(INCLUDED - 1);
  });

  it('of zero, by a model or recall, touches no account', async () => {
    await room.ask('@gift @recall what now?', { replies: 2 });
    expect([await balance(), await held()]).toEqual([0, 0]);
    const rows = await stage.server.db.query(
      'SELECT model, credits FROM model_usage WHERE org_id = $1 ORDER BY model',
      [org.orgId],
    );
    expect(rows).toEqual([
      { model: 'gift', credits: 0 },
      { model: 'recall', credits: 0 },
    ]);
  });

  it('that FAILED costs nothing and reserves nothing', async () => {
    ada.answerWith([{ status: 400 }]);
    const [reply] = await room.ask('@ada what now?');
    expect(reply).toMatchObject({ status: 'FAILED', usage: { credits: 0 } });
    expect([await balance(), await held()]).toEqual([INCLUDED, 0]);
  });

  it('with a token for each byte of its prompt is reserved and paid in full', async () => {
    await addEntry('TOPUP', 1000);
    ada.answerWith(({ instructions, messages }) => {
      const said = [instructions, ...messages.map(({ content }) => content)].join('');
      const usage = { inputTokens: Buffer.byteLength(said), outputTokens: 4_096 };
      return { text: 'So many digits.', usage };
    });
    const [reply] = await room.ask(`@ada ${'7'.repeat(19_000)}`);
    const { inputTokens = 0, credits } = reply?.usage ?? {};
    expect(inputTokens).toBeGreaterThan(19_000);
    expect(credits).toBe(Math.ceil(((inputTokens + 4_096) * PRICE) / 1000));
    expect(await balance()).toBe(INCLUDED + 1000 - (credits ?? 0));
  });

  it('costs no more than was reserved, whatever the provider counts', async () => {
    ada.answerWith([{ text: 'Dear.', usage: { inputTokens: 9_999_999, outputTokens: 9_999_999 } }]);
    const [reply] = await room.ask('@ada what now?');
    expect(reply?.status).toBe('COMPLETED');
    expect(reply?.usage?.credits).toBeLessThan(100);
    expect(await balance()).toBe(INCLUDED - (reply?.usage?.credits ?? 0));
  });

  it('given twice for one message, by @model and by name, reserves and costs twice', async () => {
    const gate = holdAnswers(ada, { text: 'Gladly.', usage: USAGE });
    const { id } = await room.post('@model @ada what now?');
    await gate.asked(2);
    const [row] = await stage.server.db.query<{ count: number }>(
      'SELECT count(*) FROM credit_reservations WHERE org_id = $1',
      [org.orgId],
    );
    expect(row?.count).toBe(2);
    gate.open();
    await room.replies(id, 2);
    expect([await balance(), await held()]).toEqual([INCLUDED - 2 * COST, 0]);
  });
});

describe('without credits', () => {
  it('FAILED no_credits, no call, no cost; a retry after a top-up is answered and paid once', async () => {
    await spendAllBut(3);
    const before = ada.requests.length;
    const [reply] = await room.ask('@ada what now?');
    expect(reply).toMatchObject({
      status: 'FAILED',
      error: { code: 'no_credits', message: expect.stringContaining('not have enough credits') },
      usage: { inputTokens: 0, outputTokens: 0, credits: 0 },
    });
    expect(ada.requests).toHaveLength(before);
    expect([await balance(), await held()]).toEqual([3, 0]);

    await addEntry('TOPUP', 1000);
    const path = `${room.space}/messages/${reply?.id}/retry`;
    expect((await stage.call('POST', path, org.member)).status).toBe(200);
    await stage.settled();
    const [again] = await room.replies(reply?.inReplyToMessageId ?? '');
    expect(again).toMatchObject({ id: reply?.id, status: 'COMPLETED', usage: { credits: COST } });
    expect([await balance(), await held()]).toEqual([1003 - COST, 0]);
  });

  it('free models still answer', async () => {
    await spendAllBut(0);
    const [reply] = await room.ask('@gift what now?');
    expect(reply?.status).toBe('COMPLETED');
  });
});

describe('many at once', () => {
  it('50 questions never overdraw, and no call is made that cannot be paid', async () => {
    const before = ada.requests.length;
    let running = 0;
    let most = 0;
    ada.answerWith(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      return { text: 'Gladly.', usage: USAGE };
    });
    await Promise.all(Array.from({ length: 50 }, (_, at) => room.post(`@ada question ${at}`)));
    await stage.settled();
    const listed = (await room.list()).filter(({ authorKind }) => authorKind === 'AGENT');
    expect(listed).toHaveLength(50);
    const paid = listed.filter(({ status }) => status === 'COMPLETED');
    const refused = listed.filter(({ error }) => error?.code === 'no_credits');
    expect(paid.length + refused.length).toBe(50);
    expect(paid.length).toBeGreaterThan(0);
    expect(ada.requests.length - before).toBe(paid.length);
    expect(await balance()).toBe(INCLUDED - paid.length * COST);
    expect(await balance()).toBeGreaterThanOrEqual(0);
    expect(await held()).toBe(0);
    expect(most).toBeLessThanOrEqual(4);
  });

  it.runIf(ENGINE === 'postgres')(
    '50 concurrent reservations: as many as the balance covers',
    async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, at) => reserve(`r${at}`, 30)),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(6);
      expect([await balance(), await held()]).toEqual([INCLUDED, 180]);
    },
  );
});

describe('a reservation', () => {
  it('for the same call replaces the previous one', async () => {
    expect(await reserve('same', 150)).toBe(true);
    expect(await reserve('same', 180)).toBe(true);
    expect(await reserve('other', 30)).toBe(false);
    expect(await held()).toBe(180);
  });

  it('that cannot be extended stays as it was, because part of it may be used', async () => {
    expect(await reserve('same', 150)).toBe(true);
    expect(await reserve('same', 201)).toBe(false);
    expect(await held()).toBe(150);
    expect(await reserve('other', 51)).toBe(false);
    expect(await reserve('other', 50)).toBe(true);
  });

  it('for the same call never shrinks, because another run may rely on it', async () => {
    expect(await reserve('same', 150)).toBe(true);
    expect(await reserve('same', 20)).toBe(true);
    expect(await held()).toBe(150);
  });

  it('that already exists is not refused, even if the balance has fallen meanwhile', async () => {
    expect(await reserve('same', 150)).toBe(true);
    await addEntry('USAGE', -190);
    expect(await reserve('same', 150)).toBe(true);
    expect(await reserve('same', 151)).toBe(false);
  });

  it('that expired frees its credits', async () => {
    expect(await reserve('lost', 150)).toBe(true);
    expect(await reserve('other', 100)).toBe(false);
    await stage.server.db.query(
      `UPDATE credit_reservations SET expires_at = now() - interval '1 second' WHERE org_id = $1`,
      [org.orgId],
    );
    expect(await reserve('other', 100)).toBe(true);
  });
});
