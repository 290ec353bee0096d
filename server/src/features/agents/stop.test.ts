import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until, type Room, type ShownMessage } from '../../../test/harness/stages/agent-stage.ts';
import { dataOf, expectError } from '../../../test/harness/clients/envelope.ts';
import { addPerson } from '../../../test/harness/factories.ts';
import { useAgentStage } from '../../../test/harness/stages/use-stage.ts';

/** One credit per token. */
const PRICE = 1000;
/** The text arrives, and then nothing more. */
const UNFINISHED = { text: 'twelve bytes', ending: 'hang' } as const;

const { stage, ada } = useAgentStage([
  { slug: 'ada', creditsPer1kTokens: PRICE },
  { slug: 'free' },
]);
let room: Room;

beforeAll(async () => {
  const { db } = stage.server;
  await db.query(
    `INSERT INTO ledger_entries (org_id, id, kind, credits, source)
     VALUES ($1, 'topup', 'TOPUP', 1000000, 'test')`,
    [stage.org.orgId],
  );
});
beforeEach(async () => {
  room = await stage.openRoom();
});

function stop(questionId: string, mention: string, key = stage.org.member.key) {
  const path = `${room.space}/messages/${questionId}/replies/${mention}/stop`;
  return stage.call('POST', path, { key });
}

const retry = (messageId: string) =>
  stage.call('POST', `${room.space}/messages/${messageId}/retry`, stage.org.member);

/** Asks, and waits until the provider has been asked. */
async function askUnfinished(mention = 'ada'): Promise<ShownMessage> {
  ada.answerWith([UNFINISHED]);
  const before = ada.requests.length;
  const question = await room.post(`@${mention} what now?`);
  await ada.received(before + 1);
  return question;
}

const charged = async () => {
  const [row] = await stage.server.db.query<{ credits: number; reserved: number }>(
    `SELECT coalesce(-sum(credits), 0)::int AS credits, (SELECT count(*)::int
       FROM credit_reservations WHERE org_id = $1 AND credits > 0) AS reserved
     FROM ledger_entries WHERE org_id = $1 AND kind = 'USAGE'`,
    [stage.org.orgId],
  );
  return row;
};

