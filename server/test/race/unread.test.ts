import { afterAll, beforeAll, expect, it } from 'vitest';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServers, type ServerProcess } from './processes.ts';

const ROUNDS = 12;
const POSTS = 6;

let shared: Shared;
let servers: ServerProcess[];

beforeAll(async () => {
  shared = await createShared();
  servers = await startServers(2, { DATABASE_URL: shared.url });
});
afterAll(async () => {
  await killAll();
  await shared.drop();
});

const any = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T;

async function send(method: string, path: string, key: string, body?: object) {
  const reply = await any(servers).call(method, path, { key, ...(body && { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json?.data;
}

/** A post: before `started` nobody can have read it, and after `ended` everybody who reads on has. */
interface Posted {
  id: string;
  isReply: boolean;
  started: number;
  ended: number;
}

it('stays right while two windows read, on two processes, and somebody else posts', async () => {
  const { owner, member } = shared.org;
  const { slug } = await send('POST', '/api/projects', owner.key, { name: 'Race' });
  const sessions = `/api/spaces/${slug}/sessions`;
  const { id: sessionId } = await send('POST', sessions, owner.key, { name: 'Race' });
  const session = `${sessions}/${sessionId}`;
  // The reader began the thread, so that its replies wait for them.
  const { id: parentMessageId } = await send('POST', `${session}/messages`, member.key, {
    body: 'Question',
  });
  let now = 0;
  const posted: Posted[] = [];
  /** The furthest that any window has read, by position: in the session and in the thread. */
  const read = { session: 0, thread: 0 };
  const positions = new Map<string, number>();
  const learnPositions = async () => {
    const rows = await shared.db.query<{ id: string; position: number }>(
      'SELECT id, position FROM messages WHERE org_id = $1 AND session_id = $2',
      [shared.org.orgId, sessionId],
    );
    for (const { id, position } of rows) positions.set(id, position);
  };
  const positionOf = ({ id }: { id: string }) => positions.get(id) ?? 0;
  /** Everything that a window knows about is marked in any order: the newest must win. */
  const readSome = async (): Promise<void> => {
    const target = any(posted);
    if (!target) return;
    const inThread = target.isReply && { parentMessageId };
    await send('PUT', `${session}/read`, member.key, { messageId: target.id, ...inThread });
    const place = target.isReply ? 'thread' : 'session';
    await learnPositions();
    read[place] = Math.max(read[place], positionOf(target));
  };
  const post = async (isReply: boolean): Promise<void> => {
    const started = ++now;
    const { id } = await send('POST', `${session}/messages`, owner.key, {
      body: 'News',
      ...(isReply && { parentMessageId }),
    });
    posted.push({ id, isReply, started, ended: ++now });
  };
  const unread = async () => {
    const { items, unreadTotal } = await send('GET', '/api/sessions', member.key);
    expect(items[0].unreadCount).toBe(unreadTotal);
    return unreadTotal as number;
  };
  const isAbove = (each: Posted) => positionOf(each) > read[each.isReply ? 'thread' : 'session'];

  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      [() => Promise.all([post(false), post(true)]), readSome, readSome].map(async (act) => {
        for (let at = 0; at < POSTS; at++) await act();
      }),
    );
    await learnPositions();
    expect(await unread()).toBe(posted.filter(isAbove).length);

    // Everything is marked as read while more arrives: nothing that was there stays, nothing later is lost.
    const arriving = [post(false), post(true)];
    const began = ++now;
    await send('PUT', '/api/sessions/read', member.key);
    const done = ++now;
    await Promise.all([...arriving, post(false), post(true)]);
    const [least, most] = [
      posted.filter(({ started }) => started > done).length,
      posted.filter(({ ended }) => ended > began).length,
    ];
    const counted = await unread();
    expect(counted).toBeGreaterThanOrEqual(least);
    expect(counted).toBeLessThanOrEqual(most);
    await send('PUT', '/api/sessions/read', member.key);
    expect(await unread()).toBe(0);
    await learnPositions();
    read.session = read.thread = Math.max(...positions.values());
  }
});
