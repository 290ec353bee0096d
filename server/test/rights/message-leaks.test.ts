import { expect, it } from 'vitest';
import { dividePeriods } from '../../src/features/messages/search/periods/service.ts';
import { rarityOf } from '../../src/text/words/lexical.ts';
import { createTestOrg, addPerson } from '../harness/factories.ts';
import { createRandom } from '../harness/models/memory-world.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

/**
 * Orgs whose members, Projects, private sessions and messages change at random, and a naive model of them in plain arrays.
 * What a search finds, in which order and with which scores is what the model says for that caller. How the
 * messages are divided into periods, and whether a session counts as long, changes nothing.
 */
const WORDS = 'amber basil cedar delta ember fjord grove heron iris jade'.split(' ');
const ROUNDS = 5;
const CHANGES = 8;
const SEARCHES = 8;

interface Project {
  id: string;
  slug: string;
  isOpen: boolean;
  members: Set<string>;
}

interface Session {
  id: string;
  project: Project;
  /** Null if all members of the Project read it. */
  participants: Set<string> | null;
}

interface Message {
  id: string;
  body: string;
  session: Session;
  author: string;
  createdAt: string;
}

interface Person {
  key: string;
  userId: string;
  isManager: boolean;
}

interface World {
  orgId: string;
  people: Person[];
  projects: Project[];
  sessions: Session[];
  messages: Message[];
}

const random = createRandom(20_261_116);
const server = useTestServer();

