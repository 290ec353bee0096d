import { expect } from 'vitest';
import { createCaller, type Call } from '../clients/client.ts';
import { addPerson, createTestOrg } from '../factories.ts';
import {
  startEmbeddingsServer,
  type EmbeddingsServer,
} from '../outside/openai-embeddings-server.ts';
import { randomFrom } from '../random.ts';
import { startTestServer, type TestServer } from '../processes/server.ts';

/**
 * Orgs, Projects, people and memories created at random, and a naive model of them: plain arrays, and the
 * rules of who sees what in a few lines. What the server finds and lists is compared with it.
 */
export interface MemoryWorld {
  server: TestServer;
  call: Call;
  orgs: readonly World[];
  searchAtRandom(count: number): Promise<void>;
  listAtRandom(count: number): Promise<void>;
  /** Memories are created, changed, moved and deleted; people join and leave Projects, and change roles. */
  changeAtRandom(count: number): Promise<void>;
  stop(): Promise<void>;
}

export interface World {
  orgId: string;
  /** The last one is a v1 key. */
  callers: ModelCaller[];
  projects: ModelProject[];
  /** Oldest first. */
  memories: ModelMemory[];
}

export interface ModelCaller {
  key: string;
  userId: string | null;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
}

interface ModelProject {
  id: string;
  access: 'ORG' | 'MEMBERS';
  createdById: string;
  members: Set<string>;
}

interface ModelMemory {
  id: string;
  ownerUserId: string | null;
  visibility: 'ORG' | 'PROJECT' | 'PRIVATE';
  projectId: string | null;
  tags: string[];
}

/** The same on every run with the same seed. */
export function createRandom(seed: number) {
  const next = randomFrom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  return { below, pick, isLucky: (chance: number) => next() < chance };
}

const WORDS =
  `price seat plan invoice lunch noodles puppy shelter database machine Frankfurt meeting
  Tuesday budget contract lawyer garden tomato bicycle accident doctor holiday Lisbon train ticket
  password server backup movie concert guitar lesson recipe bread oven marathon training`.split(
    /\s+/,
  );
const TAGS = ['red', 'green', 'blue'];
const MEMORIES_PER_ORG = 45;
const VISIBILITIES = ['ORG', 'PROJECT', 'PRIVATE'] as const;

