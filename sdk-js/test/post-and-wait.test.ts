import { describe, expect, it } from 'vitest';
import { ConflictError } from '../src/index.ts';
import { connect, failure, openSession } from './harness/client.ts';
import { startFake, succeed } from './harness/fake.ts';

const client = connect();

const questionOf = (...mentions: string[]) => ({
  id: 'c1',
  sessionId: 'c2',
  parentMessageId: null,
  pendingReplies: mentions.map((mention) => ({ mention, startedAt: '2026-11-15T09:30:00.000Z' })),
});

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

  it('returns at once if nobody answers', async () => {
    const { slug, sessionId } = await openSession(client);
    const result = await client.messages.postAndWait(slug, sessionId, { body: 'Hello @alice' });
    expect(result).toMatchObject({ replies: [], isComplete: true });
  });

  it('polls the message, and lists the replies when fewer are pending', async () => {
    const reply = (id: string) => ({ id, inReplyToMessageId: 'c1' });
    const list = (...items: object[]) => ({ items, hasMore: false, nextBefore: null });
    const script = [
      questionOf('model', 'gpt'),
      questionOf('model', 'gpt'),
      questionOf('gpt'),
      list(reply('r1'), questionOf('gpt'), reply('older')),
      questionOf(),
      list(reply('r2'), reply('r1'), questionOf()),
    ];
    const paths: (string | undefined)[] = [];
    const { baseURL } = await startFake((response, { url }) => {
      succeed(response, script[paths.length] ?? {});
      paths.push(url);
    });
    const result = await connect({ baseURL }).messages.postAndWait(
      's',
      'c2',
      { body: '@model @gpt' },
      { pollInterval: 10 },
    );
    expect(result.replies.map(({ id }) => id)).toEqual(['r1', 'r2']);
    expect(result.isComplete).toBe(true);
    expect(paths.map((path) => path?.split('/').at(-1))).toEqual([
      'messages',
      'c1',
      'c1',
      'messages',
      'c1',
      'messages',
    ]);
  });

  it('sends the ETag of the question, and reads nothing while it is the same', async () => {
    const { baseURL, seen } = await startFake((response, { url, headers }, n) => {
      response.setHeader('ETag', n < 5 ? '"a"' : '"b"');
      if (headers['if-none-match'] === '"a"' && n < 5) response.writeHead(304).end();
      else if (url.endsWith('/messages') && n > 1) {
        succeed(response, { items: [{ id: 'r1', inReplyToMessageId: 'c1' }], hasMore: false });
      } else succeed(response, n < 5 ? questionOf('model') : questionOf());
    });
    const wait = { pollInterval: 10 };
    const body = { body: '@model' };
    const result = await connect({ baseURL }).messages.postAndWait('s', 'c2', body, wait);
    expect(result).toMatchObject({ replies: [{ id: 'r1' }], isComplete: true });
    const sent = seen.map(({ headers }) => headers['if-none-match']);
    expect(sent).toEqual([undefined, undefined, '"a"', '"a"', '"a"', undefined]);
  });

  it('returns the replies so far after the timeout', async () => {
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
    const { baseURL } = await startFake((response) => succeed(response, questionOf('model')));
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
