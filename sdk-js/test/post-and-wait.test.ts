import { describe, expect, it } from 'vitest';
import { ConflictError } from '../src/index.ts';
import { connect, failure, openSession } from './harness/client.ts';
import { startFake, succeed } from './harness/fake.ts';

const client = connect();

describe('messages.postAndWait', () => {
  it('waits for the reply of each mention that answers', async () => {
    const { slug, sessionId, projectId } = await openSession(client);
    const content = 'The launch is on the 3rd of March.';
    await client.memory.create({ content, visibility: 'PROJECT', projectId });
    const { message, replies, isComplete } = await client.messages.postAndWait(
      slug,
      sessionId,
      { body: '@recall when is the launch? cc @alice' },
      { pollInterval: 100 },
    );
    expect(isComplete).toBe(true);
    expect(message.mentions).toEqual(['recall', 'alice']);
    expect(replies).toMatchObject([
      {
        authorKind: 'AGENT',
        agentSlug: 'recall',
        inReplyToMessageId: message.id,
        status: 'COMPLETED',
      },
    ]);
    expect(replies[0]?.body).toContain('3rd of March');
  });

  it('works in a thread, and with @model', async () => {
    const { slug, sessionId } = await openSession(client);
    const { id: parentMessageId } = await client.messages.post(slug, sessionId, { body: 'Topic' });
    const body = { body: '@model anything?', parentMessageId };
    const { replies } = await client.messages.postAndWait(slug, sessionId, body, {
      pollInterval: 100,
    });
    expect(replies).toMatchObject([{ parentMessageId }]);
  });

  it('returns at once where nobody is asked', async () => {
    const { slug, sessionId } = await openSession(client);
    const result = await client.messages.postAndWait(slug, sessionId, { body: 'Hello @alice' });
    expect(result).toMatchObject({ replies: [], isComplete: true });
  });

  it('gives back what is there when the time is up', async () => {
    const { slug, sessionId } = await openSession(client);
    const result = await client.messages.postAndWait(
      slug,
      sessionId,
      { body: '@recall hello?' },
      { timeout: 2000, pollInterval: 100, replies: 2 },
    );
    expect(result.isComplete).toBe(false);
    expect(result.replies.length).toBeLessThan(2);
  });

  it('stops with the signal, and fails like a post does', async () => {
    const message = { id: 'c1', sessionId: 'c2', parentMessageId: null, mentions: ['model'] };
    const { baseURL } = await startFake((response, { method }) =>
      succeed(
        response,
        method === 'POST' ? message : { items: [], hasMore: false, nextBefore: null },
      ),
    );
    const signal = AbortSignal.timeout(300);
    const options = { pollInterval: 50, signal };
    const waiting = connect({ baseURL }).messages.postAndWait(
      's',
      'c2',
      { body: '@model' },
      options,
    );
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(signal.aborted).toBe(true);

    const { slug, sessionId } = await openSession(client);
    await client.sessions.archive(slug, sessionId);
    await failure(client.messages.postAndWait(slug, sessionId, { body: '@model' }), ConflictError);
  });
});
