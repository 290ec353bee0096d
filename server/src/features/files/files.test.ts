import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, problemsOf, reasonOf } from '../../../test/harness/clients/envelope.ts';
import { addFile, beginUpload, putBytes } from '../../../test/harness/clients/uploads.ts';
import { addPerson, type Person } from '../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../test/harness/processes/use-test-org.ts';

const MEBIBYTE = 1024 ** 2;
const { server, call, org } = useServerWithNewOrgs({
  worker: true,
  env: { FILES_MAX_MB: '700', FILES_QUOTA_GB: '1' },
});
const as = ({ key }: { key: string }) => ({ call, key });
const bytes = Buffer.from('What we agreed.\n');

let projectId: string;
const filesOf = () => `/api/projects/${projectId}/files`;

async function createProject(body: object = {}): Promise<string> {
  const named = { name: `Project ${Math.random()}`, ...body };
  return dataOf(await call('POST', '/api/projects', org.owner, named)).id;
}

beforeEach(async () => void (projectId = await createProject()));

const add = (person: Person, name = 'notes.txt') => addFile(as(person), { projectId, bytes, name });
const names = async (person: Person, query = '') =>
  dataOf(await call('GET', `${filesOf()}${query}`, person)).items.map(
    ({ name }: { name: string }) => name,
  );

describe('POST /projects/{projectId}/files', () => {
  it('201: the record, and where the bytes go', async () => {
    const body = { name: 'contract.pdf', size: 5, mediaType: 'Application/PDF; x=y' };
    const data = dataOf(await call('POST', filesOf(), org.member, body), 201);
    expect(data).toMatchObject({
      projectId,
      name: 'contract.pdf',
      size: 5,
      mediaType: 'application/pdf',
      status: 'UPLOADING',
      sha256: null,
      text: 'NONE',
      isShared: false,
      uploadedById: org.member.userId,
    });
    expect(data.uploadUrl).toBe(`${server.origin}/api/files/${data.id}/upload`);
    expect(dataOf(await call('GET', `/api/files/${data.id}`, org.member)).status).toBe('UPLOADING');
  });

  it('201: the same for the same Idempotency-Key, unless it was deleted', async () => {
    const options = { key: org.member.key, headers: { 'idempotency-key': 'once' } };
    const body = { name: 'a', size: 1 };
    const first = dataOf(await call('POST', filesOf(), options, body));
    expect(dataOf(await call('POST', filesOf(), options, body))).toEqual(first);
    await call('DELETE', `/api/files/${first.id}`, org.member);
    expect((await call('POST', filesOf(), options, body)).status).toBe(404);
  });

  it.each([
    ['an empty file', { size: 0 }, 'body.size too_small'],
    ['half a byte', { size: 1.5 }, 'body.size invalid_type'],
    ['one byte too many', { size: 700 * MEBIBYTE + 1 }, 'body.size too_big'],
    ['no name', { name: ' ' }, 'body.name required'],
    ['256 characters', { name: 'x'.repeat(256) }, 'body.name too_long'],
    ['a path', { name: '../../x' }, 'body.name invalid_name'],
    ['a path of Windows', { name: 'C:\\x' }, 'body.name invalid_name'],
    ['a folder', { name: '..' }, 'body.name invalid_name'],
    ['a hidden turn', { name: 'a\u202egnp.exe' }, 'body.name hidden_character'],
    ['a line break', { name: 'a\nb' }, 'body.name hidden_character'],
  ])('400: %s', async (_what, wrong, problem) => {
    const reply = await call('POST', filesOf(), org.member, { name: 'a', size: 1, ...wrong });
    expect(problemsOf(reply)).toEqual([problem]);
  });

  it('201: names of any script and 255 emoji are kept as they are', async () => {
    for (const name of ['  договор .pdf', 'a"b%c;d.txt', '😀'.repeat(255)]) {
      const data = dataOf(await call('POST', filesOf(), org.member, { name, size: 1 }), 201);
      expect(data.name).toBe(name);
    }
  });

  it('404 and 403: another organisation, and a Project one does not belong to', async () => {
    projectId = await createProject({ access: 'MEMBERS' });
    const body = { name: 'a', size: 1 };
    expect(reasonOf(await call('POST', filesOf(), org.member, body))).toEqual([
      403,
      'not_project_member',
    ]);
    projectId = 'c'.padEnd(25, '0');
    expect((await call('POST', filesOf(), org.member, body)).status).toBe(404);
  });

  it('409: an archived Project', async () => {
    await call('DELETE', `/api/projects/${projectId}`, org.owner);
    const reply = await call('POST', filesOf(), org.member, { name: 'a', size: 1 });
    expect(reasonOf(reply)).toEqual([409, 'project_archived']);
  });

  it('409: announced sizes reach the quota, also when many come at once, and deleting makes room', async () => {
    const size = 400 * MEBIBYTE;
    const begun = await beginUpload(as(org.member), { projectId, bytes });
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => call('POST', filesOf(), org.member, { name: 'a', size })),
    );
    const created = replies.filter(({ status }) => status === 201);
    expect(created).toHaveLength(2);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.json.error.details).toEqual({
      reason: 'quota_reached',
      maxBytes: 1024 * MEBIBYTE,
      usedBytes: 800 * MEBIBYTE + bytes.length,
      size,
    });
    // What was announced before has its place.
    expect((await putBytes(as(org.member), begun.path, bytes)).status).toBe(200);
    await call('DELETE', `/api/files/${created[0]?.json.data.id}`, org.member);
    const again = await call('POST', filesOf(), org.member, { name: 'a', size });
    expect(again.status).toBe(201);
  });
});

