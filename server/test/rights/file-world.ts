import { expect } from 'vitest';
import type { Database } from '../../src/db/types.ts';
import type { Call } from '../harness/clients/client.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../harness/factories.ts';
import { until } from '../harness/stages/agent-stage.ts';
import { sendFile } from '../harness/stages/document-stage.ts';

/**
 * An organisation in which people upload, attach, share and delete files, and move between Projects and private
 * sessions, and a naive model of it in plain arrays: who can read which file is what the model says.
 */
export interface Project {
  id: string;
  slug: string;
  /** None where direct conversations are. */
  taskId?: string;
  isOpen: boolean;
  members: Set<string>;
  taskFiles: File[];
}

export interface Session {
  id: string;
  project: Project;
  /** Null if all members of the Project read it. */
  participants: Set<string> | null;
  isDirect: boolean;
}

export interface File {
  id: string;
  name: string;
  /** A word that only its text has. */
  code: string;
  project: Project;
  uploader: Member;
  isShared: boolean;
}

export interface Message {
  id: string;
  session: Session;
  author: Member;
  files: File[];
  /** Deleted by a process that knows nothing of files: it is not shown, and still counts as a use. */
  isForgotten: boolean;
}

export interface Member extends Person {
  isManager: boolean;
}

export interface Server {
  call: Call;
  db: Database;
  origin: string;
}

export interface World {
  server: Server;
  org: TestOrg;
  /** The owner, the admin and three members. The last one leaves in one of the stories. */
  people: Member[];
  /** One for everybody, one for members only, and the one with direct conversations. */
  projects: [open: Project, closed: Project, direct: Project];
  sessions: Session[];
  files: File[];
  messages: Message[];
  uploads: number;
  /** Who could read each file at some time since the last comparison. */
  couldRead: Map<string, Set<Member>>;
}

export const isIn = ({ userId, isManager }: Member, { isOpen, members }: Project) =>
  isOpen || isManager || members.has(userId);
export const readsSession = (person: Member, { project, participants }: Session) =>
  isIn(person, project) && (participants === null || participants.has(person.userId));

/** The rule of the contract. */
export function readsFile({ messages, people }: World, person: Member, file: File): boolean {
  if (!people.includes(person) || !isIn(person, file.project)) return false;
  const using = messages.filter(({ files }) => files.includes(file));
  const isOnTask = file.project.taskFiles.includes(file);
  if (file.isShared || isOnTask) return true;
  if (using.length === 0) return file.uploader === person;
  return using.some(({ session, isForgotten }) => !isForgotten && readsSession(person, session));
}

/** What agents that answer in a session read: every reader of it may, and nothing of other private sessions. */
export function agentReads({ messages }: World, session: Session, file: File): boolean {
  if (file.project !== session.project) return false;
  return (
    file.isShared ||
    file.project.taskFiles.includes(file) ||
    messages.some(
      (message) =>
        message.files.includes(file) &&
        !message.isForgotten &&
        (message.session === session || message.session.participants === null),
    )
  );
}

/** Some that may be chat channels, those with forgotten messages among them. */
export function overheardOf({ messages }: World, sessions: readonly Session[]): Session[] {
  const forgotten = new Set(messages.flatMap((one) => (one.isForgotten ? one.session : [])));
  const own = sessions.filter(({ isDirect }) => !isDirect);
  return own.toSorted((a, b) => Number(forgotten.has(b)) - Number(forgotten.has(a))).slice(0, 6);
}

export const readable = (world: World, who: Member): File[] =>
  world.files.filter((file) => readsFile(world, who, file));
export const idsOf = (files: readonly { id: string }[]) => files.map(({ id }) => id).toSorted();

/** After each change, for what people are told of it. */
export function noteReaders(world: World): void {
  for (const file of world.files) {
    const readers = world.couldRead.get(file.id) ?? new Set();
    for (const person of world.people) if (readsFile(world, person, file)) readers.add(person);
    world.couldRead.set(file.id, readers);
  }
}