export async function startMemoryWorld(seed: number): Promise<MemoryWorld> {
  const random = createRandom(seed);
  const embeddings: EmbeddingsServer = await startEmbeddingsServer(64);
  const server = await startTestServer({
    env: { EMBEDDINGS: 'openai:words:64', OPENAI_BASE_URL: embeddings.baseUrl },
  });
  const call = createCaller(server.origin);
  const text = (length: number) => Array.from({ length }, () => random.pick(WORDS)).join(' ');
  const queries = Array.from({ length: 40 }, () => text(1 + random.below(4)));
  const orgs: World[] = [];

  async function createWorld(): Promise<World> {
    const org = await createTestOrg(server.db);
    const people = [org.owner, org.admin, org.member];
    for (let at = 0; at < 2; at++) people.push(await addPerson(server.db, org.orgId, 'MEMBER'));
    const callers: ModelCaller[] = people.map(({ key, userId }, at) => ({
      key,
      userId,
      role: (['OWNER', 'ADMIN'] as const)[at] ?? 'MEMBER',
    }));
    callers.push({ key: org.orgKey, userId: null, role: 'OWNER' });
    const world: World = { orgId: org.orgId, callers, projects: [], memories: [] };
    for (const access of ['ORG', 'MEMBERS', 'MEMBERS'] as const) await createProject(world, access);
    for (let at = 0; at < MEMORIES_PER_ORG; at++) await createMemory(world);
    return world;
  }

  async function createProject(world: World, access: ModelProject['access']): Promise<void> {
    const creator = random.pick(world.callers.slice(0, -1));
    const body = { name: `Project ${world.projects.length}`, access };
    const { json } = await call('POST', '/api/projects', { key: creator.key, body });
    world.projects.push({
      id: json.data.id,
      access,
      createdById: creator.userId ?? '',
      members: new Set(),
    });
  }

  /** A visibility and Project in which the caller may create a memory. */
  function randomPlace(world: World, caller: ModelCaller) {
    const projects = world.projects.filter((project) => isIn(caller, project));
    const visibility = random.pick(caller.userId === null ? ['ORG', 'PROJECT'] : VISIBILITIES);
    const hasProject = visibility === 'PROJECT' || random.isLucky(0.5);
    return { visibility, projectId: hasProject ? random.pick(projects).id : null };
  }

  async function createMemory(world: World): Promise<void> {
    const caller = random.pick(world.callers);
    const place = randomPlace(world, caller);
    const tags = TAGS.filter(() => random.isLucky(0.4));
    const body = { content: text(3 + random.below(12)), ...place, tags };
    const reply = await call('POST', path(caller), { key: caller.key, body });
    expect(reply.status, reply.text).toBe(201);
    world.memories.push({ ...reply.json.data });
  }

  async function changeMemory(world: World): Promise<void> {
    const memory = random.pick(world.memories);
    const caller = world.callers.find(({ userId }) => userId === memory.ownerUserId);
    if (!caller || !isVisible(world, caller, memory)) return;
    const isMove = random.isLucky(0.6);
    const body = isMove ? randomPlace(world, caller) : { content: text(5) };
    const reply = await call('PATCH', path(caller, `/${memory.id}`), { key: caller.key, body });
    expect(reply.status, reply.text).toBe(200);
    Object.assign(memory, reply.json.data);
  }

  async function deleteMemory(world: World): Promise<void> {
    const memory = random.pick(world.memories);
    const caller = world.callers.find(({ userId }) => userId === memory.ownerUserId);
    if (!caller || !isVisible(world, caller, memory)) return;
    const reply = await call('DELETE', path(caller, `/${memory.id}`), { key: caller.key });
    expect(reply.status, reply.text).toBe(204);
    world.memories.splice(world.memories.indexOf(memory), 1);
  }

  async function changeMembership(world: World): Promise<void> {
    const project = random.pick(world.projects.filter(({ access }) => access === 'MEMBERS'));
    const { userId } = random.pick(world.callers.slice(0, -1));
    if (userId === null) return;
    const isIn = project.members.has(userId);
    const member = `/api/projects/${project.id}/members/${userId}`;
    const key = world.callers[0]?.key ?? '';
    const reply = await call(isIn ? 'DELETE' : 'PUT', member, { key });
    expect(reply.status, reply.text).toBe(isIn ? 204 : 200);
    if (isIn) project.members.delete(userId);
    else project.members.add(userId);
  }

  async function changeRole(world: World): Promise<void> {
    const caller = random.pick(world.callers.slice(1, -1));
    const role = random.pick(['ADMIN', 'MEMBER', 'MEMBER'] as const);
    const member = `/api/org/${world.orgId}/members/${caller.userId}`;
    const key = world.callers[0]?.key ?? '';
    const reply = await call('PATCH', member, { key, body: { role } });
    expect(reply.status, reply.text).toBe(200);
    caller.role = role;
  }

  /** A filter, and the memories that the model keeps. */
  function randomFilter(world: World, caller: ModelCaller, tagName: 'tags' | 'tag') {
    const projects = world.projects.filter((project) => isIn(caller, project));
    const visibility = random.isLucky(0.3) ? random.pick(VISIBILITIES) : undefined;
    const projectId = random.isLucky(0.3) ? random.pick(projects).id : undefined;
    const tag = random.isLucky(0.3) ? random.pick(TAGS) : undefined;
    const expected = world.memories.filter(
      (memory) =>
        isVisible(world, caller, memory) &&
        (visibility === undefined || memory.visibility === visibility) &&
        (projectId === undefined || memory.projectId === projectId) &&
        (tag === undefined || memory.tags.includes(tag)),
    );
    const filter = {
      ...(visibility && { visibility }),
      ...(projectId && { projectId }),
      ...(tag && { [tagName]: tagName === 'tags' ? [tag] : tag }),
    };
    return { filter, expected: expected.map(({ id }) => id) };
  }

  /** While nothing changes, a caller's query gives a memory the same score whatever else is requested. */
  const scores = new Map<string, unknown>();

  async function searchOnce(): Promise<void> {
    const world = random.pick(orgs);
    const caller = random.pick(world.callers);
    const { filter, expected } = randomFilter(world, caller, 'tags');
    const query = random.pick(queries);
    const limit = random.isLucky(0.7) ? 100 : 1 + random.below(20);
    const body = { query, limit, ...filter };
    const reply = await call('POST', path(caller, '/search'), { key: caller.key, body });
    expect(reply.status, reply.text).toBe(200);
    const { items, total, degraded } = reply.json.data;
    const found = (items as { id: string }[]).map(({ id }) => id);
    expect([degraded, total]).toEqual([false, found.length]);
    const unexpected = found.filter((id) => !expected.includes(id));
    expect(unexpected, JSON.stringify([caller, body])).toEqual([]);
    expect(new Set(found).size).toBe(Math.min(limit, expected.length));
    for (const { id, score, scores: parts } of items) {
      const name = [caller.key, query, id].join('/');
      const marks = JSON.stringify([score, parts]);
      expect(scores.get(name) ?? marks).toBe(marks);
      scores.set(name, marks);
    }
  }

  async function listOnce(): Promise<void> {
    const world = random.pick(orgs);
    const caller = random.pick(world.callers);
    const { filter, expected } = randomFilter(world, caller, 'tag');
    const limit = 1 + random.below(40);
    const found: string[] = [];
    let before: string | null = null;
    do {
      const page: Record<string, string> = { limit: String(limit), ...(before && { before }) };
      const query = new URLSearchParams({ ...page, ...filter }).toString();
      const reply = await call('GET', path(caller, `?${query}`), { key: caller.key });
      expect(reply.status, reply.text).toBe(200);
      found.push(...reply.json.data.items.map(({ id }: { id: string }) => id));
      before = reply.json.data.nextBefore;
    } while (before !== null);
    expect(found).toEqual(expected.toReversed());
  }

  for (let at = 0; at < 2; at++) orgs.push(await createWorld());
  return {
    server,
    call,
    orgs,
    searchAtRandom: (count) => inParallel(count, searchOnce),
    listAtRandom: (count) => inParallel(count, listOnce),
    async changeAtRandom(count) {
      scores.clear();
      const changes = [
        createMemory,
        changeMemory,
        changeMemory,
        deleteMemory,
        changeMembership,
        changeRole,
      ];
      for (let at = 0; at < count; at++) await random.pick(changes)(random.pick(orgs));
    },
    async stop() {
      await server.stop();
      await embeddings.close();
    },
  };
}

function path({ userId }: ModelCaller, rest = ''): string {
  return userId === null ? `/api/v1/memories${rest}` : `/api/memory${rest}`;
}

/** The rule, as the contract states it. */
function isVisible(world: World, caller: ModelCaller, memory: ModelMemory): boolean {
  if (memory.visibility === 'ORG') return true;
  if (memory.visibility === 'PRIVATE') {
    return caller.userId !== null && memory.ownerUserId === caller.userId;
  }
  const project = world.projects.find(({ id }) => id === memory.projectId);
  return project !== undefined && isIn(caller, project);
}

function isIn({ userId, role }: ModelCaller, project: ModelProject): boolean {
  if (project.access === 'ORG' || role !== 'MEMBER') return true;
  return userId !== null && (project.createdById === userId || project.members.has(userId));
}

/** A few at a time, so that batches and connections are shared as in production. */
async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  let started = 0;
  const run = async () => {
    while (started++ < count) await work();
  };
  await Promise.all(Array.from({ length: 6 }, run));
}
