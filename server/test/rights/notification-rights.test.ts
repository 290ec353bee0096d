import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaller, type Call } from '../harness/clients/client.ts';
import { addPerson, createTestOrg } from '../harness/factories.ts';
import { createRandom } from '../harness/models/memory-world.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';
import { tellEverybody } from '../harness/stages/tell-everybody.ts';

/**
 * Two orgs that change at random: people join and leave Projects, change roles, follow and leave sessions, choose levels, write, to everyone at times, reply,
 * delete, assign and finish tasks, and read. What each person is told is compared with a naive model in plain
 * arrays.
 */
interface ModelPerson {
  key: string;
  userId: string;
  handle: string;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** Newest last. */
  told: Told[];
}

interface Told {
  /** The id of the message or task. */
  about: string;
  kind: string;
  isRead: boolean;
}

interface ModelProject {
  id: string;
  slug: string;
  sessionId: string;
  access: 'ORG' | 'MEMBERS';
  createdById: string;
  members: Set<string>;
  levels: Map<string, string>;
  left: Set<string>;
}

interface ModelMessage {
  id: string;
  project: ModelProject;
  authorId: string;
  parent: ModelMessage | null;
  isDeleted: boolean;
}

interface ModelTask {
  id: string;
  project: ModelProject;
  createdById: string;
  assigneeId: string | null;
}

interface World {
  orgId: string;
  people: ModelPerson[];
  projects: ModelProject[];
  messages: ModelMessage[];
  /** Those that are not finished are in the first list. */
  tasks: { open: ModelTask[]; finished: ModelTask[] };
}

const CHANGES = Number(process.env['NOTIFICATIONS_CHANGES'] ?? 100);
const random = createRandom(Number(process.env['NOTIFICATIONS_SEED'] ?? 19));
let server: TestServer;
let call: Call;
const worlds: World[] = [];

beforeAll(async () => {
  server = await startTestServer();
  call = createCaller(server.origin);
  for (let at = 0; at < 2; at++) worlds.push(await createWorld());
});
afterAll(() => server.stop());

