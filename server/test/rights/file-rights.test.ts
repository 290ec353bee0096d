import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readExport } from '../harness/clients/untar.ts';
import { addPerson, createTestOrg, type Person } from '../harness/factories.ts';
import { uploadText } from '../harness/clients/attachments.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

/**
 * Random organisations in which people upload, attach, share and delete files, and move between Projects and private
 * sessions, and a naive model of them in plain arrays. Who can read which file, and what every list, search and
 * export shows of it, is what the model says.
 */
interface Project {
  id: string;
  slug: string;
  taskId: string;
  isOpen: boolean;
  members: Set<string>;
  taskFiles: File[];
}

interface Session {
  id: string;
  project: Project;
  /** Null if all members of the Project read it. */
  participants: Set<string> | null;
}

interface File {
  id: string;
  name: string;
  project: Project;
  uploader: Member;
  isShared: boolean;
}

interface Message {
  id: string;
  session: Session;
  author: Member;
  files: File[];
}

interface Member extends Person {
  isManager: boolean;
}

interface World {
  people: Member[];
  projects: Project[];
  sessions: Session[];
  files: File[];
  messages: Message[];
}

const server = useTestServer();
const { call, send } = server;

async function createWorld(): Promise<World> {
  const org = await createTestOrg(server.db);
  const fourth = await addPerson(server.db, org.orgId, 'MEMBER');
  const people = [org.owner, org.admin, org.member, fourth].map((person, at) => ({
    ...person,
    isManager: at < 2,
  }));
  const world: World = { people, projects: [], sessions: [], files: [], messages: [] };
  for (const access of ['ORG', 'MEMBERS']) {
    const body = { name: `P ${access}`, access };
    const { id, slug } = await send('POST', '/api/projects', org.owner, body);
    const task = await send('POST', `/api/projects/${id}/tasks`, org.owner, { title: 'Task' });
    const isOpen = access === 'ORG';
    const project = {
      id,
      slug,
      taskId: task.id,
      isOpen,
      members: new Set<string>(),
      taskFiles: [],
    };
    world.projects.push(project);
    for (const kind of ['PROJECT', 'PARTICIPANTS']) {
      const people = kind === 'PROJECT' || access !== 'ORG' ? [org.owner] : [org.owner, org.member];
      const participantUserIds = people.map(({ userId }) => userId);
      const session = { name: 's', access: kind, participantUserIds };
      const made = await send('POST', `/api/spaces/${slug}/sessions`, org.owner, session);
      const participants = kind === 'PROJECT' ? null : new Set(participantUserIds);
      world.sessions.push({ id: made.id, project, participants });
    }
  }
  return world;
}

const isIn = ({ userId, isManager }: Member, { isOpen, members }: Project) =>
  isOpen || isManager || members.has(userId);
const readsSession = (person: Member, { project, participants }: Session) =>
  isIn(person, project) && (participants === null || participants.has(person.userId));

/** The rule of the contract. */
function readsFile({ messages }: World, person: Member, file: File): boolean {
  if (!isIn(person, file.project)) return false;
  const using = messages.filter(({ files }) => files.includes(file));
  const isOnTask = file.project.taskFiles.includes(file);
  if (file.isShared || isOnTask) return true;
  if (using.length === 0) return file.uploader === person;
  return using.some(({ session }) => readsSession(person, session));
}

const pick = <T>(from: readonly T[], choice: number): T => from[choice % from.length] as T;
const messagesOf = ({ id, project }: Session) =>
  `/api/spaces/${project.slug}/sessions/${id}/messages`;

/** Up to two different files: mostly ones that this person may attach in the Project, and sometimes any. */
function some(world: World, who: Member, project: Project, [one, other]: [number, number]): File[] {
  const isGood = (file: File) => file.project === project && readsFile(world, who, file);
  const files = one % 4 === 0 ? world.files : world.files.filter(isGood);
  return files.length === 0 ? [] : [...new Set([pick(files, one), pick(files, other)])];
}

type Step = (world: World, who: Member, choices: [number, number, number]) => Promise<void>;

