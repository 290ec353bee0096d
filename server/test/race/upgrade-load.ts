import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/db/types.ts';
import type { Reply } from '../harness/clients/client.ts';
import { post, type Post } from './cluster.ts';
import type { ServerProcess } from './processes.ts';

/** A message as every process must show it. */
interface Shown {
  body: string;
  isDeleted: boolean;
  reactions: number;
  replyCount: number;
}

const EMOJI = '🚀';
const any = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T;

export type Load = Awaited<ReturnType<typeof createLoad>>;

/** Clients that write to one session and to memory, through whichever server is in `servers` at the time. */
export async function createLoad(servers: readonly ServerProcess[], key: string) {
  const messages = new Map<string, Shown>();
  const questions = new Set<string>();
  const memories = new Map<string, string>();
  const waiting = new Set<() => void>();
  let finished = 0;
  const stopping = new AbortController();
  let failure: unknown;

  async function call(
    server: ServerProcess,
    method: string,
    path: string,
    body?: object,
    etag = '',
  ) {
    const headers: Record<string, string> = etag === '' ? {} : { 'if-none-match': etag };
    const reply = await server.call(method, path, { key, headers, ...(body && { body }) });
    return successful(reply);
  }

  /** Each to one server, or the same one to all of them at the same time. */
  async function create(path: string, body: object): Promise<string> {
    const request: Post = { key, idempotencyKey: randomUUID(), path, body };
    const targets = Math.random() < 0.5 ? servers.slice() : [any(servers)];
    const replies = await Promise.all(targets.map((server) => post(server, request)));
    expect(new Set(replies.map((reply) => successful(reply).text)).size).toBe(1);
    return replies[0]?.json.data.id;
  }

  const first = any(servers);
  const project = (await call(first, 'POST', '/api/projects', { name: 'Upgraded' })).json.data;
  const space = `/api/spaces/${project.slug}`;
  const session = (await call(first, 'POST', `${space}/sessions`, { name: 'Busy' })).json.data;
  const list = `${space}/sessions/${session.id}/messages`;

  async function postMessage(body: string, parentMessageId?: string): Promise<string> {
    const id = await create(list, { body, ...(parentMessageId && { parentMessageId }) });
    messages.set(id, { body, isDeleted: false, reactions: 0, replyCount: 0 });
    return id;
  }

  /** What one server shows of a message, on a page that it may have kept. */
  async function read(server: ServerProcess, id: string, etag?: string) {
    const reply = await call(server, 'GET', `${list}?around=${id}&limit=5`, undefined, etag);
    const item = reply.json.data.items.find((one: { id: string }) => one.id === id);
    return { shown: shownOf(item), etag: reply.headers.get('etag') ?? '' };
  }

  /** One write of each kind to a message, and how it is shown afterwards. */
  const changes = (id: string, shown: Shown): (() => Promise<void>)[] => {
    const path = `${space}/messages/${id}`;
    const then = (change: Partial<Shown>) => () => void Object.assign(shown, change);
    const body = `edited ${randomUUID()}`;
    const edit = () => call(any(servers), 'PATCH', path, { body }).then(then({ body }));
    const react = () =>
      call(any(servers), 'POST', `${path}/reactions`, { emoji: EMOJI }).then(
        then({ reactions: 1 }),
      );
    const takeBack = () =>
      call(any(servers), 'DELETE', `${path}/reactions/${encodeURIComponent(EMOJI)}`).then(
        then({ reactions: 0 }),
      );
    const reply = () => postMessage(`reply ${randomUUID()}`, id).then(then({ replyCount: 1 }));
    const erase = () =>
      call(any(servers), 'DELETE', path).then(then({ body: '', isDeleted: true, reactions: 0 }));
    return [edit, react, reply, takeBack, react, ...(Math.random() < 0.5 ? [erase] : [])];
  };

  async function round(): Promise<void> {
    const id = await postMessage(`message ${randomUUID()}`);
    const shown = messages.get(id) as Shown;
    for (const change of changes(id, shown)) {
      // Read everywhere before and after, so that a server which keeps the page must see the change.
      const before = new Map<ServerProcess, string>();
      for (const server of servers.slice()) {
        if (servers.includes(server)) before.set(server, (await read(server, id)).etag);
      }
      await change();
      for (const server of servers.slice()) {
        if (!servers.includes(server)) continue;
        const after = await read(server, id, before.get(server));
        expect(after.shown).toEqual(shown);
      }
    }
    const question = await postMessage(`@recall what is ${randomUUID()}?`);
    questions.add(question);
    const content = `A note about ${randomUUID()}`;
    const memory = await create('/api/memory', { content, visibility: 'ORG' });
    memories.set(memory, content);
    for (const server of servers.slice()) {
      if (!servers.includes(server)) continue;
      const listed = await call(server, 'GET', '/api/memory?limit=100');
      expect(listed.json.data.items).toContainEqual(
        expect.objectContaining({ id: memory, content }),
      );
    }
  }

  async function startWriter(): Promise<void> {
    try {
      while (!stopping.signal.aborted) {
        await round();
        finished++;
        for (const check of waiting) check();
      }
    } catch (error) {
      failure ??= error;
      for (const check of waiting) check();
    }
  }

  return {
    startWriter,
    stop: () => stopping.abort(),

    /** Resolves when this many rounds have ended from now on. Rejects if a writer failed. */
    rounds(count: number): Promise<void> {
      const target = finished + count;
      return new Promise((resolve, reject) => {
        const check = () => {
          if (failure === undefined && finished < target) return;
          waiting.delete(check);
          if (failure === undefined) resolve();
          else reject(failure);
        };
        waiting.add(check);
        check();
      });
    },

    /** Everything that was written is there once, and nothing else. */
    async expectComplete(server: ServerProcess, db: Database): Promise<void> {
      await expect
        .poll(
          async () => (await db.query(`SELECT id FROM jobs WHERE kind = 'agent-reply'`)).length,
          {
            timeout: 60_000,
          },
        )
        .toBe(0);
      const items = await readAll(list);
      const answered = items.filter(({ authorKind }) => authorKind === 'AGENT');
      expect(answered).toHaveLength(questions.size);
      expect(new Set(answered.map((reply) => reply.inReplyToMessageId))).toEqual(questions);
      const own = items.filter(({ authorKind }) => authorKind === 'USER');
      expect(new Map(own.map((item) => [item.id, shownOf(item)]))).toEqual(messages);
      expect(items.filter(({ pendingReplies }) => pendingReplies.length > 0)).toEqual([]);
      const kept = await readAll('/api/memory');
      expect(new Map(kept.map(({ id, content }) => [id, content]))).toEqual(memories);
      const [order] = await db.query<{ total: number; last: number }>(
        'SELECT count(DISTINCT position) AS total, max(position) AS last FROM messages',
      );
      expect(order).toEqual({ total: items.length, last: items.length });

      async function readAll(path: string) {
        const all = [];
        for (let before = ''; ;) {
          const { data } = (await call(server, 'GET', `${path}?limit=100${before}`)).json;
          all.push(...data.items);
          if (!data.hasMore) return all;
          before = `&before=${data.nextBefore}`;
        }
      }
    },
  };
}

function shownOf(item: Record<string, never> | undefined): Shown {
  const { body = '', deletedAt = null, reactions = [], replyCount = 0 } = item ?? {};
  return {
    body,
    isDeleted: deletedAt !== null,
    reactions: (reactions as object[]).length,
    replyCount,
  };
}

function successful(reply: Reply): Reply {
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
}