async function send(method: string, path: string, { key }: Person, body?: object) {
  const reply = await server.call(method, `/api${path}`, { key, ...(body && { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json?.data;
}

async function createWorld(): Promise<World> {
  const org = await createTestOrg(server.db);
  const people = [
    org.owner,
    org.admin,
    org.member,
    await addPerson(server.db, org.orgId, 'MEMBER'),
  ];
  const world: World = {
    orgId: org.orgId,
    people: people.map((person, at) => ({ ...person, isManager: at < 2 })),
    projects: [],
    sessions: [],
    messages: [],
  };
  const owner = world.people[0] as Person;
  for (const access of ['ORG', 'MEMBERS', 'MEMBERS']) {
    const { id, slug } = await send('POST', '/projects', owner, {
      name: `P ${access}${Math.random()}`,
      access,
    });
    const project: Project = { id, slug, isOpen: access === 'ORG', members: new Set() };
    world.projects.push(project);
    for (const access of ['PROJECT', 'PARTICIPANTS']) {
      const body = { name: 's', access };
      const session = await send('POST', `/spaces/${slug}/sessions`, owner, body);
      const participants = access === 'PROJECT' ? null : new Set([owner.userId]);
      world.sessions.push({ id: session.id, project, participants });
    }
  }
  await server.db.query(
    'UPDATE sessions SET last_position = 50000 WHERE org_id = $1 AND id = ANY ($2)',
    [org.orgId, world.sessions.slice(0, 3).map(({ id }) => id)],
  );
  for (let at = 0; at < 15; at++) await postMessage(world);
  return world;
}

const isIn = ({ userId, isManager }: Person, { isOpen, members }: Project) =>
  isOpen || isManager || members.has(userId);
const reads = (person: Person, { project, participants }: Session) =>
  isIn(person, project) && (participants === null || participants.has(person.userId));
const text = () => Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS)).join(' ');

async function postMessage({ people, sessions, messages }: World): Promise<void> {
  const author = random.pick(people);
  const session = random.pick(sessions.filter((each) => reads(author, each)));
  const path = `/spaces/${session.project.slug}/sessions/${session.id}/messages`;
  const { id, body, createdAt } = await send('POST', path, author, { body: text() });
  messages.push({ id, body, createdAt, session, author: author.userId });
}

const CHANGES_OF: ((world: World) => Promise<void>)[] = [
  postMessage,
  async function edit({ people, messages }) {
    const message = random.pick(messages);
    const author = people.find(({ userId }) => userId === message.author) as Person;
    if (!reads(author, message.session)) return;
    message.body = (await send('PATCH', pathOf(message), author, { body: text() })).body;
  },
  async function remove({ people, messages }) {
    const message = random.pick(messages);
    await send('DELETE', pathOf(message), people[0] as Person);
    messages.splice(messages.indexOf(message), 1);
  },
  async function joinOrLeave({ people, projects, sessions }) {
    const project = random.pick(projects.slice(1));
    const { userId } = random.pick(people.slice(2));
    const hasLeft = project.members.delete(userId);
    const path = `/projects/${project.id}/members/${userId}`;
    await send(hasLeft ? 'DELETE' : 'PUT', path, people[0] as Person);
    if (!hasLeft) project.members.add(userId);
    for (const session of sessions) {
      if (hasLeft && session.project === project) session.participants?.delete(userId);
    }
  },
  async function changeParticipants({ people, sessions }) {
    const { id, project, ...session } = random.pick(sessions.filter((each) => each.participants));
    const owner = people[0] as Person;
    const others = people.filter((each) => isIn(each, project) && random.isLucky(0.5));
    const participantUserIds = [...new Set([owner, ...others].map(({ userId }) => userId))];
    await send('PATCH', `/spaces/${project.slug}/sessions/${id}`, owner, { participantUserIds });
    session.participants?.clear();
    for (const userId of participantUserIds) session.participants?.add(userId);
  },
  ({ orgId }) => dividePeriods(server.db, orgId, 3),
];
const pathOf = ({ id, session }: Message) => `/spaces/${session.project.slug}/messages/${id}`;

/** The rules of the contract in a few lines. */
function modelled(visible: readonly Message[], words: string[], phrase: string[] | undefined) {
  const has = ({ body }: Message, word: string) => body.split(' ').includes(word);
  const required = [...new Set(phrase)];
  const found = visible.filter((message) =>
    phrase
      ? required.every((word) => has(message, word))
      : words.some((word) => has(message, word)),
  );
  const rarities = words.map((word) =>
    rarityOf(found.filter((message) => has(message, word)).length, found.length),
  );
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return found
    .map((message) => {
      const share = sum(rarities.filter((_, at) => has(message, words[at] ?? '')));
      return { id: message.id, score: Math.round((share / sum(rarities)) * 1e6) / 1e6, message };
    })
    .filter(({ message }) => !phrase || ` ${message.body} `.includes(` ${phrase.join(' ')} `))
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        Date.parse(b.message.createdAt) - Date.parse(a.message.createdAt) ||
        (a.id < b.id ? 1 : -1),
    )
    .map(({ id, score }) => ({ id, score }));
}

async function searchOnce({ people, sessions, messages }: World): Promise<void> {
  const caller = random.pick(people);
  const session = random.pick(sessions.filter((each) => reads(caller, each)));
  const filter = random.pick([
    {},
    {},
    { projectId: session.project.id },
    { sessionId: session.id },
    { authorUserId: random.pick(people).userId },
  ]) as { projectId?: string; sessionId?: string; authorUserId?: string };
  const visible = messages.filter(
    (message) =>
      reads(caller, message.session) &&
      (filter.projectId ?? message.session.project.id) === message.session.project.id &&
      (filter.sessionId ?? message.session.id) === message.session.id &&
      (filter.authorUserId ?? message.author) === message.author,
  );
  const phrase = random.isLucky(0.3) ? [random.pick(WORDS), random.pick(WORDS)] : undefined;
  const words = Array.from({ length: 1 + random.below(3) }, () => random.pick(WORDS));
  const query = [...(phrase ? [`"${phrase.join(' ')}"`] : []), ...words].join(' ');
  const limit = random.isLucky(0.7) ? 100 : 1 + random.below(5);
  const expected = modelled(visible, [...new Set([...(phrase ?? []), ...words])], phrase);
  const { items } = await send('POST', '/messages/search', caller, { query, limit, ...filter });
  const found = (items as { message: { id: string }; score: number }[]).map(
    ({ message, score }) => ({ id: message.id, score }),
  );
  expect(found, JSON.stringify({ query, filter, limit })).toEqual(expected.slice(0, limit));
}

it('random callers find what a naive model says, in its order, while everything changes', async () => {
  const worlds = [await createWorld(), await createWorld()];
  for (let round = 0; round < ROUNDS; round++) {
    for (let at = 0; at < SEARCHES; at++) await searchOnce(random.pick(worlds));
    for (let at = 0; at < CHANGES; at++) {
      await random.pick(CHANGES_OF)(random.pick(worlds));
    }
  }
});