export async function createWorld(server: Server): Promise<World> {
  const org = await createTestOrg(server.db);
  const others = [await addPerson(server.db, org.orgId, 'MEMBER')];
  others.push(await addPerson(server.db, org.orgId, 'MEMBER'));
  const people = [org.owner, org.admin, org.member, ...others].map((person, at) => ({
    ...person,
    isManager: at < 2,
  }));
  const [owner, , ann] = people as [Member, Member, Member];
  const createProject = async (access: string): Promise<Project> => {
    const body = { name: `P ${access}`, access };
    const { id, slug } = dataOf(await server.call('POST', '/api/projects', owner, body));
    const task = await server.call('POST', `/api/projects/${id}/tasks`, owner, { title: 'Task' });
    const isOpen = access === 'ORG';
    return { id, slug, taskId: dataOf(task).id, isOpen, members: new Set(), taskFiles: [] };
  };
  const [open, closed] = [await createProject('ORG'), await createProject('MEMBERS')];
  const direct = {
    id: '',
    slug: 'direct',
    isOpen: true,
    members: new Set<string>(),
    taskFiles: [],
  };
  const world: World = {
    server,
    org,
    people,
    projects: [open, closed, direct],
    sessions: [],
    files: [],
    messages: [],
    uploads: 0,
    couldRead: new Map(),
  };
  await setMember(world, closed, ann, true);
  for (const project of [open, closed]) await openSession(world, project, null);
  for (const project of [open, closed]) await openSession(world, project, [owner, ann]);
  return world;
}

const change = async (world: World, ...args: Parameters<Call>) =>
  dataOf(await world.server.call(...args));

/** Opened by the OWNER. Null: for all members of the Project. */
export async function openSession(
  world: World,
  project: Project,
  people: readonly Member[] | null,
): Promise<Session> {
  const participantUserIds = (people ?? []).map(({ userId }) => userId);
  const access = people === null ? 'PROJECT' : 'PARTICIPANTS';
  const body = { name: 's', access, participantUserIds };
  const path = `/api/spaces/${project.slug}/sessions`;
  const { id } = await change(world, 'POST', path, world.people[0], body);
  const participants = people === null ? null : new Set(participantUserIds);
  const session = { id, project, participants, isDirect: false };
  world.sessions.push(session);
  return session;
}

export async function openDirect(world: World, by: Member, others: Member[]): Promise<Session> {
  const userIds = others.map(({ userId }) => userId);
  const { id, projectId } = await change(world, 'POST', '/api/direct', by, { userIds });
  const project = world.projects[2];
  project.id = projectId;
  const session = { id, project, participants: new Set([by.userId, ...userIds]), isDirect: true };
  world.sessions.push(session);
  return session;
}

export async function upload(world: World, uploader: Member, project: Project): Promise<File> {
  const number = world.uploads++;
  const [name, code] = [`stripes-${number}-.txt`, `quagga${number}z`];
  const bytes = `The zebra report says that its code is ${code}.\n`;
  const id = await sendFile(world.server.call, uploader, { projectId: project.id, name, bytes });
  const file = { id, name, code, project, uploader, isShared: false };
  world.files.push(file);
  noteReaders(world);
  return file;
}

export const messagesOf = ({ id, project }: Session) =>
  `/api/spaces/${project.slug}/sessions/${id}/messages`;

export async function post(
  world: World,
  author: Member,
  session: Session,
  files: File[],
): Promise<Message | undefined> {
  const body = { body: 'zebra', fileIds: files.map(({ id }) => id) };
  const reply = await world.server.call('POST', messagesOf(session), author, body);
  const mayAttach = (file: File) =>
    file.project === session.project && readsFile(world, author, file);
  if (!readsSession(author, session) || !files.every(mayAttach)) {
    expect([403, 404]).toContain(reply.status);
    return undefined;
  }
  expect(reply.status, reply.text).toBe(201);
  const { id } = reply.json.data;
  const message = { id, session, author, files: [...files], isForgotten: false };
  world.messages.push(message);
  noteReaders(world);
  return message;
}

export async function eraseMessage(world: World, by: Member, message: Message): Promise<void> {
  const { id, session } = message;
  await change(world, 'DELETE', `/api/spaces/${session.project.slug}/messages/${id}`, by);
  world.messages.splice(world.messages.indexOf(message), 1);
  noteReaders(world);
}

/** As a process does that knows nothing of files. */
export async function forgetMessage(world: World, message: Message): Promise<void> {
  const { db } = world.server;
  const text = 'UPDATE messages SET deleted_at = now(), body = $3 WHERE org_id = $1 AND id = $2';
  await db.query(text, [world.org.orgId, message.id, '']);
  message.isForgotten = true;
}

