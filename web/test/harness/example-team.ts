import { Atrium, type Message, type Project, type Session } from '../../../sdk-js/src/index.ts';
import { lines, makePdf } from '../../../server/test/harness/files/pdf.ts';
import { makePng } from '../../../server/test/harness/images.ts';
import type { Person, TestAtrium } from './atrium.ts';

/** A workspace that looks lived in, for screenshots and for tests that visit every page. */
export interface ExampleTeam {
  grace: Person;
  ravi: Person;
  project: Project;
  session: Session;
  /** With replies, reactions and an answer with citations. */
  messages: Message[];
  /** A session whose messages have files, and a PDF of it. */
  shared: Session;
  pdfId: string;
}

const MEMORIES = [
  {
    content:
      'We decided on 29 Oct to price the Team plan at 12 EUR per seat and month, with annual billing at ten months. Reason: the pilot customers all asked for a flat price per seat.',
    tags: ['pricing', 'decision'],
  },
  {
    content: 'The launch is on 3 February. The freeze begins on 27 January, at noon UTC.',
    tags: ['launch'],
  },
  {
    content:
      'Northwind needs SSO before they sign; Ravi owns the conversation with their security team.',
    tags: ['customers', 'sso'],
  },
  {
    content:
      'Support answers within four working hours. Outages are announced on the status page first.',
    tags: ['support'],
  },
];

export async function buildExampleTeam(atrium: TestAtrium): Promise<ExampleTeam> {
  const { client } = atrium;
  await rename(atrium, undefined, 'Ada Okafor');
  await client.identity.update({ handle: 'ada' });
  const grace = await atrium.addPerson('grace@example.com', 'ADMIN');
  const ravi = await atrium.addPerson('ravi@example.com');
  await rename(atrium, grace, 'Grace Lindqvist');
  await rename(atrium, ravi, 'Ravi Menon');
  const asGrace = clientOf(atrium, grace);
  const asRavi = clientOf(atrium, ravi);

  const project = await client.projects.create({
    name: 'Pricing 2027',
    description: 'What we charge, why, and how we tell our customers.',
    tags: ['commercial', 'q1'],
  });
  const launch = await client.projects.create({
    name: 'Winter launch',
    description: 'Everything that has to be true on 3 February.',
    tags: ['launch'],
  });
  await client.projects.create({
    name: 'People ops',
    description: 'Hiring and onboarding.',
    access: 'MEMBERS',
  });
  for (const memory of MEMORIES) {
    await client.memory.create({ ...memory, visibility: 'ORG' });
  }
  await client.memory.create({
    content: 'Draft: if Northwind pushes on price, offer annual billing first, a discount second.',
    visibility: 'PROJECT',
    projectId: project.id,
    tags: ['pricing', 'customers'],
  });
  await client.memory.create({
    content: 'Ask Grace about the Q1 hiring budget before the board call.',
    visibility: 'PRIVATE',
    tags: ['todo'],
  });

  const session = await client.sessions.create(project.slug, {
    name: 'Team plan',
    description: 'Settle the price before the board call.',
    participantUserIds: [grace.userId, ravi.userId],
  });
  await client.sessions.create(project.slug, { name: 'Discount policy' });
  await client.sessions.create(launch.slug, { name: 'Go / no-go list' });

  const { slug } = project;
  const opening = await asGrace.messages.post(slug, session.id, {
    body: 'Morning! Northwind came back. They are fine with a price per seat, but want to know whether **annual billing** is cheaper. What did we say last time?',
  });
  await client.messages.post(slug, session.id, {
    body: 'Let’s ask before we guess.',
  });
  const asked = await asRavi.messages.postAndWait(slug, session.id, {
    body: '@recall what did we decide about the price of the Team plan?',
  });
  await client.messages.react(slug, opening.id, { emoji: '👍' });
  await asRavi.messages.react(slug, opening.id, { emoji: '👍' });
  for (const reply of asked.replies) {
    await client.messages.react(slug, reply.id, { emoji: '🎉' });
  }
  const code = await asGrace.messages.post(slug, session.id, {
    body: [
      'Good. @ada, then the page only needs this:',
      '',
      '```ts',
      'const MONTHS_PAID = { monthly: 12, annual: 10 };',
      '',
      '/** What a team pays in a year, in euros. */',
      'export function yearlyPrice(seats: number, interval: keyof typeof MONTHS_PAID): number {',
      '  return seats * 12 * MONTHS_PAID[interval];',
      '}',
      '```',
      '',
      '- [x] copy agreed with Ravi',
      '- [ ] translate the FAQ',
    ].join('\n'),
  });
  await asRavi.messages.post(slug, session.id, {
    body: 'Looks right. I will take the FAQ.',
    parentMessageId: code.id,
  });
  await client.messages.post(slug, session.id, {
    body: 'Thank you both. I’ll tell Northwind today.',
    parentMessageId: code.id,
  });
  await addTasks(client, project.id, [atrium.firstRun.userId, ravi.userId]);
  const { items } = await client.messages.list(slug, session.id);
  const files = await addFiles(client, asGrace, project);
  return { grace, ravi, project, session, messages: items, ...files };
}

