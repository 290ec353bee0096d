import { beforeEach, describe, expect, it } from 'vitest';
import {
  startAgentStage,
  until,
  type Room,
  type ShownMessage,
} from '../../../test/harness/stages/agent-stage.ts';
import { reasonOf } from '../../../test/harness/clients/envelope.ts';
import { SHOWS_WAITS } from '../../../test/harness/databases/database.ts';
import { untilLocked } from '../../../test/harness/databases/lock-waits.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { holdAnswers } from '../../../test/harness/outside/model-server.ts';
import { useAgentStage } from '../../../test/harness/stages/use-stage.ts';

const REFUSED = { status: 400 };
/** Jobs of one org that run at once. */
const LANE_WIDTH = 4;

const { stage, ada } = useAgentStage([{ slug: 'ada', creditsPer1kTokens: 1 }]);
let room: Room;

beforeEach(async () => {
  ada.answerWith([REFUSED]);
  room = await stage.openRoom();
});

const post = (path: string) =>
  stage.call('POST', `${room.space}/messages/${path}`, stage.org.member);
const retry = (id: string) => post(`${id}/retry`);
const stop = (id: string) => post(`${id}/replies/ada/stop`);

async function askInVain(): Promise<{ failedId: string; questionId: string }> {
  const { id: questionId } = await room.post('@ada what now?');
  const [reply] = await room.replies(questionId);
  expect(reply?.status).toBe('FAILED');
  return { failedId: reply?.id ?? '', questionId };
}

/** Keeps the org's other jobs waiting until it is opened. */
async function fillLane(answer: string) {
  const elsewhere = await stage.openRoom();
  const gate = holdAnswers(ada, answer);
  for (let at = 0; at < LANE_WIDTH; at++) await elsewhere.post('@ada filler');
  await gate.asked(LANE_WIDTH);
  return gate;
}

describe('a retry', () => {
  it('that is requested six times while it runs asks the model once', async () => {
    const { failedId } = await askInVain();
    const gate = holdAnswers(ada, 'Once.');
    expect((await retry(failedId)).status).toBe(200);
    await gate.asked();
    for (let at = 0; at < 5; at++) expect((await retry(failedId)).status).toBe(200);
    gate.open();
    await stage.settled();
    expect(ada.requests).toHaveLength(gate.before + 1);
    expect(await room.shown(failedId)).toMatchObject({ status: 'COMPLETED', body: 'Once.' });
  });

  it('that has a second job asks the model once', async () => {
    const { failedId } = await askInVain();
    const gate = holdAnswers(ada, 'Once.');
    await retry(failedId);
    await gate.asked();
    await stage.server.db.query(
      'INSERT INTO jobs (kind, payload, lane, run_at) SELECT kind, payload, lane, now() FROM jobs',
    );
    // The second one is done without having asked.
    await until(async () => {
      const rows = await stage.server.db.query('SELECT id FROM jobs');
      return rows.length === 1;
    });
    gate.open();
    await stage.settled();
    expect(ada.requests).toHaveLength(gate.before + 1);
    expect(await room.shown(failedId)).toMatchObject({ status: 'COMPLETED', body: 'Once.' });
  });

  it('409 while the reply is being stopped, and 200 when it has landed', async () => {
    const { failedId, questionId } = await askInVain();
    const gate = await fillLane('Then.');
    await retry(failedId);
    expect((await stop(questionId)).status).toBe(200);
    const early = await retry(failedId);
    expect(reasonOf(early)).toEqual([409, 'reply_not_failed']);
    await until(async () => (await room.shown(failedId)).status === 'STOPPED');
    expect((await retry(failedId)).status).toBe(200);
    gate.open();
    await stage.settled();
    expect(await room.shown(failedId)).toMatchObject({ status: 'COMPLETED', body: 'Then.' });
  });

  it.runIf(SHOWS_WAITS)('is not lost to a job that was queued and had nothing to do', async () => {
    const { db } = stage.server;
    const { failedId, questionId } = await askInVain();
    const gate = await fillLane('Not lost.');
    await retry(failedId);
    await stop(questionId);
    await until(async () => (await room.shown(failedId)).status === 'STOPPED');
    // The first retry's job is still queued, and ends while the second retry waits for the session.
    let second: ReturnType<typeof retry> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('SELECT 1 AS held FROM sessions WHERE id = $1 FOR UPDATE', [room.sessionId]);
      second = retry(failedId);
      await untilLocked(db);
      gate.open();
      await stage.settled();
    });
    expect((await second)?.status).toBe(200);
    await until(async () => (await room.shown(failedId)).status === 'COMPLETED');
    expect((await room.shown(questionId)).pendingReplies).toEqual([]);
  });
});

describe('a pending reply without a job', () => {
  const database = useTestDatabase();

  it('is found by the next process that starts, a new one and a retry, and answered', async () => {
    const models = [{ slug: 'ada', server: ada }];
    ada.answerWith([REFUSED]);
    const first = await startAgentStage(models, { shared: database });
    const place = await first.openRoom();
    const [failed] = await place.ask('@ada old question');
    await first.stop();

    const idle = await startAgentStage(models, { shared: database, worker: false });
    const call = { key: first.org.member.key };
    const path = `${place.space}/sessions/${place.sessionId}/messages`;
    const body = { body: '@ada new question' };
    expect((await idle.call('POST', path, { ...call, body })).status).toBe(201);
    const again = `${place.space}/messages/${failed?.id}/retry`;
    expect((await idle.call('POST', again, call)).status).toBe(200);
    await idle.server.db.query('DELETE FROM jobs');
    await idle.stop();

    ada.answerWith(['Found.', 'Found.']);
    const before = ada.requests.length;
    const next = await startAgentStage(models, { shared: database });
    const list = async () => (await next.call('GET', path, call)).json.data.items;
    await until(async () =>
      (await list()).every(
        ({ authorKind, status, pendingReplies }: ShownMessage) =>
          pendingReplies.length === 0 && (authorKind === 'USER' || status === 'COMPLETED'),
      ),
    );
    expect(await list()).toHaveLength(4);
    expect(ada.requests).toHaveLength(before + 2);
    await next.stop();
  });
});
