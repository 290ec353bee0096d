import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../harness/stages/agent-stage.ts';
import { createAuthority } from '../harness/outside/certificates.ts';
import { startChatSide, type ChatSide } from '../harness/outside/chat/chat-side.ts';
import type { Reply } from '../harness/clients/client.ts';
import { useFolder } from '../harness/use-folder.ts';
import { addFile } from '../harness/clients/uploads.ts';
import { randomFrom } from '../harness/random.ts';
import { createShared, postUntilAnswered, type Shared } from './cluster.ts';
import { killAll, startChannelServer, type ServerProcess } from './processes.ts';

/** In each direction, for each system. CHANNEL_MESSAGES=1000 runs it as long as it takes. */
const MESSAGES = Number(process.env['CHANNEL_MESSAGES'] ?? 40);
/** Written there while Atrium is down. Some of them, and of those before, are edited and deleted. */
const AWAY = 200;
/** Every tenth message of ours has a file. */
const FILES = Math.ceil(MESSAGES / 10);
const KILL_EVERY_MS = 2_000;
const random = randomFrom(7);
const chance = (share: number) => random() < share;

const authority = createAuthority();
const folder = useFolder();
let shared: Shared;
let chats: ChatSide[];

beforeAll(async () => {
  const providers = (['SLACK', 'MATTERMOST'] as const).map((name) =>
    startChatSide(name, authority),
  );
  [shared, chats] = await Promise.all([createShared(), Promise.all(providers)]);
});
afterEach(killAll);
afterAll(async () => {
  await Promise.all(chats.map((chat) => chat.close()));
  await shared.drop();
});

interface Written {
  id: string;
  text: string;
  author: { id: string; name: string };
  threadId: string | undefined;
}

interface Shown {
  id: string;
  body: string;
  parentMessageId: string | null;
  externalAuthor: { name: string } | null;
}

/** A chat system's channel, and the session that it is mapped to. */
interface Side {
  chat: ChatSide;
  messages: string;
  /** Uploaded before anything fails. */
  fileIds: string[];
  people: { id: string; name: string }[];
  written: Written[];
}

const servers: ServerProcess[] = [];
const start = () =>
  startChannelServer({
    DATABASE_URL: shared.url,
    TEST_CA: authority.certificate,
    DATA_DIR: folder.path,
    ...Object.assign({}, ...chats.map(({ env }) => env)),
  });

function call(method: string, path: string, body?: object): Promise<Reply> {
  const { key } = shared.org.owner;
  return (servers[0] as ServerProcess).call(method, path, { key, ...(body && { body }) });
}

async function made(path: string, body: object) {
  const reply = await call('POST', path, body);
  expect(reply.status, reply.text).toBe(201);
  return reply.json.data;
}

async function map(chat: ChatSide): Promise<Side> {
  const { provider, settings, channelId } = chat;
  const connection = await made('/api/channel-connections', { provider, ...settings });
  const project = await made('/api/projects', { name: `On ${provider}` });
  const place = { connectionId: connection.id, channelId };
  const mapping = await made(`/api/projects/${project.id}/channels`, place);
  const people = ['ann', 'ben', 'cid'].map((name) => ({
    name,
    ...chat.addPerson(name, `${name}@elsewhere.example`),
  }));
  await chat.listening();
  const uploader = { call: (servers[0] as ServerProcess).call, key: shared.org.owner.key };
  const fileIds: string[] = [];
  for (const name of fileNames()) {
    const upload = { projectId: project.id, bytes: Buffer.from(name), name };
    fileIds.push((await addFile(uploader, upload)).id);
  }
  const messages = `/api/spaces/${project.slug}/sessions/${mapping.sessionId}/messages`;
  return { chat, messages, fileIds, people, written: [] };
}

function disturb({ chat }: Side): void {
  chat.disturb({ copies: () => (chance(0.3) ? 11 : 1), isLate: () => chance(0.2) });
  chat.faults.script((request) => {
    if (!request.includes('/api/') || !chance(0.12)) return undefined;
    const isLate = chance(0.5);
    return chance(0.3)
      ? { status: 429, retryAfter: 0 }
      : { isLate, ...(chance(0.5) && { status: 500 }) };
  });
}

async function killInTurn(done: AbortSignal): Promise<void> {
  for (let turn = 0; !done.aborted; turn++) {
    await sleep(KILL_EVERY_MS);
    const victim = turn % servers.length;
    await servers[victim]?.kill();
    for (const chat of chats) if (chance(0.5)) chat.dropConnections();
    servers[victim] = await start();
  }
}

function write({ chat, people, written }: Side, text: string, inThread: boolean): void {
  const author = people[written.length % people.length] as Written['author'];
  const roots = written.filter(({ threadId }) => threadId === undefined);
  const threadId = inThread ? roots.at(-1)?.id : undefined;
  const id = chat.write(text, { userId: author.id, ...(threadId !== undefined && { threadId }) });
  written.push({ id, text, author, threadId });
}

async function writeThere(side: Side): Promise<void> {
  for (let nth = 0; nth < MESSAGES; nth++) {
    write(side, `there ${nth}`, chance(0.25));
    await sleep(100);
  }
  side.chat.flush();
}

