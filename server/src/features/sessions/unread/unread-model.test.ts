import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { addPerson, createTestOrg, type Person } from '../../../../test/harness/factories.ts';
import { useTestServer } from '../../../../test/harness/processes/use-test-server.ts';

const server = useTestServer();
let people: Person[];
let projectId: string;
let handles: string[];

let orgId: string;

const SPACE = '/api/spaces/model';
const members = (who: number) => `/api/projects/${projectId}/members/${people[who]?.userId}`;

beforeAll(async () => {
  const created = await createTestOrg(server.db);
  orgId = created.orgId;
  await meetPeople(created.owner);
  const body = { name: 'Model', access: 'MEMBERS' };
  projectId = (await send(0, 'POST', '/api/projects', body)).json.data.id;
});

/** The first of them, and two others. */
async function meetPeople(first: Person): Promise<void> {
  people = [
    first,
    await addPerson(server.db, orgId, 'MEMBER'),
    await addPerson(server.db, orgId, 'MEMBER'),
  ];
  const ofPeople = await Promise.all(people.map((_, who) => send(who, 'GET', '/api/me')));
  handles = ofPeople.map(({ json }) => json.data.handle);
}

const send = (who: number, method: string, path: string, body?: object) =>
  server.call(method, path, people[who], body);

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
  isParticipant: boolean;
  /** They chose to follow, or were mentioned. */
  hasChosen: boolean;
  hasLeft: boolean;
  level: string;
  /** How often they have joined. */
  stay: number;
  /** Nothing up to here counts: it was said before they joined. */
  floor: number;
  mark: Mark;
  threads: Map<number, Mark & { takesPart: boolean }>;
}

/** The rule, as the contract states it. */
function isFollowed({ isForEveryone }: World, reader: Reader): boolean {
  const isUnasked = isForEveryone || reader.isParticipant;
  return reader.hasChosen || (isUnasked && !reader.hasLeft);
}

function isUnread(reader: Reader, who: number, message: Modelled, position: number): boolean {
  if (message.author === who || message.isDeleted) return false;
  const counts = ({ setBackIn }: Mark) => position > reader.floor || setBackIn === reader.stay;
  const thread = message.parent === undefined ? undefined : reader.threads.get(message.parent);
  if (thread && position <= thread.position) return false;
  if (thread?.takesPart && counts(thread)) return true;
  return position > reader.mark.position && counts(reader.mark);
}

const KINDS = `post reply reply delete read read-thread unread read-all
  mention follow leave level add everyone`.split(/\s+/);