describe('GET /org/{orgId}/files/usage', () => {
  it('200: what files take, and uploads will', async () => {
    await add(org.member);
    await beginUpload(as(org.member), { projectId, bytes: Buffer.alloc(1000) });
    const usage = dataOf(await call('GET', `/api/org/${org.orgId}/files/usage`, org.member));
    expect(usage).toEqual({ bytes: bytes.length + 1000, files: 2, maxBytes: 1024 * MEBIBYTE });
  });
});

describe('who reads a file', () => {
  it('404: somebody else’s that is attached to nothing, until it is shared', async () => {
    const { id } = await add(org.member);
    for (const path of ['', '/content', '/preview']) {
      expect((await call('GET', `/api/files/${id}${path}`, org.owner)).status).toBe(404);
    }
    expect(await names(org.owner)).toEqual([]);
    expect(await names(org.member)).toEqual(['notes.txt']);
    const shared = await call('PATCH', `/api/files/${id}`, org.member, { isShared: true });
    expect(dataOf(shared).isShared).toBe(true);
    expect(await names(org.owner)).toEqual(['notes.txt']);
    expect((await call('GET', `/api/files/${id}/content`, org.owner)).text).toBe(bytes.toString());
  });

  it('404: an uploader who lost the Project, and somebody of another organisation', async () => {
    projectId = await createProject({ access: 'MEMBERS' });
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    const member = `/api/projects/${projectId}/members/${person.userId}`;
    await call('PUT', member, org.owner);
    const { id } = await add(person);
    expect((await call('GET', `/api/files/${id}`, person)).status).toBe(200);
    await call('DELETE', member, org.owner);
    expect((await call('GET', `/api/files/${id}`, person)).status).toBe(404);
  });
});

describe('GET /projects/{projectId}/files', () => {
  it('200: newest first, by name, by type, by page', async () => {
    await add(org.member, 'Plan of March.md');
    await add(org.member, 'plan.csv');
    await add(org.member, 'other.txt');
    expect(await names(org.member)).toEqual(['other.txt', 'plan.csv', 'Plan of March.md']);
    expect(await names(org.member, '?query=PLAN')).toEqual(['plan.csv', 'Plan of March.md']);
    expect(await names(org.member, '?query=march%20plan')).toEqual(['Plan of March.md']);
    expect(await names(org.member, '?type=text/c')).toEqual(['plan.csv']);
    expect(await names(org.member, '?limit=1&page=2')).toEqual(['plan.csv']);
    expect(await names(org.member, '?query=%25')).toEqual([]);
    const past = dataOf(await call('GET', `${filesOf()}?page=9`, org.member));
    expect(past).toMatchObject({ items: [], total: 3, page: 9 });
  });

  it('403 and 404: a Project one does not belong to', async () => {
    projectId = await createProject({ access: 'MEMBERS' });
    expect((await call('GET', filesOf(), org.member)).status).toBe(403);
  });
});

