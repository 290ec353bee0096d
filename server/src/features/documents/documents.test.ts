import { beforeAll, describe, expect, it } from 'vitest';
import {
  dataOf,
  expectError,
  problemsOf,
  reasonOf,
} from '../../../test/harness/clients/envelope.ts';
import { addPerson, keyWithScopes, type Person } from '../../../test/harness/factories.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';
import {
  embedded,
  pdfOf,
  sendFile,
  textRead,
} from '../../../test/harness/stages/document-stage.ts';

const { server, call, send, org } = useServerWithOrg({ worker: true });
const otherOrg = useTestOrg(() => server.db);
let outsider: Person;
let open: string;
let closed: string;
/** In Project `open`, shared with its members. */
let contract: string;
/** In Project `closed`, likewise. */
let secret: string;

const PAGES = [
  'Agreement between Northwind and Contoso\nThis agreement begins on the first of March.',
  'Notice\nEither party may end this agreement with a notice of ninety days.\nThe notice must be in writing.',
  'Payment\nInvoices are due within two weeks after they were received.\nWhoever pays late owes four percent.',
];

beforeAll(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  open = (await send('POST', '/api/projects', org.owner, { name: 'Open' })).id;
  closed = (await send('POST', '/api/projects', org.owner, { name: 'Closed', access: 'MEMBERS' }))
    .id;
  await send('PUT', `/api/projects/${closed}/members/${org.member.userId}`, org.owner);
  contract = await share(open, 'contract.pdf', pdfOf(PAGES));
  secret = await share(closed, 'salaries.md', '# Salaries\n\nThe director earns ninety thousand.');
  await embedded(server.db);
});

async function share(projectId: string, name: string, bytes: string | Buffer): Promise<string> {
  const id = await sendFile(call, org.owner, { projectId, name, bytes });
  expect(await textRead(call, org.owner, id)).toMatchObject({ text: 'READY' });
  await send('PATCH', `/api/files/${id}`, org.owner, { isShared: true });
  return id;
}

interface Found {
  document: { id: string; title: string; fileId: string; passages: number };
  passage: { text: string; page: number; heading: string | null; start: number; end: number };
  score: number;
  highlights: { start: number; end: number }[];
}

const search = (body: object, by: { key: string } = org.member) =>
  call('POST', '/api/documents/search', by, body);
const found = async (body: object, by?: { key: string }): Promise<Found[]> =>
  dataOf(await search(body, by), 200).items;

describe('GET /files/{id}/matches', () => {
  const matches = (query: string, by: { key: string } = org.member) =>
    call('GET', `/api/files/${contract}/matches?${query}`, by);

  it('200: how often words are on each page, and where on one', async () => {
    const all = dataOf(await matches('query=NOTICE'), 200);
    expect(all).toEqual({ total: 3, pages: [{ page: 2, count: 3 }], page: 1, boxes: [] });
    const { boxes } = dataOf(await matches('query=the%20%20notice&page=2'), 200);
    expect(boxes).toEqual([
      {
        match: 0,
        x: expect.any(Number),
        y: expect.any(Number),
        width: expect.any(Number),
        height: expect.any(Number),
      },
    ]);
    expect(dataOf(await matches('query=agreement'), 200).pages).toEqual([
      { page: 1, count: 2 },
      { page: 2, count: 1 },
    ]);
    for (const query of ['a.c', '(', '%5C', '.*', '***:x']) {
      expect(dataOf(await matches(`query=${query}`), 200), query).toMatchObject({ total: 0 });
    }
    const note = await call('GET', `/api/files/${secret}/matches?query=director`, org.owner);
    expect(dataOf(note, 200)).toMatchObject({ total: 1, boxes: [] });
  });

  it('400 and 404: no words, and a file that the caller may not read', async () => {
    expect(problemsOf(await matches('query=%20'))).toEqual(['query.query required']);
    expect((await matches('query=a', outsider)).status).toBe(200);
    const path = `/api/files/${secret}/matches?query=a`;
    expect((await call('GET', path, outsider)).status).toBe(404);
  });
});

