import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { addPerson, createTestOrg, type Person } from '../../../../test/harness/factories.ts';
import { useTestServer } from '../../../../test/harness/processes/use-test-server.ts';

const server = useTestServer();
let people: Person[];
let projectId: string;

const SPACE = '/api/spaces/model';
const members = (who: number) => `/api/projects/${projectId}/members/${people[who]?.userId}`;

beforeAll(async () => {
  const { orgId, owner } = await createTestOrg(server.db);
  people = [
    owner,
    await addPerson(server.db, orgId, 'MEMBER'),
    await addPerson(server.db, orgId, 'MEMBER'),
  ];
  const body = { name: 'Model', access: 'MEMBERS' };
  projectId = (await send(0, 'POST', '/api/projects', body)).json.data.id;
});

function send(who: number, method: string, path: string, body?: object) {
  return server.call(method, path, { key: people[who]?.key ?? '', ...(body && { body }) });
}

interface Modelled {
  id: string;
  author: number;
  /** The position of the first message of its thread. */
  parent: number | undefined;
  isDeleted: boolean;
}

/** How far somebody has read, by position; and in which of their stays they set it back. */
interface Mark {
  position: number;
  setBackIn?: number;
}

interface Reader {
  isIn: boolean;
  /** How often they have joined. */
  stay: number;
  /** Nothing up to here counts: it was said before they joined. */
  floor: number;
  mark: Mark;
  threads: Map<number, Mark & { takesPart: boolean }>;
}

function isUnread(reader: Reader, who: number, message: Modelled, position: number): boolean {
  if (message.author === who || message.isDeleted) return false;
  const counts = ({ setBackIn }: Mark) => position > reader.floor || setBackIn === reader.stay;
  const thread = message.parent === undefined ? undefined : reader.threads.get(message.parent);
  if (thread && position <= thread.position) return false;
  if (thread?.takesPart && counts(thread)) return true;
  return position > reader.mark.position && counts(reader.mark);
}

const KINDS = ['post', 'reply', 'reply', 'delete', 'read', 'read-thread', 'unread', 'read-all'];
const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(...KINDS),
      who: fc.nat(2),
      at: fc.nat(20),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move'),
      who: fc.integer({ min: 1, max: 2 }),
      at: fc.nat(0),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

class World {
  readonly messages: Modelled[] = [];
  readonly readers: Reader[];
  readonly session: string;

  constructor(session: string) {
    this.session = `${SPACE}/sessions/${session}`;
    this.readers = people.map((_, who) => ({
      isIn: who === 0,
      stay: 0,
      floor: 0,
      mark: { position: 0 },
      threads: new Map(),
    }));
  }

  /** Does it to the server and to the model. */
  async act({ kind, who, at }: Action): Promise<void> {
    const reader = this.readers[who] as Reader;
    if (kind === 'move') return this.move(reader, who);
    if (!reader.isIn) return;
    const nth = at % Math.max(1, this.messages.length);
    const target = this.messages[nth];
    const position = nth + 1;
    if (kind === 'post') return this.post(who, undefined);
    if (!target) return;
    if (kind === 'reply') return this.post(who, target.parent ?? position);
    if (kind === 'read-all') return this.readAll(reader, who);
    if (kind === 'delete') {
      await send(0, 'DELETE', `${SPACE}/messages/${target.id}`);
      target.isDeleted = true;
    } else if (kind === 'read') {
      await send(who, 'PUT', `${this.session}/read`, { messageId: target.id });
      reader.mark.position = Math.max(reader.mark.position, position);
    } else if (kind === 'read-thread') {
      const parent = target.parent ?? position;
      const parentMessageId = this.messages[parent - 1]?.id;
      await send(who, 'PUT', `${this.session}/read`, { messageId: target.id, parentMessageId });
      const thread = reader.threads.get(parent) ?? { position: 0, takesPart: false };
      reader.threads.set(parent, { ...thread, position: Math.max(thread.position, position) });
    } else {
      await send(who, 'PUT', `${this.session}/unread`, { messageId: target.id });
      const back = { position: position - 1, setBackIn: reader.stay };
      if (target.parent === undefined) reader.mark = back;
      else reader.threads.set(target.parent, { ...back, takesPart: true });
    }
  }

  private async move(reader: Reader, who: number): Promise<void> {
    await send(0, reader.isIn ? 'DELETE' : 'PUT', members(who));
    reader.isIn = !reader.isIn;
    if (!reader.isIn) return;
    reader.stay += 1;
    reader.floor = this.messages.length;
  }

  private async post(who: number, parent: number | undefined): Promise<void> {
    const parentMessageId = parent && this.messages[parent - 1]?.id;
    const draft = { body: 'x', ...(parentMessageId && { parentMessageId }) };
    const { json } = await send(who, 'POST', `${this.session}/messages`, draft);
    this.messages.push({ id: json.data.id, author: who, parent, isDeleted: false });
    if (parent === undefined) return;
    const starter = this.messages[parent - 1]?.author ?? 0;
    for (const person of new Set([who, starter])) {
      const { threads, mark } = this.readers[person] as Reader;
      const thread = threads.get(parent) ?? { position: mark.position };
      threads.set(parent, { ...thread, takesPart: true });
    }
  }

  private async readAll(reader: Reader, who: number): Promise<void> {
    await send(who, 'PUT', '/api/sessions/read');
    reader.mark.position = this.messages.length;
    for (const thread of reader.threads.values()) {
      if (thread.takesPart) thread.position = this.messages.length;
    }
  }

  /** What the server says to each of them. */
  async check(): Promise<void> {
    for (const [who, reader] of this.readers.entries()) {
      const { json } = await send(who, 'GET', '/api/sessions?limit=100');
      const listed = json.data.items.find(({ id }: { id: string }) => this.session.endsWith(id));
      const unread = this.messages.filter((message, nth) =>
        isUnread(reader, who, message, nth + 1),
      );
      expect(listed?.unreadCount).toBe(reader.isIn ? unread.length : undefined);
      if (!reader.isIn) continue;
      const { unreadCount, firstUnreadMessageId } = (await send(who, 'GET', this.session)).json
        .data;
      expect(unreadCount).toBe(unread.length);
      const first = unread.find(({ parent }) => parent === undefined);
      expect(firstUnreadMessageId).toBe(first?.id ?? null);
    }
  }
}

it('counts what a naive model counts, after any posts, replies, reads, joins and departures', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 25 }), async (actions) => {
      for (const who of [1, 2]) await send(0, 'DELETE', members(who));
      const opened = await send(0, 'POST', `${SPACE}/sessions`, { name: 's' });
      const world = new World(opened.json.data.id);
      for (const who of [1, 2]) await world.act({ kind: 'move', who, at: 0 });
      for (const doing of actions) {
        await world.act(doing);
        await world.check();
      }
      await send(0, 'DELETE', world.session);
    }),
    { numRuns: 4 },
  );
});