const STEPS: Record<string, Step> = {
  async upload({ projects, files }, who, [at]) {
    const project = pick(projects, at);
    if (!isIn(who, project)) return;
    const name = `file-${files.length}.txt`;
    const id = await uploadText(call, who, project.id, name);
    files.push({ id, name, project, uploader: who, isShared: false });
  },
  async post(world, who, [at, one, other]) {
    const session = pick(world.sessions, at);
    const files = some(world, who, session.project, [one, other]);
    const body = { body: 'zebra', fileIds: files.map(({ id }) => id) };
    const reply = await call('POST', messagesOf(session), who, body);
    const mayAttach = (file: File) =>
      file.project === session.project && readsFile(world, who, file);
    const isAllowed = readsSession(who, session) && files.every(mayAttach);
    if (!isAllowed) return expect([403, 404]).toContain(reply.status);
    expect(reply.status, reply.text).toBe(201);
    world.messages.push({ id: reply.json.data.id, session, author: who, files });
  },
  async eraseMessage({ messages, people }, _who, [at]) {
    const message = pick(messages, at);
    const eraser = people.find(
      (one) =>
        message && (one === message.author || one.isManager) && readsSession(one, message.session),
    );
    if (!message || !eraser) return;
    await send(
      'DELETE',
      `/api/spaces/${message.session.project.slug}/messages/${message.id}`,
      eraser,
    );
    messages.splice(messages.indexOf(message), 1);
  },
  async setTaskFiles(world, who, [at, one, other]) {
    const project = pick(world.projects, at);
    const files = some(world, who, project, [one, other]);
    const path = `/api/projects/${project.id}/tasks/${project.taskId}/files`;
    const reply = await call('PUT', path, who, { fileIds: files.map(({ id }) => id) });
    const mayAttach = (file: File) => file.project === project && readsFile(world, who, file);
    if (!isIn(who, project) || !files.every(mayAttach)) {
      return expect([403, 404]).toContain(reply.status);
    }
    expect(reply.status, reply.text).toBe(200);
    project.taskFiles = files;
  },
  async share(world, who, [at, isShared]) {
    const file = pick(world.files, at);
    if (!file) return;
    const body = { isShared: isShared % 3 === 0 };
    const reply = await call('PATCH', `/api/files/${file.id}`, who, body);
    if (expectChange(world, who, file, reply.status, 200)) file.isShared = body.isShared;
  },
  async deleteFile(world, who, [at]) {
    const file = pick(world.files, at);
    if (!file) return;
    const reply = await call('DELETE', `/api/files/${file.id}`, who);
    if (!expectChange(world, who, file, reply.status, 204)) return;
    world.files.splice(world.files.indexOf(file), 1);
    const others = (files: File[]) => files.filter((one) => one !== file);
    for (const message of world.messages) message.files = others(message.files);
    file.project.taskFiles = others(file.project.taskFiles);
  },
  async joinOrLeave({ people, projects, sessions }, _who, [at]) {
    const project = projects[1] as Project;
    const { userId } = pick(people.slice(2), at);
    const hasLeft = project.members.delete(userId);
    const path = `/api/projects/${project.id}/members/${userId}`;
    await send(hasLeft ? 'DELETE' : 'PUT', path, people[0]);
    if (!hasLeft) project.members.add(userId);
    for (const session of sessions) {
      if (hasLeft && session.project === project) session.participants?.delete(userId);
    }
  },
  async changeParticipants({ people, sessions }, _who, [at, chosen]) {
    const { id, project, participants } = pick(
      sessions.filter((session) => session.participants),
      at,
    );
    const others = people.filter(
      (one, nth) => nth === 0 || (isIn(one, project) && chosen & (1 << nth)),
    );
    const participantUserIds = others.map(({ userId }) => userId);
    const path = `/api/spaces/${project.slug}/sessions/${id}`;
    await send('PATCH', path, people[0], { participantUserIds });
    participants?.clear();
    for (const userId of participantUserIds) participants?.add(userId);
  },
};

/** The uploader, an OWNER and an ADMIN may change what they may read. */
function expectChange(
  world: World,
  who: Member,
  file: File,
  status: number,
  done: number,
): boolean {
  const isAllowed = who.isManager || who === file.uploader;
  const expected = readsFile(world, who, file) ? (isAllowed ? done : 403) : 404;
  expect(status, `${file.name} by ${who.email}`).toBe(expected);
  return status === done;
}

