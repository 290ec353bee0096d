import { describe, expect, it } from 'vitest';
import { expectError, problemsOf, reasonOf } from '../../../../test/harness/clients/envelope.ts';
import {
  openUpload,
  purgeTimeOf,
  uploadText,
} from '../../../../test/harness/clients/attachments.ts';
import { listExpired } from '../../files/removal/store.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { until } from '../../../../test/harness/stages/agent-stage.ts';

const { server, call, send, org } = useServerWithNewOrgs({ worker: true });

const DAY = 86_400_000;
const sendAt = () => new Date(Date.now() + 3_600_000).toISOString();

/** The jobs of the next hour run now. A reminder wakes the workers. */
async function passAnHour() {
  await server.db.query(
    `UPDATE jobs SET run_at = now() WHERE kind = 'send-scheduled-message' AND payload->>'orgId' = $1
       AND run_at < now() + interval '61 minutes'`,
    [org.orgId],
  );
  const at = new Date(Date.now() + DAY).toISOString();
  await send('POST', '/api/reminders', org.owner, { text: 'Tomorrow', at });
}

async function makeRoom() {
  const { id, slug } = await send('POST', '/api/projects', org.owner, {
    name: `R${Math.random()}`,
  });
  const sessions = `/api/spaces/${slug}/sessions`;
  const session = await send('POST', sessions, org.owner, { name: 'Talk' });
  const messages = `${sessions}/${session.id}/messages`;
  return {
    projectId: id as string,
    messages,
    upload: (name?: string) => uploadText(call, org.member, id, name),
    plan: (more: object) => call('POST', messages, org.member, { sendAt: sendAt(), ...more }),
    list: async () => (await send('GET', messages, org.owner)).items,
  };
}

const planned = async () => (await send('GET', '/api/scheduled-messages', org.member)).items;
const remove = (fileId: string) => send('DELETE', `/api/files/${fileId}`, org.member);

/** Whether a file would be purged once it has been attached to nothing for long enough. */
async function isPurged(fileId = ''): Promise<boolean> {
  await server.db.query(
    "UPDATE files SET purge_at = now() - interval '1 second' WHERE org_id = $1 AND id = $2 AND purge_at IS NOT NULL",
    [org.orgId, fileId],
  );
  const expired = await listExpired(server.db);
  return expired.some((file) => file.fileId === fileId);
}

describe('POST …/messages with sendAt and fileIds', () => {
  it('201: sent with its files, which nobody else reads until then', async () => {
    const room = await makeRoom();
    const fileIds = [await room.upload('later.txt')];
    const reply = await room.plan({ fileIds });
    expect(reply.json.data).toMatchObject({ body: '', attachments: [{ name: 'later.txt' }] });
    expect(await planned()).toMatchObject([{ body: '', attachments: [{ name: 'later.txt' }] }]);
    const path = `/api/files/${fileIds[0]}`;
    expect((await call('GET', path, org.owner)).status).toBe(404);
    expect(await isPurged(fileIds[0])).toBe(false);
    await passAnHour();
    await until(async () => (await room.list()).length === 1);
    expect(await room.list()).toMatchObject([{ body: '', attachments: [{ fileId: fileIds[0] }] }]);
    expect((await call('GET', path, org.owner)).status).toBe(200);
    expect(await purgeTimeOf(server.db, org.orgId, fileIds[0] ?? '')).toBeNull();
  });

  it('400, 404, 409: as a post is refused', async () => {
    const room = await makeRoom();
    expect(problemsOf(await room.plan({}))).toEqual(['body.body required']);
    const foreign = await uploadText(call, org.owner, room.projectId);
    expectError(await room.plan({ fileIds: [foreign] }), 'NOT_FOUND');
    const { id } = await openUpload(call, org.member, room.projectId, 'slow.txt');
    expect(reasonOf(await room.plan({ fileIds: [id] }))).toEqual([409, 'file_not_ready']);
    expect(await planned()).toEqual([]);
  });

  it('is not sent without a file that was deleted, but with others instead', async () => {
    const room = await makeRoom();
    const fileIds = [await room.upload('one.txt'), await room.upload('two.txt')];
    const { id } = (await room.plan({ body: 'Both', fileIds })).json.data;
    await remove(fileIds[0] ?? '');
    expect(await planned()).toMatchObject([{ attachments: [{ name: 'two.txt' }] }]);
    await passAnHour();
    await until(async () => (await planned())[0]?.status === 'FAILED');
    expect((await planned())[0].failure).toContain('file');
    expect(await room.list()).toEqual([]);
    const again = { fileIds: fileIds.slice(1), sendAt: sendAt() };
    await send('PATCH', `/api/scheduled-messages/${id}`, org.member, again);
    await passAnHour();
    await until(async () => (await room.list()).length === 1);
    expect(await room.list()).toMatchObject([{ body: 'Both', attachments: [{ name: 'two.txt' }] }]);
  });
});

describe('PATCH and DELETE /scheduled-messages/{id} with files', () => {
  it('200: other files take their place, and those that it had are kept for another week', async () => {
    const room = await makeRoom();
    const [one, other] = [await room.upload('one.txt'), await room.upload('other.txt')];
    const { id } = (await room.plan({ fileIds: [one] })).json.data;
    const path = `/api/scheduled-messages/${id}`;
    const after = await send('PATCH', path, org.member, { fileIds: [other] });
    expect(after.attachments).toMatchObject([{ name: 'other.txt' }]);
    const purgeAt = await purgeTimeOf(server.db, org.orgId, one);
    expect(Math.round((purgeAt!.getTime() - Date.now()) / DAY)).toBe(7);
  });

  it('200, 400: the text may become empty only if there are files', async () => {
    const room = await makeRoom();
    const fileIds = [await room.upload()];
    const { id } = (await room.plan({ body: 'Look', fileIds })).json.data;
    const path = `/api/scheduled-messages/${id}`;
    expect(await send('PATCH', path, org.member, { body: '' })).toMatchObject({ body: '' });
    const empty = await call('PATCH', path, org.member, { fileIds: [] });
    expect(problemsOf(empty)).toEqual(['body.body required']);
    expect((await planned())[0].attachments).toHaveLength(1);
  });

  it('204: keeps the files for another week', async () => {
    const room = await makeRoom();
    const fileId = await room.upload();
    const { id } = (await room.plan({ fileIds: [fileId] })).json.data;
    await send('DELETE', `/api/scheduled-messages/${id}`, org.member);
    const purgeAt = await purgeTimeOf(server.db, org.orgId, fileId);
    expect(Math.round((purgeAt!.getTime() - Date.now()) / DAY)).toBe(7);
    expect(await isPurged(fileId)).toBe(true);
  });
});
