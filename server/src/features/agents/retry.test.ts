import { beforeEach, describe, expect, it } from 'vitest';
import {
  startAgentStage,
  until,
  type AgentStage,
  type Room,
  type ShownMessage,
} from '../../../test/harness/stages/agent-stage.ts';
import { SHOWS_WAITS } from '../../../test/harness/databases/database.ts';
import { untilLocked } from '../../../test/harness/databases/lock-waits.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { dataOf, expectError } from '../../../test/harness/clients/envelope.ts';
import { addPerson, createTestOrg } from '../../../test/harness/factories.ts';
import { useAgentStage } from '../../../test/harness/stages/use-stage.ts';
import { holdAnswers } from '../../../test/harness/outside/model-server.ts';

const REFUSED = { status: 400 };

const { stage, ada } = useAgentStage([{ slug: 'ada' }, { slug: 'paid', creditsPer1kTokens: 1 }]);
let room: Room;

beforeEach(async () => {
  ada.answerWith([REFUSED]);
  room = await stage.openRoom();
});

async function askInVain(body = '@ada what now?'): Promise<ShownMessage> {
  const [reply] = await room.ask(body);
  expect(reply).toMatchObject({ status: 'FAILED', error: { code: 'provider_error' } });
  return reply as ShownMessage;
}

const retry = (messageId: string, by = stage.org.member, space = room.space) =>
  stage.call('POST', `${space}/messages/${messageId}/retry`, by);

describe('POST …/messages/{messageId}/retry', () => {
  it('200: the same message, now COMPLETED, in its place', async () => {
    const failed = await askInVain();
    await room.post('Something else.');
    ada.answerWith(['Now it works.']);
    const reply = await retry(failed.id);
    expect(dataOf(reply, 200)).toEqual(failed);
    await until(async () => (await room.shown(failed.id)).status === 'COMPLETED');
    expect(await room.shown(failed.id)).toEqual({
      ...failed,
      status: 'COMPLETED',
      error: null,
      body: 'Now it works.',
      usage: { inputTokens: 11, outputTokens: 7, credits: 0, latencyMs: expect.any(Number) },
    });
    expect((await room.list()).map(({ id }) => id)[1]).toBe(failed.id);
    expect(await room.list()).toHaveLength(3);
  });

  it('200: a second failure shows its new reason, and can be retried', async () => {
    const failed = await askInVain();
    ada.answerWith([{ text: '' }]);
    await retry(failed.id);
    await until(async () => (await room.shown(failed.id)).error?.code === 'empty_answer');
    ada.answerWith(['At last.']);
    await retry(failed.id);
    await until(async () => (await room.shown(failed.id)).status === 'COMPLETED');
    expect(await room.list()).toHaveLength(2);
  });

  it('200: requested ten times, it runs once', async () => {
    const failed = await askInVain();
    ada.answerWith(['Once.']);
    const before = ada.requests.length;
    // The lane is full, so the first retry waits and the others find it queued.
    const gate = Promise.withResolvers<void>();
    ada.answerWith(async (request) => {
      if (request.messages.at(-1)?.content.includes('filler')) await gate.promise;
      return 'Once.';
    });
    for (let at = 0; at < 4; at++) await room.post('@ada filler');
    await ada.received(before + 4);
    for (let at = 0; at < 10; at++) expect((await retry(failed.id)).status).toBe(200);
    gate.resolve();
    await stage.settled();
    expect(ada.requests).toHaveLength(before + 5);
    expect(await room.shown(failed.id)).toMatchObject({ status: 'COMPLETED', body: 'Once.' });
  });

  it.runIf(SHOWS_WAITS)(
    '200: it lands at the same time as a new reply, and neither has to be written again',
    async () => {
      const { db } = stage.server;
      const failed = await askInVain('@paid what now?');
      const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const before = ada.requests.length;
      ada.answerWith(async (_, index) => {
        await gates[index - before]?.promise;
        return 'Once.';
      });
      await retry(failed.id);
      await ada.received(before + 1);
      const { id } = await room.post('@paid and now?');
      await ada.received(before + 2);
      await db.transaction(async (tx) => {
        await tx.query('SELECT 1 AS held FROM sessions WHERE id = $1 FOR UPDATE', [room.sessionId]);
        for (const [at, gate] of gates.entries()) {
          gate.resolve();
          await untilLocked(db, at + 1);
        }
      });
      await stage.settled();
      expect(ada.requests).toHaveLength(before + 2);
      for (const reply of [await room.shown(failed.id), ...(await room.replies(id))]) {
        expect(reply).toMatchObject({ status: 'COMPLETED', body: 'Once.' });
      }
    },
  );

  it('200 for all concurrent requests, and one result', async () => {
    const failed = await askInVain();
    ada.answerWith(['Once.']);
    const replies = await Promise.all(Array.from({ length: 8 }, () => retry(failed.id)));
    await stage.settled();
    // Late ones may find it completed.
    for (const { status } of replies) expect([200, 409]).toContain(status);
    expect(await room.shown(failed.id)).toMatchObject({ status: 'COMPLETED', body: 'Once.' });
    expect(await room.list()).toHaveLength(2);
  });

  it("403 role: a MEMBER, for another person's question, which runs as that person", async () => {
    const failed = await askInVain();
    const other = await addPerson(stage.server.db, stage.org.orgId, 'MEMBER');
    const before = ada.requests.length;
    expect(expectError(await retry(failed.id, other), 'FORBIDDEN')).toEqual({ reason: 'role' });
    await stage.settled();
    expect(ada.requests).toHaveLength(before);
  });

  it("200: an OWNER or ADMIN may too, and the session's current model answers", async () => {
    const failed = await askInVain('@model what now?');
    const path = `${room.space}/sessions/${room.sessionId}`;
    await stage.call('PATCH', path, stage.org.owner, { model: 'recall' });
    expect((await retry(failed.id, stage.org.admin)).status).toBe(200);
    await until(async () => (await room.shown(failed.id)).status === 'COMPLETED');
    expect((await room.shown(failed.id)).agentSlug).toBe('recall');
  });

  it("409 reply_not_failed: a COMPLETED reply, a person's message", async () => {
    ada.answerWith(['Fine.']);
    const question = await room.post('@ada what now?');
    const [reply] = await room.replies(question.id);
    for (const id of [question.id, reply?.id ?? '']) {
      expect(expectError(await retry(id), 'CONFLICT')).toMatchObject({
        reason: 'reply_not_failed',
      });
    }
  });

  it('409 message_deleted: a deleted reply; one that is deleted meanwhile stays deleted', async () => {
    const failed = await askInVain();
    const path = `${room.space}/messages/${failed.id}`;
    expect((await stage.call('DELETE', path, stage.org.owner)).status).toBe(204);
    expect(expectError(await retry(failed.id), 'CONFLICT')).toMatchObject({
      reason: 'message_deleted',
    });

    const second = await askInVain();
    const gate = holdAnswers(ada, 'Too late.');
    await retry(second.id);
    await gate.asked();
    const other = `${room.space}/messages/${second.id}`;
    await stage.call('DELETE', other, stage.org.owner);
    gate.open();
    await stage.settled();
    expect(await room.shown(second.id)).toMatchObject({ body: '', status: 'FAILED' });
  });

  it('409 message_deleted: the question was deleted', async () => {
    const failed = await askInVain();
    const path = `${room.space}/messages/${failed.inReplyToMessageId}`;
    await stage.call('DELETE', path, stage.org.member);
    expect(expectError(await retry(failed.id), 'CONFLICT')).toMatchObject({
      reason: 'message_deleted',
    });
  });

  it('409 session_archived, 403 not in the Project, 404 elsewhere', async () => {
    const closed = await stage.openRoom({}, stage.org, { access: 'MEMBERS' });
    const [reply] = await closed.ask('@ada what now?', { key: stage.org.admin.key });
    const id = reply?.id ?? '';
    const outsider = await addPerson(stage.server.db, stage.org.orgId, 'MEMBER');
    const stranger = await createTestOrg(stage.server.db);
    expect((await retry(id, outsider, closed.space)).status).toBe(403);
    expect((await retry(id, stranger.owner, closed.space)).status).toBe(404);
    expect((await retry(id, stage.org.owner)).status).toBe(404);
    const path = `${closed.space}/sessions/${closed.sessionId}`;
    await stage.call('DELETE', path, stage.org.owner);
    const archived = await retry(id, stage.org.owner, closed.space);
    expect(expectError(archived, 'CONFLICT')).toMatchObject({ reason: 'session_archived' });
  });
});

