import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { SCOPES } from '../../src/features/keys/scopes.ts';
import type { Call } from '../harness/clients/client.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import { callTool, connectMcp } from '../harness/clients/mcp-client.ts';
import { keyWithScopes } from '../harness/factories.ts';
import { readExport, untar } from '../harness/clients/untar.ts';
import {
  idsOf,
  isIn,
  messagesOf,
  readable,
  readsFile,
  readsSession,
  type File,
  type Member,
  type World,
} from './file-world.ts';

const send = async ({ server }: World, ...args: Parameters<Call>) =>
  dataOf(await server.call(...args));

type Shown = { id: string; attachments: { fileId: string }[] };
const attachedIds = ({ attachments }: Pick<Shown, 'attachments'>) =>
  attachments.map(({ fileId }) => fileId);
const inOrder = (files: readonly File[]) => files.map(({ id }) => id);

/** Neither a name nor a passage of another file is in anything that this person is given. */
export function expectNoLeak(world: World, who: Member, text: string): void {
  for (const file of world.files) {
    if (readsFile(world, who, file)) continue;
    expect(text, `${file.name} for ${who.email}`).not.toContain(file.name);
    expect(text, `${file.name} for ${who.email}`).not.toContain(file.code);
  }
}

/** Everything that shows or finds files, with what the model says. */
export async function compare(world: World, who: Member): Promise<void> {
  const documents = await documentsOf(world);
  await Promise.all([
    compareFiles(world, who, documents),
    compareLists(world, who),
    compareMessages(world, who),
    compareSearch(world, who),
    compareMcp(world, who),
    compareExports(world, who),
  ]);
}

async function documentsOf({ org, server }: World): Promise<Map<string, string>> {
  const rows = await server.db.query<{ id: string; fileId: string }>(
    'SELECT id, file_id AS "fileId" FROM documents WHERE org_id = $1',
    [org.orgId],
  );
  return new Map(rows.map(({ id, fileId }) => [fileId, id]));
}

async function compareFiles(world: World, who: Member, documents: Map<string, string>) {
  for (const file of world.files) {
    const isReader = readsFile(world, who, file);
    const about = `${file.name} for ${who.email}`;
    const path = `/api/files/${file.id}`;
    const read = async (address: string, expected = file.code) => {
      const reply = await world.server.call('GET', address, who);
      expectNoLeak(world, who, reply.text);
      expect(reply.status, `${address} ${about}`).toBe(isReader ? 200 : 404);
      if (isReader) expect(reply.text).toContain(expected);
    };
    await read(path, file.name);
    await read(`${path}/content`);
    await read(`${path}/text`);
    await read(`/api/documents/${documents.get(file.id)}`, file.name);
    // It has none, which only its readers learn.
    const preview = await world.server.call('GET', `${path}/preview?width=160`, who);
    expect(preview.status).toBe(404);
    expect(preview.text.includes('A preview of this file'), about).toBe(isReader);
  }
}

async function compareLists(world: World, who: Member): Promise<void> {
  const mine = readable(world, who);
  const all = await send(world, 'GET', '/api/files?limit=100', who);
  expect(idsOf(all.items), `all files for ${who.email}`).toEqual(idsOf(mine));
  for (const project of world.projects.filter(({ id }) => id !== '')) {
    const listed = await world.server.call(
      'GET',
      `/api/projects/${project.id}/files?limit=100`,
      who,
    );
    expectNoLeak(world, who, listed.text);
    const { taskId } = project;
    if (taskId === undefined || !isIn(who, project)) {
      expect(listed.status).toBe(taskId === undefined ? 404 : 403);
      continue;
    }
    const expected = mine.filter((file) => file.project === project);
    expect(idsOf(listed.json.data.items), `files for ${who.email}`).toEqual(idsOf(expected));
    expect(listed.json.data.total).toBe(expected.length);
    const task = await send(world, 'GET', `/api/projects/${project.id}/tasks/${taskId}`, who);
    expect(attachedIds(task)).toEqual(inOrder(project.taskFiles));
  }
}

async function compareMessages(world: World, who: Member): Promise<void> {
  for (const session of world.sessions) {
    const { status, text, json } = await world.server.call(
      'GET',
      `${messagesOf(session)}?limit=100`,
      who,
    );
    expect(status === 200).toBe(readsSession(who, session));
    expectNoLeak(world, who, text);
    if (status !== 200) continue;
    const shown = new Map<string, Shown>(json.data.items.map((item: Shown) => [item.id, item]));
    for (const message of world.messages.filter((one) => one.session === session)) {
      const expected = message.isForgotten ? [] : inOrder(message.files);
      expect(shown.get(message.id)?.attachments.map(({ fileId }) => fileId) ?? []).toEqual(
        expected,
      );
    }
  }
}