describe('GET /files/{id}/text', () => {
  it('200: one page, and how many there are', async () => {
    const read = async (page: number) =>
      dataOf(await call('GET', `/api/files/${contract}/text?page=${page}`, org.member), 200);
    expect(await read(2)).toMatchObject({ page: 2, pages: 3 });
    expect((await read(2)).text).toContain('ninety days');
    const first = dataOf(await call('GET', `/api/files/${contract}/text`, org.member), 200);
    expect(first).toMatchObject({ page: 1, text: expect.stringContaining('Northwind') });
  });

  it('404: for others, a page that is not there, and a file without text', async () => {
    const path = `/api/files/${secret}/text`;
    expectError(await call('GET', path, outsider), 'NOT_FOUND');
    expectError(await call('GET', path, otherOrg.owner), 'NOT_FOUND');
    expectError(await call('GET', `/api/files/${contract}/text?page=4`, org.member), 'NOT_FOUND');
    const bytes = Buffer.from([0, 1, 2, 3, 255, 254]);
    const none = await sendFile(call, org.owner, { projectId: open, name: 'x.bin', bytes });
    expect(await textRead(call, org.owner, none)).toMatchObject({ text: 'NONE' });
    expectError(await call('GET', `/api/files/${none}/text`, org.owner), 'NOT_FOUND');
  });

  it('400: a page that is no number; 403: a key without the scope', async () => {
    const path = `/api/files/${contract}/text`;
    expect(problemsOf(await call('GET', `${path}?page=0`, org.member))).toEqual([
      'query.page too_small',
    ]);
    const { key } = await keyWithScopes(server.db, org.orgId, org.member.userId, [
      'documents:read',
    ]);
    expect(reasonOf(await call('GET', path, { key }))).toEqual([403, 'missing_scope']);
  });

  it('409 text_pending: says how far it is', async () => {
    await server.db.query(
      `UPDATE files SET text_status = 'PENDING', status = 'CHECKING' WHERE id = $1`,
      [contract],
    );
    const details = expectError(
      await call('GET', `/api/files/${contract}/text`, org.member),
      'CONFLICT',
    );
    expect(details).toEqual({ reason: 'text_pending', readPages: 3, pages: null });
    await server.db.query(
      `UPDATE files SET text_status = 'READY', status = 'READY' WHERE id = $1`,
      [contract],
    );
  });
});

describe('POST /documents/search', () => {
  it('200: finds the page by its meaning, with what was found in its text', async () => {
    const [best] = await found({ query: 'How long before can we cancel the contract?' });
    expect(best).toMatchObject({
      document: { title: 'contract.pdf', fileId: contract },
      passage: { page: 2, text: expect.stringContaining('ninety days') },
    });
    const [late] = await found({ query: 'what does late payment cost?' });
    expect(late?.passage.page).toBe(3);
  });

  it('200: places count code points in the page, and highlights those in the passage', async () => {
    const name = 'emoji.md';
    const text = '# 😀 Zoo\n\nThe 🦒 giraffe sleeps two hours, 😴 the koala twenty.';
    const id = await share(open, name, text);
    const [best] = await found({ query: 'giraffe', fileId: id });
    const page = dataOf(await call('GET', `/api/files/${id}/text`, org.member), 200).text as string;
    const { start = 0, end = 0, text: passage = '' } = best?.passage ?? {};
    expect(Array.from(page).slice(start, end).join('')).toBe(passage);
    const [mark] = best?.highlights ?? [];
    expect(Array.from(passage).slice(mark?.start, mark?.end).join('')).toBe('giraffe');
    expect(best?.passage.heading).toBe('😀 Zoo');
  });

  it('200: at most three passages of a document', async () => {
    const pages = Array.from({ length: 9 }, (_, at) => `Lighthouse number ${at} stands on a rock.`);
    await share(open, 'lighthouses.pdf', pdfOf(pages));
    const items = await found({ query: 'lighthouse on a rock', limit: 20 });
    expect(items.filter(({ document }) => document.title === 'lighthouses.pdf')).toHaveLength(3);
  });

  it('200: nobody finds what they may not read, and it does not change what they find', async () => {
    const query = { query: 'director salaries ninety thousand', limit: 50 };
    expect((await found(query)).map(({ document }) => document.fileId)).toContain(secret);
    for (const by of [outsider, otherOrg.owner]) {
      const seen = (await found(query, by)).map(({ document }) => document.fileId);
      expect(seen).not.toContain(secret);
    }
    expect(await found(query, otherOrg.owner)).toEqual([]);
    // What is still being embedded changes the order.
    await embedded(server.db);
    const before = await found({ query: 'ninety days' }, outsider);
    await share(closed, 'more.md', `Ninety days and ninety nights. ${'Ninety days. '.repeat(50)}`);
    expect(await found({ query: 'ninety days' }, outsider)).toEqual(before);
  });

  it('200: what is unattached is found by its uploader alone', async () => {
    const bytes = 'The password of the boat is heron.';
    const id = await sendFile(call, org.member, { projectId: open, name: 'boat.txt', bytes });
    await textRead(call, org.member, id);
    const query = { query: 'password of the boat', fileId: id };
    expect(await found(query)).toHaveLength(1);
    expectError(await search(query, org.owner), 'NOT_FOUND');
  });

  it('400: a field that is wrong; 403 and 404: a Project or file of others; 403: the scope', async () => {
    const problems = problemsOf(await search({ query: '', limit: 51, page: 1 }));
    expect(
      problems
        .map((problem) => problem.split(' ')[0])
        .toSorted((a = '', b = '') => (a < b ? -1 : 1)),
    ).toEqual(['body.limit', 'body.page', 'body.query']);
    const query = 'notice';
    expect(reasonOf(await search({ query, projectId: closed }, outsider))).toEqual([
      403,
      'not_project_member',
    ]);
    expectError(await search({ query, projectId: closed }, otherOrg.owner), 'NOT_FOUND');
    expectError(await search({ query, fileId: secret }, outsider), 'NOT_FOUND');
    const { key } = await keyWithScopes(server.db, org.orgId, org.member.userId, ['files:read']);
    expect(reasonOf(await search({ query }, { key }))).toEqual([403, 'missing_scope']);
  });

  it('200: filters by Project and file', async () => {
    const inClosed = await found({ query: 'ninety', projectId: closed });
    expect(inClosed.map(({ document }) => document.title)).not.toContain('contract.pdf');
    const inFile = await found({ query: 'ninety', fileId: contract });
    expect(new Set(inFile.map(({ document }) => document.fileId))).toEqual(new Set([contract]));
    expect(await found({ query: 'ninety', sourceId: 'none' })).toEqual([]);
  });

  it('200: a replay does not show what was deleted since', async () => {
    const id = await share(open, 'heron.md', 'Herons stand in the water for hours.');
    const again = { ...org.member, headers: { 'idempotency-key': `replay-${id}` } };
    const body = { query: 'herons in the water', fileId: id };
    const ask = () => call('POST', '/api/documents/search', again, body);
    expect(dataOf(await ask(), 200).items).toHaveLength(1);
    await call('DELETE', `/api/files/${id}`, org.owner);
    expectError(await ask(), 'NOT_FOUND');
  });
});

