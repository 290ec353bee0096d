import { beforeAll, describe, expect, it } from 'vitest';
import { until, type Room } from '../../../../test/harness/stages/agent-stage.ts';
import { holdAnswers } from '../../../../test/harness/outside/model-server.ts';
import { useAgentStage } from '../../../../test/harness/stages/use-stage.ts';

const REFUSED = { status: 400 };

const { stage, ada } = useAgentStage();
let room: Room;

beforeAll(async () => {
  room = await stage.openRoom({ defaultAgent: 'ada' });
});

const pending = async (id: string) =>
  (await room.shown(id)).pendingReplies.map(({ mention }) => mention);
const stored = (id: string) =>
  stage.server.db.query('SELECT pending_replies AS pending FROM messages WHERE id = $1', [id]);

describe('pendingReplies', () => {
  it('lists the mentions that answer, until each has its reply', async () => {
    const gate = holdAnswers(ada, 'Yes.');
    const question = await room.post('@ada @recall @alice are you there?');
    const startedAt = question.createdAt;
    expect(question.pendingReplies).toEqual([
      { mention: 'ada', startedAt },
      { mention: 'recall', startedAt },
    ]);
    await until(async () => (await pending(question.id)).join() === 'ada');
    gate.open();
    const replies = await room.replies(question.id, 2);
    expect(await pending(question.id)).toEqual([]);
    expect(replies.map((reply) => reply.pendingReplies)).toEqual([[], []]);
    expect(await stored(question.id)).toEqual([{ pending: [] }]);
  });

  it('lists at most five, and nobody for a message that nobody answers or that is edited', async () => {
    const gate = holdAnswers(ada, 'Yes.');
    const none = await room.post('@alice hello');
    expect(none.pendingReplies).toEqual([]);
    const path = `${room.space}/messages/${none.id}`;
    const edited = await stage.call('PATCH', path, stage.org.member, { body: '@ada hello' });
    expect(edited.json.data.pendingReplies).toEqual([]);
    const question = await room.post('@ada hello');
    const edit = { key: stage.org.member.key, body: { body: 'Hello' } };
    await stage.call('PATCH', `${room.space}/messages/${question.id}`, edit);
    expect(await pending(question.id)).toEqual(['ada']);
    gate.open();
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
      const gate = holdAnswers(ada, answer);
      await stage.call('POST', path, stage.org.member);
      await stage.call('POST', path, stage.org.member);
      const [entry, ...others] = (await room.shown(question.id)).pendingReplies;
      expect(entry).toEqual({ mention: 'model', startedAt: expect.any(String) });
      expect(Date.parse(entry?.startedAt ?? '')).toBeGreaterThan(Date.parse(question.createdAt));
      expect(others).toEqual([]);
      gate.open();
      await stage.settled();
      expect(await pending(question.id)).toEqual([]);
    }
    expect(await room.shown(failed?.id ?? '')).toMatchObject({ status: 'COMPLETED' });
  });

  it('is empty once the question, or the retried reply, is deleted', async () => {
    ada.answerWith([REFUSED]);
    const question = await room.post('@ada what now?');
    const [failed] = await room.replies(question.id);
    const gate = holdAnswers(ada, 'Too late.');
    const path = `${room.space}/messages/${failed?.id}`;
    await stage.call('POST', `${path}/retry`, stage.org.member);
    expect(await pending(question.id)).toEqual(['ada']);
    await stage.call('DELETE', path, stage.org.owner);
    expect(await pending(question.id)).toEqual([]);

    const deleted = await room.post('@ada what now?');
    await stage.call('DELETE', `${room.space}/messages/${deleted.id}`, stage.org.member);
    expect(await pending(deleted.id)).toEqual([]);
    gate.open();
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