const LEVELS = ['ALL', 'MENTIONS', 'NONE'];
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
  readonly space: string;
  isForEveryone: boolean;

  constructor({ id, isForEveryone, kind }: { id: string; isForEveryone: boolean; kind: string }) {
    const isDirect = kind === 'DIRECT';
    this.space = isDirect ? '/api/spaces/direct' : SPACE;
    this.session = `${this.space}/sessions/${id}`;
    this.isForEveryone = isForEveryone;
    this.readers = people.map((_, who) => ({
      isIn: isDirect || who === 0,
      isParticipant: isDirect || who === 0,
      hasChosen: false,
      hasLeft: false,
      level: 'ALL',
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
    if (['follow', 'leave', 'level'].includes(kind)) return this.choose(kind, reader, who, at);
    if (kind === 'everyone') return this.openToEveryone();
    if (kind === 'mention') return this.mention(who, at % 3);
    if (kind === 'add') return this.addParticipant(at % 3);
    if (!target) return;
    if (kind === 'reply') return this.post(who, target.parent ?? position);
    if (kind === 'read-all') return this.readAll(reader, who);
    if (kind === 'delete') {
      await send(0, 'DELETE', `${this.space}/messages/${target.id}`);
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

  private async choose(kind: string, reader: Reader, who: number, at: number): Promise<void> {
    const path = `${this.session}/follow`;
    if (kind === 'leave') {
      await send(who, 'DELETE', path);
      Object.assign(reader, { isParticipant: false, hasChosen: false, hasLeft: true });
      return;
    }
    if (kind === 'level') reader.level = LEVELS[at % 3] ?? '';
    const { json } = await send(who, 'PUT', path, kind === 'level' ? { level: reader.level } : {});
    expect(json.data.level).toBe(reader.level);
    if (isFollowed(this, reader)) return;
    const position = this.messages.length;
    this.start(reader, position);
    for (const thread of reader.threads.values()) {
      if (thread.takesPart) thread.position = Math.max(thread.position, position);
    }
  }

  /** Whoever begins to follow has read what was said before. */
  private start(reader: Reader, position: number): void {
    if (isFollowed(this, reader)) return;
    reader.mark.position = Math.max(reader.mark.position, position);
    reader.hasChosen = true;
  }

  private async openToEveryone(): Promise<void> {
    this.isForEveryone = !this.isForEveryone;
    await send(0, 'PATCH', this.session, { isForEveryone: this.isForEveryone });
  }

  private async mention(who: number, whom: number): Promise<void> {
    await this.post(who, undefined, `@${handles[whom]}`);
    const mentioned = this.readers[whom] as Reader;
    if (mentioned.isIn && whom !== who) this.start(mentioned, this.messages.length - 1);
  }

  private async addParticipant(whom: number): Promise<void> {
    const added = this.readers[whom] as Reader;
    if (!added.isIn) return;
    if (!added.isParticipant) added.hasLeft = false;
    added.isParticipant = true;
    const participantUserIds = people.flatMap(({ userId }, at) =>
      this.readers[at]?.isParticipant ? userId : [],
    );
    await send(0, 'PATCH', this.session, { participantUserIds });
  }

  private async move(reader: Reader, who: number): Promise<void> {
    await send(0, reader.isIn ? 'DELETE' : 'PUT', members(who));
    reader.isIn = !reader.isIn;
    reader.isParticipant = false;
    if (!reader.isIn) return;
    reader.stay += 1;
    reader.floor = this.messages.length;
  }

  private async post(who: number, parent: number | undefined, body = 'x'): Promise<void> {
    const parentMessageId = parent && this.messages[parent - 1]?.id;
    const draft = { body, ...(parentMessageId && { parentMessageId }) };
    const { json } = await send(who, 'POST', `${this.session}/messages`, draft);
    this.messages.push({ id: json.data.id, author: who, parent, isDeleted: false });
    Object.assign(this.readers[who] as Reader, { isParticipant: true, hasLeft: false });
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
    if (!isFollowed(this, reader)) return;
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
      const follows = isFollowed(this, reader);
      const unread = this.messages.filter(
        (message, nth) => follows && isUnread(reader, who, message, nth + 1),
      );
      expect(listed?.unreadCount).toBe(reader.isIn ? unread.length : undefined);
      if (!reader.isIn) continue;
      const ofPerson = (await send(who, 'GET', '/api/sessions?followed=true&limit=100')).json.data;
      const own = ofPerson.items.filter(({ id }: { id: string }) => this.session.endsWith(id));
      expect(own).toEqual(follows ? [listed] : []);
      const shown = (await send(who, 'GET', this.session)).json.data;
      const { unreadCount, isFollowed: isShownFollowed, firstUnreadMessageId } = shown;
      expect([isShownFollowed, unreadCount]).toEqual([follows, unread.length]);
      const first = unread.find(({ parent }) => parent === undefined);
      expect(firstUnreadMessageId).toBe(first?.id ?? null);
    }
  }
}

it('counts what a naive model counts, whoever writes, reads, follows, leaves or joins', async () => {
  const property = fc.asyncProperty(
    fc.array(action, { minLength: 15, maxLength: 25 }),
    async (actions) => {
      for (const who of [1, 2]) await send(0, 'DELETE', members(who));
      const opened = await send(0, 'POST', `${SPACE}/sessions`, { name: 's' });
      const world = new World(opened.json.data);
      for (const who of [1, 2]) await world.act({ kind: 'move', who, at: 0 });
      for (const doing of actions) {
        await world.act(doing);
        await world.check();
      }
      await send(0, 'DELETE', world.session);
    },
  );
  await fc.assert(property, { numRuns: 4 });
});

/** What changes neither who belongs to a direct conversation nor whether they follow it. */
const inDirect = action.filter(({ kind }) => !['move', 'leave', 'add', 'everyone'].includes(kind));

it('counts what the model counts in direct conversations, which everybody in them follows', async () => {
  const property = fc.asyncProperty(
    fc.array(inDirect, { minLength: 15, maxLength: 25 }),
    async (actions) => {
      await meetPeople(people[0] as Person);
      const userIds = people.slice(1).map(({ userId }) => userId);
      const world = new World((await send(0, 'POST', '/api/direct', { userIds })).json.data);
      for (const doing of actions) {
        await world.act(doing);
        await world.check();
      }
    },
  );
  await fc.assert(property, { numRuns: 2 });
});