async function compareSearch(world: World, who: Member): Promise<void> {
  const query = 'What is the code of the zebra report?';
  const found = await world.server.call('POST', '/api/documents/search', who, { query, limit: 50 });
  expectNoLeak(world, who, found.text);
  expect(foundIds(found.json.data)).toEqual(idsOf(readable(world, who)));
  // Each is a query that the model reads.
  for (const file of world.files.filter((_, at) => at % 5 === 0)) {
    const body = { query: file.code, fileId: file.id };
    const { status, json } = await world.server.call('POST', '/api/documents/search', who, body);
    const isReader = readsFile(world, who, file);
    expect([status, json.data?.items.length]).toEqual(isReader ? [200, 1] : [404, undefined]);
  }
  const withFiles = await world.server.call('POST', '/api/messages/search', who, {
    query: 'zebra',
    has: ['file'],
    limit: 100,
  });
  expectNoLeak(world, who, withFiles.text);
  const messages = world.messages.filter(
    ({ session, files, isForgotten }) =>
      files.length > 0 && !isForgotten && readsSession(who, session),
  );
  const shown = withFiles.json.data.items.map(({ message }: { message: Shown }) => message);
  expect(toFound(shown)).toEqual(new Map(messages.map(({ id, files }) => [id, inOrder(files)])));
}

const foundIds = ({ items }: { items: { document: { fileId: string } }[] }) =>
  items.map(({ document }) => document.fileId).toSorted();

const toFound = (messages: readonly Shown[]) =>
  new Map(messages.map((message) => [message.id, attachedIds(message)]));

/** Each time with another key: one may send 60 requests in a minute. */
async function compareMcp(world: World, who: Member): Promise<void> {
  const { db, origin } = world.server;
  const { key } = await keyWithScopes(db, world.org.orgId, who.userId, SCOPES);
  const client = await connectMcp(origin, key, '2026-07-28');
  const listed = await client.listResources();
  expectNoLeak(world, who, JSON.stringify(listed));
  const found = await callTool(client, 'search_documents', { query: 'zebra report', limit: 50 });
  expectNoLeak(world, who, JSON.stringify(found));
  expect(foundIds(found.data)).toEqual(idsOf(readable(world, who)));
  for (const [at, file] of world.files.slice(0, 50).entries()) {
    const isReader = readsFile(world, who, file);
    const text = await (at % 2 === 0 ? readByTool(client, file) : readResource(client, file));
    expect(text.startsWith('refused'), `${file.name}: ${text}`).toBe(!isReader);
    expectNoLeak(world, who, text);
    if (isReader) expect(text).toContain(file.code);
  }
  await client.close();
}

async function readByTool(client: Client, { id }: File): Promise<string> {
  const read = await callTool(client, 'read_document', { fileId: id, pages: [1] });
  return `${read.isError ? 'refused: ' : ''}${JSON.stringify(read)}`;
}

function readResource(client: Client, { id }: File): Promise<string> {
  return client.readResource({ uri: `atrium://files/${id}` }).then(
    ({ contents }) => JSON.stringify(contents),
    (error: Error) => `refused: ${error.message}`,
  );
}

async function exportOf({ server }: World, path: string, { key }: Member) {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(server.origin + path, { headers });
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { files = [], messages = [] } = readExport(bytes);
  const contents = [...untar(bytes)].filter(([name]) => name.startsWith('files/'));
  return { files, messages, text: [...untar(bytes).values()].join('\n'), contents };
}

async function compareExports(world: World, who: Member): Promise<void> {
  const own = await exportOf(world, '/api/me/export', who);
  expectNoLeak(world, who, own.text);
  const mine = readable(world, who).filter(({ uploader }) => uploader === who);
  expect(idsOf(own.files as File[])).toEqual(idsOf(mine));
  expect(own.contents).toHaveLength(mine.length);
  const withFiles = world.messages.filter(
    ({ author, session, files, isForgotten }) =>
      author === who && files.length > 0 && !isForgotten && readsSession(who, session),
  );
  const shown = own.messages.filter((one) => one['attachments'].length > 0) as Shown[];
  expect(toFound(shown)).toEqual(new Map(withFiles.map(({ id, files }) => [id, inOrder(files)])));
}

/** An OWNER is given whatever is attached or shared, and nothing that is its uploader's alone. */
export async function compareOrgExport(world: World): Promise<void> {
  const path = `/api/org/${world.org.orgId}/export`;
  const { files, contents, text } = await exportOf(world, path, world.people[0] as Member);
  const isKept = (file: File) =>
    file.isShared ||
    file.project.taskFiles.includes(file) ||
    world.messages.some((message) => message.files.includes(file));
  const kept = world.files.filter(isKept);
  expect(idsOf(files as File[])).toEqual(idsOf(kept));
  expect(contents).toHaveLength(kept.length);
  for (const file of world.files) expect(text.includes(file.code)).toBe(isKept(file));
}