const idsOf = (files: readonly { id: string }[]) => files.map(({ id }) => id);
const attachedIds = ({ attachments }: { attachments: { fileId: string }[] }) =>
  attachments.map(({ fileId }) => fileId);

async function compare(world: World, who: Member): Promise<void> {
  const { projects, sessions, files, messages } = world;
  for (const file of files) {
    const expected = readsFile(world, who, file) ? 200 : 404;
    const record = await call('GET', `/api/files/${file.id}`, who);
    expect(record.status, `${file.name} for ${who.email}`).toBe(expected);
    const { status } = await call('GET', `/api/files/${file.id}/content`, who);
    expect(status === 404, `${file.name} for ${who.email}: ${status}`).toBe(expected === 404);
  }
  for (const project of projects) {
    const listed = await call('GET', `/api/projects/${project.id}/files?limit=100`, who);
    expect(listed.status).toBe(isIn(who, project) ? 200 : 403);
    if (!isIn(who, project)) continue;
    const readable = files.filter(
      (file) => file.project === project && readsFile(world, who, file),
    );
    expect(idsOf(listed.json.data.items).toSorted()).toEqual(idsOf(readable).toSorted());
    const task = await send('GET', `/api/projects/${project.id}/tasks/${project.taskId}`, who);
    expect(attachedIds(task)).toEqual(idsOf(project.taskFiles));
  }
  const visible = messages.filter(({ session }) => readsSession(who, session));
  for (const session of sessions) {
    const { status, json } = await call('GET', messagesOf(session), who);
    expect(status === 200).toBe(readsSession(who, session));
    if (status !== 200) continue;
    const shown = new Map(json.data.items.map((item: { id: string }) => [item.id, item]));
    for (const message of messages.filter((one) => one.session === session)) {
      expect(attachedIds(shown.get(message.id) as never)).toEqual(idsOf(message.files));
    }
  }
  await compareFound(who, visible);
}

type Found = Map<string, string[]>;

async function compareFound(who: Member, visible: readonly Message[]): Promise<void> {
  const withFiles = visible.filter(({ files }) => files.length > 0);
  const toMap = (some: readonly Message[]): Found =>
    new Map(some.map(({ id, files }) => [id, idsOf(files)]));
  const query = { query: 'zebra', has: ['file'], limit: 100 };
  const { items } = await send('POST', '/api/messages/search', who, query);
  const found: Found = new Map(
    items.map(({ message }: { message: { id: string; attachments: { fileId: string }[] } }) => [
      message.id,
      attachedIds(message),
    ]),
  );
  expect(found).toEqual(toMap(withFiles));
  const archive = await fetch(`${server.origin}/api/me/export`, {
    headers: { authorization: `Bearer ${who.key}` },
  });
  const { messages = [] } = readExport(new Uint8Array(await archive.arrayBuffer()));
  const exported: Found = new Map(
    messages
      .map((one) => [one.id, attachedIds(one as never)] as const)
      .filter(([, ids]) => ids.length > 0),
  );
  expect(exported).toEqual(toMap(withFiles.filter(({ author }) => author === who)));
}

/** A member posts a file in a private session, and is removed from it. */
const LEFT_BEHIND: { kind: string; who: number; choices: [number, number, number] }[] = [
  { kind: 'upload', who: 2, choices: [0, 0, 0] },
  { kind: 'post', who: 2, choices: [1, 1, 1] },
  { kind: 'changeParticipants', who: 0, choices: [0, 0, 0] },
];

it('whoever reads a file is who the model says, wherever it is shown', async () => {
  const choice = fc.nat(60);
  const often = ['upload', 'post', 'post', 'post', 'changeParticipants'];
  const kinds = [...often, ...Object.keys(STEPS)];
  const step = fc.record({
    kind: fc.constantFrom(...kinds),
    who: fc.nat(3),
    choices: fc.tuple(choice, choice, choice),
  });
  const steps = fc.array(step, { minLength: 30, maxLength: 45, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const world = await createWorld();
      for (const [at, { kind, who, choices }] of all.entries()) {
        await STEPS[kind]?.(world, pick(world.people, who), choices);
        if (at % 10 === 9) await compare(world, pick(world.people, at + who));
      }
      for (const person of world.people) await compare(world, person);
    }),
    { numRuns: 20, endOnFailure: true, examples: [[LEFT_BEHIND]] },
  );
}, 120_000);