describe('a model that was removed from the registry', () => {
  const database = useTestDatabase();

  it('FAILED, and lists the available ones; once it is back, a retry is answered', async () => {
    ada.answerWith(['Here I am.']);
    const models = [{ slug: 'ada', server: ada }];
    const old = await startAgentStage(models, { shared: database, worker: false });
    const place = await old.openRoom({ defaultAgent: 'ada' });
    const { id } = await place.post('@model @ada are you there?');
    await old.stop();

    const without = await startAgentStage([], { shared: database });
    const seen = await createListOf(without, place, old.org.member.key);
    await until(async () => (await seen(id)).length === 2);
    for (const reply of await seen(id)) {
      expect(reply).toMatchObject({
        agentSlug: 'ada',
        status: 'FAILED',
        error: { code: 'model_unknown' },
        body: 'Couldn\'t generate a reply. "ada" is not a configured model any more. Available: recall.',
      });
    }
    await without.stop();

    const back = await startAgentStage(models, { shared: database });
    const found = await createListOf(back, place, old.org.member.key);
    const [failed] = await found(id);
    const path = `${place.space}/messages/${failed?.id}/retry`;
    expect((await back.call('POST', path, old.org.member)).status).toBe(200);
    await until(async () => (await found(id)).some(({ status }) => status === 'COMPLETED'));
    expect((await found(id)).map(({ status }) => status).toSorted()).toEqual([
      'COMPLETED',
      'FAILED',
    ]);
    await back.stop();
  });
});

/** The room was opened on a server that has stopped. */
async function createListOf({ call }: AgentStage, { space, sessionId }: Room, key: string) {
  return async (messageId: string): Promise<ShownMessage[]> => {
    const { json } = await call('GET', `${space}/sessions/${sessionId}/messages`, { key });
    const items = json.data.items as ShownMessage[];
    return items.filter(({ inReplyToMessageId }) => inReplyToMessageId === messageId);
  };
}