export async function setTaskFiles(world: World, who: Member, project: Project, files: File[]) {
  const path = `/api/projects/${project.id}/tasks/${project.taskId}/files`;
  const body = { fileIds: files.map(({ id }) => id) };
  const reply = await world.server.call('PUT', path, who, body);
  const mayAttach = (file: File) =>
    project.taskFiles.includes(file) || (file.project === project && readsFile(world, who, file));
  if (!isIn(who, project) || !files.every(mayAttach)) {
    return expect([403, 404]).toContain(reply.status);
  }
  expect(reply.status, reply.text).toBe(200);
  project.taskFiles = files;
  noteReaders(world);
}

/** The uploader, an OWNER and an ADMIN may change what they may read. */
function expectChange(world: World, who: Member, file: File, status: number, done: number) {
  const isAllowed = who.isManager || who === file.uploader;
  const expected = readsFile(world, who, file) ? (isAllowed ? done : 403) : 404;
  expect(status, `${file.name} by ${who.email}`).toBe(expected);
  return status === done;
}

export async function share(world: World, who: Member, file: File, isShared: boolean) {
  const reply = await world.server.call('PATCH', `/api/files/${file.id}`, who, { isShared });
  const isRefused = file.project === world.projects[2] && isShared && reply.status === 400;
  if (isRefused || !expectChange(world, who, file, reply.status, 200)) return;
  file.isShared = isShared;
  noteReaders(world);
}

/** Everybody who may read one of these is told. Returns those that somebody may change. */
export async function touchAll(world: World): Promise<File[]> {
  const touched: File[] = [];
  for (const file of world.files) {
    const isAllowed = (one: Member) => one.isManager || one === file.uploader;
    const who = world.people.find((one) => isAllowed(one) && readsFile(world, one, file));
    if (!who) continue;
    await change(world, 'PATCH', `/api/files/${file.id}`, who, { name: file.name });
    touched.push(file);
  }
  return touched;
}

export async function deleteFile(world: World, who: Member, file: File): Promise<void> {
  const reply = await world.server.call('DELETE', `/api/files/${file.id}`, who);
  if (!expectChange(world, who, file, reply.status, 204)) return;
  world.files.splice(world.files.indexOf(file), 1);
  const others = (files: File[]) => files.filter((one) => one !== file);
  for (const message of world.messages) message.files = others(message.files);
  file.project.taskFiles = others(file.project.taskFiles);
}

/** Whoever leaves a Project leaves its sessions. */
export async function setMember(world: World, project: Project, who: Member, isMember: boolean) {
  const path = `/api/projects/${project.id}/members/${who.userId}`;
  await change(world, isMember ? 'PUT' : 'DELETE', path, world.people[0]);
  if (isMember) project.members.add(who.userId);
  else project.members.delete(who.userId);
  for (const session of world.sessions) {
    if (!isMember && session.project === project) session.participants?.delete(who.userId);
  }
  noteReaders(world);
}

export async function setParticipants(world: World, session: Session, people: readonly Member[]) {
  const participantUserIds = people.map(({ userId }) => userId);
  const path = `/api/spaces/${session.project.slug}/sessions/${session.id}`;
  const by = world.people.find((one) => readsSession(one, session) && one.isManager);
  await change(world, 'PATCH', path, by, { participantUserIds });
  session.participants?.clear();
  for (const userId of participantUserIds) session.participants?.add(userId);
  noteReaders(world);
}

export async function leaveOrg(world: World, who: Member): Promise<void> {
  const path = `/api/org/${world.org.orgId}/members/${who.userId}`;
  await change(world, 'DELETE', path, world.people[0]);
  world.people.splice(world.people.indexOf(who), 1);
  for (const { participants } of world.sessions) participants?.delete(who.userId);
}

/** Until every text is read, or its file is gone. */
export async function textsRead({ server, org }: World): Promise<void> {
  await until(async () => {
    const left = await server.db.query(
      `SELECT 1 AS unread FROM files WHERE org_id = $1 AND text_status <> 'READY' LIMIT 1`,
      [org.orgId],
    );
    return left.length === 0;
  });
}