describe('POST …/messages/{messageId}/replies/{mention}/stop', () => {
  it('200: what was written lands as STOPPED, and what was used is charged', async () => {
    const before = await charged();
    const question = await askUnfinished();
    const reply = await stop(question.id, 'ada');
    expect(dataOf(reply, 200)).toEqual(question);
    const [stopped] = await room.replies(question.id);
    expect(stopped).toMatchObject({ agentSlug: 'ada', status: 'STOPPED', error: null });
    expect(['twelve bytes', 'Stopped before anything was written.']).toContain(stopped?.body);
    expect(stopped?.usage?.credits).toBe(
      (stopped?.usage?.inputTokens ?? 0) + (stopped?.usage?.outputTokens ?? 0),
    );
    expect(stopped?.usage?.inputTokens).toBeGreaterThan(0);
    expect(await charged()).toEqual({
      credits: (before?.credits ?? 0) + (stopped?.usage?.credits ?? 0),
      reserved: 0,
    });
    expect((await room.shown(question.id)).pendingReplies).toEqual([]);
    await ada.hungUp(1);
  });

  it('200: one that has not begun says so, costs nothing, and is never begun', async () => {
    const gate = Promise.withResolvers<string>();
    const before = ada.requests.length;
    ada.answerWith(() => gate.promise);
    // Four replies of an org run at a time.
    for (let at = 0; at < 4; at++) await room.post('@free filler');
    await ada.received(before + 4);
    const question = await room.post('@ada what now?');
    expect((await stop(question.id, 'ada')).status).toBe(200);
    const [stopped] = await room.replies(question.id);
    expect(stopped).toMatchObject({
      status: 'STOPPED',
      body: 'Stopped before anything was written.',
      usage: { inputTokens: 0, outputTokens: 0, credits: 0 },
    });
    gate.resolve('Done.');
    await stage.settled();
    expect(ada.requests).toHaveLength(before + 4);
    expect(await room.shown(stopped?.id ?? '')).toEqual(stopped);
  });

  it('200: a retry that has not begun stays STOPPED, and is never begun', async () => {
    const question = await askUnfinished('free');
    await stop(question.id, 'free');
    const [stopped] = await room.replies(question.id);
    const gate = Promise.withResolvers<string>();
    const before = ada.requests.length;
    ada.answerWith(() => gate.promise);
    for (let at = 0; at < 4; at++) await room.post('@free filler');
    await ada.received(before + 4);
    await retry(stopped?.id ?? '');
    expect((await stop(question.id, 'free')).status).toBe(200);
    await until(async () => (await room.shown(question.id)).pendingReplies.length === 0);
    gate.resolve('Done.');
    await stage.settled();
    expect(ada.requests).toHaveLength(before + 4);
    expect((await room.shown(stopped?.id ?? '')).status).toBe('STOPPED');
  });

  it('200: a retry of a STOPPED reply runs in place, and both runs are charged once', async () => {
    const question = await askUnfinished();
    await stop(question.id, 'ada');
    const [stopped] = await room.replies(question.id);
    const before = await charged();
    ada.answerWith([{ text: 'All of it.', usage: { inputTokens: 30, outputTokens: 3 } }]);
    expect((await retry(stopped?.id ?? '')).status).toBe(200);
    await until(async () => (await room.shown(stopped?.id ?? '')).status === 'COMPLETED');
    expect(await room.shown(stopped?.id ?? '')).toMatchObject({
      body: 'All of it.',
      usage: { inputTokens: 30, outputTokens: 3, credits: 33 },
    });
    expect(await charged()).toEqual({ credits: (before?.credits ?? 0) + 33, reserved: 0 });
    expect(expectError(await retry(stopped?.id ?? ''), 'CONFLICT')).toMatchObject({
      reason: 'reply_not_failed',
    });
    await stage.settled();
    expect(await room.list()).toHaveLength(2);
  });

  it('200: a retry can be stopped too, and stopped again', async () => {
    const question = await askUnfinished('free');
    for (let at = 0; at < 3; at++) {
      const asked = ada.requests.length;
      expect((await stop(question.id, 'free')).status).toBe(200);
      await stage.settled();
      const [stopped] = await room.replies(question.id);
      expect(stopped).toMatchObject({ status: 'STOPPED' });
      expect(expectError(await stop(question.id, 'free'), 'CONFLICT')).toMatchObject({
        reason: 'reply_ended',
      });
      if (at === 2) break;
      await retry(stopped?.id ?? '');
      await ada.received(asked + 1);
    }
    expect(await room.list()).toHaveLength(2);
  });

  it('200: an OWNER or ADMIN may; 403: another MEMBER may not, and nothing is stopped', async () => {
    const question = await askUnfinished('free');
    const other = await addPerson(stage.server.db, stage.org.orgId, 'MEMBER');
    expect(expectError(await stop(question.id, 'free', other.key), 'FORBIDDEN')).toMatchObject({
      reason: 'role',
    });
    expect((await room.shown(question.id)).pendingReplies).toHaveLength(1);
    expect((await stop(question.id, 'free', stage.org.admin.key)).status).toBe(200);
    const [stopped] = await room.replies(question.id);
    expect(stopped?.status).toBe('STOPPED');
  });

  it('200: the slug is case-insensitive, and `model` is one', async () => {
    ada.answerWith([UNFINISHED]);
    const asked = ada.requests.length;
    const question = await room.post('@model what now?');
    await ada.received(asked + 1);
    expect((await stop(question.id, 'MODEL')).status).toBe(200);
    const [stopped] = await room.replies(question.id);
    expect(stopped).toMatchObject({ agentSlug: 'ada', status: 'STOPPED' });
  });

  it('404: nobody was asked under this name, or there is no such message', async () => {
    const question = await room.post('@alice hello');
    for (const mention of ['alice', 'ada', '%00']) {
      expectError(await stop(question.id, mention), 'NOT_FOUND');
    }
    expectError(await stop('cmf3k2v8q0004x5p7h9d4t6wz', 'ada'), 'NOT_FOUND');
  });

  it('409: the reply has landed, or the question was deleted', async () => {
    ada.answerWith(['Done.']);
    const question = await room.post('@free hello');
    await room.replies(question.id);
    expect(expectError(await stop(question.id, 'free'), 'CONFLICT')).toMatchObject({
      reason: 'reply_ended',
    });
    await stage.call('DELETE', `${room.space}/messages/${question.id}`, stage.org.member);
    expect(expectError(await stop(question.id, 'free'), 'CONFLICT')).toMatchObject({
      reason: 'message_deleted',
    });
  });
});
