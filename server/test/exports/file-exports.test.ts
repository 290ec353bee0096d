import { beforeEach, describe, expect, it } from 'vitest';
import type { TestOrg } from '../harness/factories.ts';
import { readExport, untar } from '../harness/clients/untar.ts';
import { addStoredFile, type StoredFile } from '../harness/stored-file.ts';
import { useExportStage } from '../harness/stages/export-stage.ts';
import { useFolder } from '../harness/use-folder.ts';

const folder = useFolder();
const stage = useExportStage(() => ({ DATA_DIR: folder.path }));
const { server, exportOrg, exportOwn, bytesOf, post, get, makeRoom } = stage;
let org: TestOrg;
let room: Awaited<ReturnType<typeof makeRoom>>;

beforeEach(async () => {
  ({ org } = stage);
  room = await makeRoom('ORG', []);
});

const add = (file: Partial<StoredFile> & { name: string; content: string }) =>
  addStoredFile(server.db, folder.path, {
    orgId: org.orgId,
    projectId: room.project.id,
    uploadedById: org.member.userId,
    mediaType: 'text/plain',
    ...file,
  });

/** The bytes in an export, by the name that their record has. */
async function contentsOf(response: Promise<Response>): Promise<Record<string, string>> {
  const bytes = await bytesOf(await response);
  const entries = untar(bytes);
  const records = readExport(bytes)['files'] ?? [];
  const paths = records.map(({ path }) => path);
  expect(new Set(paths).size).toBe(records.length);
  const found = [...entries.keys()].filter((name) => name.startsWith('files/'));
  expect(new Set(found)).toEqual(new Set(paths));
  return Object.fromEntries(records.map(({ name, path }) => [name, entries.get(path) ?? 'none']));
}

describe('GET /org/{orgId}/export', () => {
  it('200: every file that is attached or shared with its bytes, and nobody’s drafts', async () => {
    const { id: messageId } = await post(org.member.key, room.messages, { body: 'See this' });
    await add({ name: 'attached.txt', content: 'in a message', messageId });
    await add({ name: 'shared.txt', content: 'for all', isShared: true });
    await add({ name: 'draft.txt', content: 'mine alone' });
    expect(await contentsOf(exportOrg())).toEqual({
      'attached.txt': 'in a message',
      'shared.txt': 'for all',
    });
  });

  it('200: names that would be paths, or are the same, are safe and apart in the archive', async () => {
    const names = [
      'same.txt',
      'same.txt',
      '../../etc/passwd',
      '.bashrc',
      `${'é😀'.repeat(80)}.pdf`,
    ];
    for (const [at, name] of names.entries()) {
      await add({ name, content: `content ${at}`, isShared: true });
    }
    const entries = [...untar(await bytesOf(await exportOrg())).entries()].filter(([name]) =>
      name.startsWith('files/'),
    );
    expect(entries.map(([, content]) => content).toSorted()).toEqual(
      names.map((_name, at) => `content ${at}`),
    );
    for (const [name] of entries) expect(name).toMatch(/^files\/c\w{24}-[\w.-]{0,60}$/);
  });

  it('200: without the bytes that were deleted meanwhile', async () => {
    await add({ name: 'there.txt', content: 'there', isShared: true });
    const gone = await add({ name: 'gone.txt', content: 'gone', isShared: true });
    await server.db.query('UPDATE files SET storage_key = $3 WHERE org_id = $1 AND id = $2', [
      org.orgId,
      gone.id,
      `${org.orgId}/none`,
    ]);
    const entries = untar(await bytesOf(await exportOrg()));
    expect([...entries.values()]).toContain('there');
    expect([...entries.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(1);
  });
});

describe('GET /me/export', () => {
  it('200: what the caller uploaded and may still read, drafts included', async () => {
    await add({ name: 'mine.txt', content: 'mine', isShared: true });
    await add({ name: 'draft.txt', content: 'mine alone' });
    await add({
      name: 'other.txt',
      content: 'theirs',
      isShared: true,
      uploadedById: org.admin.userId,
    });
    const sessions = room.messages.split('/sessions/')[0];
    const participantUserIds = [org.admin.userId];
    const session = await post(org.member.key, `${sessions}/sessions`, {
      name: 'Private',
      access: 'PARTICIPANTS',
      participantUserIds: [...participantUserIds, org.member.userId],
    });
    const messages = `${sessions}/sessions/${session.id}/messages`;
    const { id: messageId } = await post(org.member.key, messages, { body: 'For us' });
    await add({ name: 'private.txt', content: 'for us', messageId });
    const before = { 'mine.txt': 'mine', 'draft.txt': 'mine alone', 'private.txt': 'for us' };
    expect(await contentsOf(exportOwn(org.member.key))).toEqual(before);
    await server.call('PATCH', `/api${sessions}/sessions/${session.id}`, {
      key: org.member.key,
      body: { participantUserIds },
    });
    const { 'private.txt': _lost, ...after } = before;
    expect(await contentsOf(exportOwn(org.member.key))).toEqual(after);
    expect(await get(org.member.key, '/me')).toBeDefined();
  });
});

it('drafts of somebody who leaves are deleted next, and what others see of theirs stays', async () => {
  const draft = await add({ name: 'draft.txt', content: 'mine alone' });
  const shared = await add({ name: 'shared.txt', content: 'for all', isShared: true });
  const path = `/api/org/${org.orgId}/members/${org.member.userId}`;
  expect((await server.call('DELETE', path, { key: org.owner.key })).status).toBe(204);
  const rows = await server.db.query(
    `SELECT id, purge_at <= now() AS "isDue" FROM files WHERE org_id = $1 ORDER BY name`,
    [org.orgId],
  );
  expect(rows).toEqual([
    { id: draft.id, isDue: true },
    { id: shared.id, isDue: null },
  ]);
});