async function send(person: ModelPerson, method: string, path: string, body?: object) {
  const reply = await call(method, `/api${path}`, { key: person.key, ...(body && { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json?.data;
}

async function createWorld(): Promise<World> {
  const org = await createTestOrg(server.db);
  const members = [org.owner, org.admin, org.member];
  for (let at = 0; at < 3; at++) members.push(await addPerson(server.db, org.orgId, 'MEMBER'));
  const people = members.map(({ key, userId }, at): ModelPerson => {
    const role = (['OWNER', 'ADMIN'] as const)[at] ?? 'MEMBER';
    return { key, userId, handle: '', role, told: [] };
  });
  for (const person of people) person.handle = (await send(person, 'GET', '/me')).handle;
  const tasks = { open: [], finished: [] };
  const world: World = { orgId: org.orgId, people, projects: [], messages: [], tasks };
  for (const access of ['ORG', 'MEMBERS', 'MEMBERS'] as const) {
    const creator = random.pick(people);
    const body = { name: `Project ${world.projects.length}`, access };
    const { id, slug } = await send(creator, 'POST', '/projects', body);
    const sessions = `/spaces/${slug}/sessions`;
    const session = await send(creator, 'POST', sessions, { name: 'Talk' });
    const { userId: createdById } = creator;
    const sets = { members: new Set<string>(), left: new Set<string>(), levels: new Map() };
    world.projects.push({ id, slug, access, createdById, sessionId: session.id, ...sets });
  }
  return world;
}

/** The rule, as the contract states it. */
function isIn({ userId, role }: ModelPerson, project: ModelProject): boolean {
  if (project.access === 'ORG' || role !== 'MEMBER') return true;
  return project.createdById === userId || project.members.has(userId);
}

async function post(world: World): Promise<void> {
  const project = random.pick(world.projects);
  const author = random.pick(world.people.filter((person) => isIn(person, project)));
  const threads = world.messages.filter(
    (message) => message.project === project && !message.parent,
  );
  const parent = random.isLucky(0.5) && threads.length > 0 ? random.pick(threads) : null;
  const mentioned = world.people.filter(() => random.isLucky(0.3));
  const isToAll = random.isLucky(0.3);
  const words = [...mentioned.map(({ handle }) => handle), ...(isToAll ? ['everyone'] : [])];
  const body = `Hello ${words.map((word) => `@${word}`).join(' ')}`;
  const path = `/spaces/${project.slug}/sessions/${project.sessionId}/messages`;
  const fields = { body, ...(parent && { parentMessageId: parent.id }) };
  const { id } = await send(author, 'POST', path, fields);
  await tellEverybody(server.db);
  project.left.delete(author.userId);
  const inThread = new Set(
    parent === null
      ? []
      : world.messages
          .filter((message) => message === parent || message.parent === parent)
          .map(({ authorId }) => authorId),
  );
  for (const person of world.people) {
    const { userId } = person;
    const isMentioned = mentioned.includes(person);
    if (person === author || !isIn(person, project)) continue;
    if (isMentioned) project.left.delete(userId);
    const follows = !project.left.has(userId);
    const isReached = isToAll && follows;
    const isReply = inThread.has(userId) && follows && !project.levels.has(userId);
    if (!isMentioned && !isReached && !isReply) continue;
    const kind = isMentioned ? 'MENTION' : isReached ? 'BROADCAST' : 'THREAD_REPLY';
    person.told.push({ about: id, kind, isRead: false });
  }
  world.messages.push({ id, project, authorId: author.userId, parent, isDeleted: false });
}

async function changeMembership(world: World): Promise<void> {
  const project = random.pick(world.projects);
  const { userId } = random.pick(world.people);
  const isMember = project.members.has(userId);
  const path = `/projects/${project.id}/members/${userId}`;
  await send(owner(world), isMember ? 'DELETE' : 'PUT', path);
  if (isMember) project.members.delete(userId);
  else project.members.add(userId);
}

async function changeRole(world: World): Promise<void> {
  const person = random.pick(world.people.slice(1));
  person.role = random.pick(['ADMIN', 'MEMBER', 'MEMBER'] as const);
  const path = `/org/${world.orgId}/members/${person.userId}`;
  await send(owner(world), 'PATCH', path, { role: person.role });
}

/** The session is the Project's first, so they follow it unless they left. */
async function follow(world: World): Promise<void> {
  const project = random.pick(world.projects);
  const person = random.pick(world.people.filter((one) => isIn(one, project)));
  const { left, levels, slug, sessionId } = project;
  const path = `/spaces/${slug}/sessions/${sessionId}/follow`;
  const level = random.pick(['ALL', 'ALL', 'MENTIONS', 'NONE', null]);
  if (level === null) {
    await send(person, 'DELETE', path);
    left.add(person.userId);
    return;
  }
  const { isFollowed, ...session } = await send(person, 'PUT', path, { level });
  expect([isFollowed, session.level]).toEqual([true, level]);
  left.delete(person.userId);
  if (level === 'ALL') levels.delete(person.userId);
  else levels.set(person.userId, level);
}

async function remove(world: World): Promise<void> {
  const open = world.messages.filter(({ isDeleted }) => !isDeleted);
  if (open.length === 0) return;
  const message = random.pick(open);
  await send(owner(world), 'DELETE', `/spaces/${message.project.slug}/messages/${message.id}`);
  message.isDeleted = true;
}

async function read(world: World): Promise<void> {
  const person = random.pick(world.people);
  const others = world.people.flatMap(({ told }) => told.slice(-2));
  const ids = random.isLucky(0.5) ? others.map(({ about }) => about) : [];
  await send(person, 'PUT', '/notifications/read', { ids });
  for (const one of person.told)
    if (ids.includes(one.about) && !one.kind.startsWith('TASK')) one.isRead = true;
}

/** Gives a task, new or not, to somebody of its Project. */
async function assign(world: World): Promise<void> {
  const task = random.isLucky(0.5) ? world.tasks.open.at(-1) : undefined;
  const project = task?.project ?? random.pick(world.projects);
  const members = world.people.filter((person) => isIn(person, project));
  const [actor, assignee] = [random.pick(members), random.pick(members)];
  const body = { title: 'Task', assigneeUserId: assignee.userId };
  const path = `/projects/${project.id}/tasks`;
  const { id, createdById } = task
    ? await send(actor, 'PATCH', `${path}/${task.id}`, body)
    : await send(actor, 'POST', path, body);
  if (task?.assigneeId !== assignee.userId && actor !== assignee) {
    assignee.told.push({ about: id, kind: 'TASK_ASSIGNED', isRead: false });
  }
  world.tasks.open = world.tasks.open.filter((one) => one !== task);
  world.tasks.open.push({ id, project, createdById, assigneeId: assignee.userId });
}

async function finish(world: World): Promise<void> {
  const task = world.tasks.open.shift();
  if (!task) return;
  const { project, id } = task;
  const actor = random.pick(world.people.filter((person) => isIn(person, project)));
  await send(actor, 'PATCH', `/projects/${project.id}/tasks/${id}`, { status: 'DONE' });
  const creator = world.people.find(({ userId }) => userId === task.createdById);
  if (creator && creator !== actor && isIn(creator, project)) {
    creator.told.push({ about: id, kind: 'TASK_FINISHED', isRead: false });
  }
  world.tasks.finished.push(task);
}

async function openTask(world: World): Promise<void> {
  const tasks = tasksOf(world);
  if (tasks.length === 0) return;
  const { id: taskId } = random.pick(tasks);
  const person = random.pick(world.people);
  await send(person, 'PUT', '/notifications/read', { taskId });
  for (const one of person.told) if (one.about === taskId) one.isRead = true;
}

const tasksOf = ({ tasks }: World) => [...tasks.open, ...tasks.finished];

interface Listed {
  messageId: string | null;
  taskId: string;
  kind: string;
  readAt: string | null;
}

async function compare(world: World): Promise<void> {
  for (const person of world.people) {
    const expected = person.told.filter(({ about }) => {
      const message = world.messages.find(({ id }) => id === about);
      const place = message ?? tasksOf(world).find(({ id }) => id === about);
      return place && !message?.isDeleted && isIn(person, place.project);
    });
    const page = await send(person, 'GET', '/notifications?limit=100');
    const found: Told[] = page.items.map((one: Listed) => ({
      about: one.messageId ?? one.taskId,
      kind: one.kind,
      isRead: one.readAt !== null,
    }));
    const inOrder = (list: Told[]) => list.map((one) => JSON.stringify(one)).toSorted();
    expect(inOrder(found)).toEqual(inOrder(expected));
    expect(page.unreadTotal).toBe(expected.filter(({ isRead }) => !isRead).length);
  }
}

const owner = ({ people }: World) => people[0] as ModelPerson;

it('tells nobody about a Project that they are not in, whatever changes', async () => {
  const messages = [post, post, post, post, follow, follow, remove, read];
  const tasks = [assign, assign, finish, openTask];
  const changes = [...messages, ...tasks, changeMembership, changeRole];
  for (let at = 1; at <= CHANGES; at++) {
    const world = random.pick(worlds);
    await random.pick(changes)(world);
    if (at % 10 === 0) await compare(world);
  }
  for (const world of worlds) await compare(world);
});
