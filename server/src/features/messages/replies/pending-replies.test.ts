import { beforeAll, describe, expect, it } from 'vitest';
import {
  until,
  type Room,
  type ShownMessage,
} from '../../../../test/harness/stages/agent-stage.ts';
import { useAgentStage } from '../../../../test/harness/stages/use-stage.ts';

const REFUSED = { status: 400 };

const { stage, ada } = useAgentStage();
let room: Room;

beforeAll(async () => {
  room = await stage.openRoom({ defaultAgent: 'ada' });
});

const shown = async (id: string) =>
  (await room.list()).find((message) => message.id === id) as ShownMessage;
const pending = async (id: string) =>
  (await shown(id)).pendingReplies.map(({ mention }) => mention);
const stored = (id: string) =>
  stage.server.db.query('SELECT pending_replies AS pending FROM messages WHERE id = $1', [id]);

/** Holds back every answer until it is opened. */
function hold(answer: string | typeof REFUSED) {
  const gate = Promise.withResolvers<void>();
  ada.answerWith(async () => {
    await gate.promise;
    return answer;
  });
  return gate;
}

describe('pendingReplies', () => {
  it('lists the mentions that answer, until each has its reply', async () => {
    const gate = hold('Yes.');
    const question = await room.post('@ada @recall @alice are you there?');
    const startedAt = question.createdAt;
    expect(question.pendingReplies).toEqual([
      { mention: 'ada', startedAt },
      { mention: 'recall', startedAt },
    ]);
    await until(async () => (await pending(question.id)).join() === 'ada');
    gate.resolve();
    const replies = await room.replies(question.id, 2);
    expect(await pending(question.id)).toEqual([]);
    expect(replies.map((reply) => reply.pendingReplies)).toEqual([[], []]);
    expect(await stored(question.id)).toEqual([{ pending: [] }]);
  });

  it('lists at most five, and nobody for a message that nobody answers or that is edited', async () => {
    const gate = hold('Yes.');
    const none = await room.post('@alice hello');
    expect(none.pendingReplies).toEqual([]);
    const path = `${room.space}/messages/${none.id}`;
    const edited = await stage.call('PATCH', path, {
      key: stage.org.member.key,
      body: { body: '@ada hello' },
    });
    expect(edited.json.data.pendingReplies).toEqual([]);
    const question = await room.post('@ada hello');
    const edit = { key: stage.org.member.key, body: { body: 'Hello' } };
    await stage.call('PATCH', `${room.space}/messages/${question.id}`, edit);
    expect(await pending(question.id)).toEqual(['ada']);
    gate.resolve();
    await stage.settled();
    expect(await pending(question.id)).toEqual([]);
  });

  it('a retry adds it again, until it has landed, even as FAILED', async () => {
    ada.answerWith([REFUSED]);
    const question = await room.post('@model what now?');
    const [failed] = await room.replies(question.id);
    expect(await pending(question.id)).toEqual([]);
    const path = `${room.space}/messages/${failed?.id}/retry`;
    for (const answer of [REFUSED, 'Now it works.']) {
      const gate = hold(answer);
      await stage.call('POST', path, { key: stage.org.member.key });
      await stage.call('POST', path, { key: stage.org.member.key });
      const [entry, ...others] = (await shown(question.id)).pendingReplies;
      expect(entry).toEqual({ mention: 'model', startedAt: expect.any(String) });
      expect(Date.parse(entry?.startedAt ?? '')).toBeGreaterThan(Date.parse(question.createdAt));
      expect(others).toEqual([]);
      gate.resolve();
      await stage.settled();
      expect(await pending(question.id)).toEqual([]);
    }
    expect(await shown(failed?.id ?? '')).toMatchObject({ status: 'COMPLETED' });
  });

  it('is empty once the question, or the retried reply, is deleted', async () => {
    ada.answerWith([REFUSED]);
    const question = await room.post('@ada what now?');
    const [failed] = await room.replies(question.id);
    const gate = hold('Too late.');
    const path = `${room.space}/messages/${failed?.id}`;
    await stage.call('POST', `${path}/retry`, { key: stage.org.member.key });
    expect(await pending(question.id)).toEqual(['ada']);
    await stage.call('DELETE', path, { key: stage.org.owner.key });
    expect(await pending(question.id)).toEqual([]);

    const deleted = await room.post('@ada what now?');
    await stage.call('DELETE', `${room.space}/messages/${deleted.id}`, {
      key: stage.org.member.key,
    });
    expect(await pending(deleted.id)).toEqual([]);
    gate.resolve();
    await stage.settled();
    expect(await pending(deleted.id)).toEqual([]);
  });

  it('leaves out replies from a process of an older version, which clears nothing', async () => {
    ada.answerWith(['Yes.', REFUSED]);
    for (const body of ['@ada one', '@ada two']) {
      const question = await room.post(body);
      await room.replies(question.id);
      await stage.server.db.query('UPDATE messages SET pending_replies = $2 WHERE id = $1', [
        question.id,
        JSON.stringify([{ mention: 'ada', startedAt: question.createdAt }]),
      ]);
      expect(await pending(question.id)).toEqual([]);
    }
  });
});