async function addFiles(client: Atrium, asGrace: Atrium, { id: projectId, slug }: Project) {
  const shared = await client.sessions.create(slug, { name: 'Price page' });
  const pages = ['Price list 2027', 'Terms', 'Notice period'].map((title, nth) => ({
    texts: [
      { text: title, size: 26, y: 760 },
      ...lines(
        Array.from({ length: 30 }, (_, line) => `${nth + 1}.${line + 1} What it says here.`),
      ).map((one) => ({ ...one, y: (one.y ?? 0) - 60 })),
    ],
  }));
  const upload = (by: Atrium, name: string, content: Uint8Array) =>
    by.files.upload(projectId, content, { name });
  const longName = `${'Northwind-master-services-agreement-'.repeat(3)}signed.csv`;
  const csv = await upload(client, longName, Buffer.from('seats,price\n10,120\n'));
  const pdf = await upload(asGrace, 'Price list 2027.pdf', makePdf(pages));
  const wide = await upload(asGrace, 'Mock-up.png', makePng(1200, 675));
  const rest = [makePng(600, 800), makePng(800, 600)].map((picture, nth) =>
    upload(client, `Variant ${nth + 1}.png`, picture),
  );
  const variants = await Promise.all(rest);
  const ids = [pdf, wide, csv, ...variants].map(({ id }) => id);
  await Promise.all(ids.map((id) => client.files.waitUntilReady(id).catch(() => {})));
  await asGrace.messages.post(slug, shared.id, { body: 'A first mock-up.', fileIds: [wide.id] });
  await client.messages.post(slug, shared.id, {
    body: 'Two variants of it, and what they signed:',
    fileIds: [...variants.map(({ id }) => id), csv.id],
  });
  await asGrace.messages.post(slug, shared.id, { fileIds: [pdf.id] });
  await asGrace.files.update(pdf.id, { isShared: true });
  return { shared, pdfId: pdf.id };
}

async function addTasks(client: Atrium, projectId: string, [ada, ravi]: string[]): Promise<void> {
  const parent = await client.tasks.create(projectId, {
    title: 'Translate the FAQ',
    description: 'Into **German** and French. See #2.',
    priority: 'HIGH',
    labels: ['launch', 'copy'],
    dueOn: '2027-01-27',
    ...(ravi && { assigneeUserId: ravi }),
  });
  const more = [
    { title: 'German', parentTaskId: parent.id, status: 'DONE' },
    { title: 'Tell Northwind', status: 'IN_PROGRESS', ...(ada && { assigneeUserId: ada }) },
    { title: 'Compare what others charge', status: 'IN_REVIEW', priority: 'URGENT' },
    { title: 'Ask for a quote about annual billing', status: 'PROPOSED' },
  ] as const;
  for (const task of more) await client.tasks.create(projectId, task);
  await client.tasks.openSession(projectId, parent.id);
}

/** A client that acts as this person, like their browser. */
export function clientOf(atrium: TestAtrium, person: Person): Atrium {
  return new Atrium({
    auth: 'cookie',
    org: atrium.firstRun.orgId,
    baseURL: `${atrium.origin}/api`,
    headers: { cookie: `${person.cookie.name}=${person.cookie.value}`, origin: atrium.origin },
  });
}

/** The name by which others mention this person. */
export async function handleOf(atrium: TestAtrium, { userId }: Person): Promise<string> {
  const { items } = await atrium.client.org.listMembers(atrium.firstRun.orgId);
  return items.find((member) => member.userId === userId)?.handle ?? '';
}

async function rename(atrium: TestAtrium, person: Person | undefined, name: string): Promise<void> {
  const { value } = (person ?? (await atrium.owner())).cookie;
  const response = await fetch(`${atrium.origin}/web/profile`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      origin: atrium.origin,
      cookie: `atrium_session=${value}`,
    },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`rename: ${response.status} ${await response.text()}`);
}