describe('GET /documents/{id}', () => {
  it('200: with the name that its file has now; 404 for others', async () => {
    const [best] = await found({ query: 'notice', fileId: contract });
    const path = `/api/documents/${best?.document.id}`;
    await send('PATCH', `/api/files/${contract}`, org.owner, { name: 'agreement.pdf' });
    const document = dataOf(await call('GET', path, org.member), 200);
    expect(document).toMatchObject({
      title: 'agreement.pdf',
      fileId: contract,
      projectId: open,
      mediaType: 'application/pdf',
      language: 'en',
      sourceId: null,
      passages: 3,
    });
    await send('PATCH', `/api/files/${contract}`, org.owner, { name: 'contract.pdf' });
    expectError(await call('GET', path, otherOrg.owner), 'NOT_FOUND');
    const [hidden] = await found({ query: 'salaries', fileId: secret });
    expectError(await call('GET', `/api/documents/${hidden?.document.id}`, outsider), 'NOT_FOUND');
  });
});

describe('a deleted file', () => {
  it('leaves no page, document or passage', async () => {
    const id = await share(open, 'otter.md', 'Otters hold hands while they sleep.');
    const [best] = await found({ query: 'otters', fileId: id });
    const documentId = best?.document.id;
    dataOf(await call('GET', `/api/documents/${documentId}`, org.member), 200);
    expect((await call('DELETE', `/api/files/${id}`, org.owner)).status).toBe(204);
    expectError(await call('GET', `/api/documents/${documentId}`, org.member), 'NOT_FOUND');
    expectError(await call('GET', `/api/files/${id}/text`, org.member), 'NOT_FOUND');
    const items = await found({ query: 'otters hold hands', limit: 50 });
    expect(items.map(({ document }) => document.id)).not.toContain(documentId);
    const [left] = await server.db.query<{ rows: number }>(
      `SELECT (SELECT count(*) FROM passages WHERE document_id = $2)
         + (SELECT count(*) FROM file_pages WHERE file_id = $1) AS rows`,
      [id, documentId],
    );
    expect(left?.rows).toBe(0);
  });
});