describe('GET /files', () => {
  const found = async (person: Person, query = '') =>
    dataOf(await call('GET', `/api/files${query}`, person)).items.map(
      ({ name }: { name: string }) => name,
    );

  it('200: of every Project that one belongs to, newest first, by name, by type, by page', async () => {
    await add(org.owner, 'Own plan.md');
    const open = await add(org.owner, 'Open plan.csv');
    projectId = await createProject({ access: 'MEMBERS' });
    const closed = await add(org.owner, 'Closed plan.csv');
    for (const { id } of [open, closed]) {
      await call('PATCH', `/api/files/${id}`, org.owner, { isShared: true });
    }
    expect(await found(org.owner)).toEqual(['Closed plan.csv', 'Open plan.csv', 'Own plan.md']);
    expect(await found(org.owner, '?query=PLAN%20clo')).toEqual(['Closed plan.csv']);
    expect(await found(org.owner, '?type=text/m')).toEqual(['Own plan.md']);
    expect(await found(org.owner, '?query=_')).toEqual([]);
    expect(await found(org.member)).toEqual(['Open plan.csv']);
    const second = dataOf(await call('GET', '/api/files?limit=1&page=2', org.owner));
    expect(second).toMatchObject({ items: [{ id: open.id }], total: 3 });
    const past = dataOf(await call('GET', '/api/files?page=9', org.member));
    expect(past).toMatchObject({ items: [], total: 1 });
  });
});

describe('PATCH and DELETE /files/{id}', () => {
  it('200 and 204: the uploader, OWNER and ADMIN; 403: others who may read it', async () => {
    const other = await addPerson(server.db, org.orgId, 'MEMBER');
    const { id } = await add(org.member);
    await call('PATCH', `/api/files/${id}`, org.member, { isShared: true });
    for (const person of [org.member, org.admin, org.owner]) {
      const name = `${person.userId}.txt`;
      expect(dataOf(await call('PATCH', `/api/files/${id}`, person, { name })).name).toBe(name);
    }
    const refused = await call('PATCH', `/api/files/${id}`, other, { name: 'x' });
    expect(reasonOf(refused)).toEqual([403, 'role']);
    expect(reasonOf(await call('DELETE', `/api/files/${id}`, other))).toEqual([403, 'role']);
    expect((await call('DELETE', `/api/files/${id}`, org.admin)).status).toBe(204);
    expect((await call('GET', `/api/files/${id}`, org.member)).status).toBe(404);
  });

  it('404: OWNER and ADMIN, for a file that they may not read', async () => {
    const { id } = await add(org.member);
    for (const person of [org.owner, org.admin]) {
      const renamed = await call('PATCH', `/api/files/${id}`, person, { name: 'x' });
      expect(renamed.status).toBe(404);
      expect((await call('DELETE', `/api/files/${id}`, person)).status).toBe(404);
    }
  });

  it('400 and 409: a hostile name, an archived Project', async () => {
    const { id } = await add(org.member);
    const renamed = await call('PATCH', `/api/files/${id}`, org.member, { name: 'a/b' });
    expect(problemsOf(renamed)).toEqual(['body.name invalid_name']);
    await call('DELETE', `/api/projects/${projectId}`, org.owner);
    for (const [method, body] of [['PATCH', { name: 'x' }], ['DELETE']] as const) {
      const reply = await call(method, `/api/files/${id}`, org.member, body);
      expect(reasonOf(reply)).toEqual([409, 'project_archived']);
    }
  });

  it('leaves no bytes and no rows', async () => {
    const { id } = await add(org.member);
    await call('DELETE', `/api/files/${id}`, org.member);
    for (const table of ['files', 'file_uploads', 'file_uses', 'file_remains']) {
      const rows = await server.db.query(`SELECT 1 AS one FROM ${table} WHERE org_id = $1`, [
        org.orgId,
      ]);
      expect(rows, table).toEqual([]);
    }
  });
});