async function postHere({ messages: path, fileIds: files }: Side): Promise<void> {
  const { key } = shared.org.owner;
  for (let nth = 0; nth < MESSAGES; nth++) {
    const fileIds = nth % 10 === 0 ? files.slice(nth / 10, nth / 10 + 1) : [];
    const body = { body: `here ${nth}`, fileIds };
    const request = { key, path, idempotencyKey: `m${nth}`, body };
    await until(async () => {
      const reply = await postUntilAnswered(servers, request).catch(() => undefined);
      return reply?.status === 201;
    });
    await sleep(60);
  }
}

/** Oldest first. */
async function listed({ messages }: Side): Promise<Shown[]> {
  const items: Shown[] = [];
  let before = '';
  do {
    const page = (await call('GET', `${messages}?limit=100${before}`)).json.data;
    items.push(...page.items);
    before = page.nextBefore === null ? '' : `&before=${page.nextBefore}`;
  } while (before !== '');
  return items.toReversed();
}

/** What we posted there. Mattermost shows the author's name in the text. */
function ours({ chat }: Side): string[] {
  const texts = chat.shown().map(({ text }) => text.replace(/^\*\*.+?\*\*\n/, ''));
  return texts.filter((text) => text.startsWith('here'));
}

function counted(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, nth) => `${word} ${nth}`);
}

function fileNames(): string[] {
  return Array.from({ length: FILES }, (_, nth) => `file-${nth}.txt`);
}

async function expectEachOnce(side: Side): Promise<void> {
  const arrived = async () =>
    (await listed(side)).filter(({ body }) => body.startsWith('there')).length;
  await until(
    async () => (await arrived()) >= MESSAGES && ours(side).length >= MESSAGES,
    60_000 + MESSAGES * 60,
  ).catch(() => {});
  expect([await arrived(), ours(side).length]).toEqual([MESSAGES, MESSAGES]);
  const here = await listed(side);
  expect(here).toHaveLength(2 * MESSAGES);
  for (const { name } of side.people) {
    const bodies = here.flatMap(({ body, externalAuthor }) =>
      externalAuthor?.name === name ? [body] : [],
    );
    const wanted = side.written.filter(({ author }) => author.name === name);
    expect(bodies).toEqual(wanted.map(({ text }) => text));
  }
  const bodyOf = new Map(here.map(({ id, body }) => [id, body]));
  const textOf = new Map(side.written.map(({ id, text }) => [id, text]));
  for (const { text, threadId } of side.written) {
    const arrived = here.find(({ body }) => body === text);
    const parent = bodyOf.get(arrived?.parentMessageId ?? '');
    expect(parent, text).toBe(threadId === undefined ? undefined : textOf.get(threadId));
  }
  expect(ours(side)).toEqual(counted('here', MESSAGES));
  const files = () => side.chat.shown().flatMap((message) => message.files);
  await expect.poll(() => files().length, { timeout: 60_000 }).toBe(FILES);
  expect(files()).toEqual(fileNames());
}

/** No events are sent for it. Returns the texts expected here afterwards, by the texts they replace. */
function changeThere(side: Side): Map<string, string> {
  const { chat, written } = side;
  for (let nth = 0; nth < AWAY; nth++) write(side, `away ${nth}`, false);
  const isRoot = (id: string) => written.some(({ threadId }) => threadId === id);
  const after = new Map<string, string>();
  for (const [at, { id, text }] of written.entries()) {
    if (isRoot(id) || at % 10 > 1) {
      after.set(text, text);
    } else if (at % 10 === 0) {
      chat.rewrite(id, `changed ${id}`);
      after.set(text, `changed ${id}`);
    } else {
      chat.remove(id);
      after.set(text, '');
    }
  }
  chat.forget();
  return after;
}

/** Those that were known keep their place, deleted or not. Of new ones, nobody has seen those that are gone. */
async function expectChanged(side: Side, before: Shown[], after: Map<string, string>) {
  const known = before.map(({ body }) => after.get(body) ?? body);
  const isNew = ([text, now]: [string, string]) => text.startsWith('away') && now !== '';
  const wanted = [...known, ...[...after].filter(isNew).map(([, now]) => now)];
  const bodies = async () => (await listed(side)).map(({ body }) => body);
  await until(async () => {
    const now = await bodies();
    return now.length >= wanted.length && now.every((body, at) => body === wanted[at]);
  }).catch(() => {});
  expect(await bodies()).toEqual(wanted);
}

it(
  'while processes are killed and chat systems fail, repeat themselves and disorder events, each message arrives once on both sides, in order',
  // Longer than all that it waits for, each side in turn: it is for what hangs.
  { timeout: 300_000 + MESSAGES * 600 },
  async () => {
    servers.push(...(await Promise.all([start(), start()])));
    const sides = await Promise.all(chats.map(map));
    for (const side of sides) disturb(side);
    const done = new AbortController();
    const killing = killInTurn(done.signal);
    await Promise.all(sides.flatMap((side) => [writeThere(side), postHere(side)]));
    done.abort();
    await killing;
    for (const { chat } of sides) {
      chat.faults.script(() => undefined);
      if (chat.provider === 'SLACK') chat.disturb({});
    }
    for (const side of sides) await expectEachOnce(side);

    const known = await Promise.all(sides.map(listed));
    await killAll();
    const changes = sides.map(changeThere);
    servers.splice(0, 2, await start());
    for (const [at, side] of sides.entries()) {
      await expectChanged(side, known[at] ?? [], changes[at] ?? new Map());
    }
  },
);
