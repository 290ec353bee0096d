import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFolderMailer } from '../../../adapters/mail/folder.ts';
import type { Mailer } from '../../../adapters/mail/mailer.ts';
import { createJobQueue } from '../../../jobs/queue.ts';
import { addPerson, type Person } from '../../../../test/harness/factories.ts';
import { createMailFolder, type MailFolder } from '../../../../test/harness/clients/mail-folder.ts';
import { tellEverybody } from '../../../../test/harness/stages/tell-everybody.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { sendDigestMail } from './mail-job.ts';
import { DIGEST_MAIL, enqueueDigests, unsubscribeToken } from './service.ts';

const { server, call, send, org } = useServerWithNewOrgs();
let folder: MailFolder;
let mailer: Mailer;
let reader: Person;
let space: string;
let sessionId: string;

beforeAll(async () => {
  folder = await createMailFolder();
  const from = { name: 'Atrium', address: 'atrium@example.com' };
  mailer = createFolderMailer({ folder: join(folder.env.DATA_DIR, 'mail'), from, print: () => {} });
});
afterAll(() => folder.remove());
beforeEach(async () => {
  reader = await addPerson(server.db, org.orgId, 'MEMBER');
  space = `/api/spaces/${(await send('POST', '/api/projects', org.owner, { name: 'Plans' })).slug}`;
  sessionId = (await send('POST', `${space}/sessions`, org.owner, { name: 'Talk' })).id;
  await send('PATCH', '/api/me', reader, { handle: 'reader' });
  await send('PATCH', '/api/me', org.owner, { name: 'Ada' });
});

const post = (body: string, more: object = {}): Promise<{ id: string }> =>
  send('POST', `${space}/sessions/${sessionId}/messages`, org.owner, { body, ...more });

/** Everything of this org happened that long ago. */
async function pass(minutes: number): Promise<void> {
  await tellEverybody(server.db);
  const values = [org.orgId, minutes];
  const earlier = (column: string) => `${column} = ${column} - make_interval(mins => $2)`;
  await server.db.query(
    `UPDATE notifications SET ${earlier('created_at')} WHERE org_id = $1`,
    values,
  );
  await server.db.query(
    `UPDATE notification_digests SET ${earlier('claimed_at')} WHERE org_id = $1`,
    values,
  );
}

/** What the chore does each minute, in two processes at once. */
async function claim(): Promise<void> {
  const jobs = createJobQueue({ wake: () => {} });
  const look = async () => {
    await tellEverybody(server.db);
    await enqueueDigests(server.db, jobs);
  };
  await Promise.all([look(), look()]);
}

/** Runs each job twice, as after a crash; then the emails to the reader. */
async function sendAll() {
  const { db, tokens, origin: publicUrl } = server;
  const jobs = await db.query<{ id: number; payload: unknown }>(
    'SELECT id, payload FROM jobs WHERE kind = $1 ORDER BY id',
    [DIGEST_MAIL],
  );
  const { signal } = new AbortController();
  for (const { id, payload } of [...jobs, ...jobs]) {
    await sendDigestMail({ db, mailer, tokens, publicUrl }, payload, signal);
    await db.query('DELETE FROM jobs WHERE id = $1', [id]);
  }
  return folder.to(db, reader.email);
}

async function mails() {
  await claim();
  return sendAll();
}

const subjects = async () => (await mails()).map(({ subject }) => subject);
const choose = (emailNotifications: string) =>
  send('PATCH', '/api/me', reader, { emailNotifications });

describe('a digest', () => {
  it('comes after 15 minutes, once, with what is unread', async () => {
    const { id } = await post('@reader can you **check** the\n\n- <list>?');
    await pass(14);
    expect(await subjects()).toEqual([]);
    await pass(1);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toMatch(/^Ada mentioned you in Talk \(Org \d+\)$/);
    expect(mail?.text?.replaceAll('\n', ' ')).toContain('“@reader can you check the <list>?”');
    expect(mail?.text).toContain(`/s/${sessionId}?m=${id}`);
    expect(mail?.html).toContain('check the &lt;list&gt;');
    await pass(120);
    expect(await subjects()).toHaveLength(1);
  });

  it('leaves nothing in a name or a text that a mail program would turn into a link', async () => {
    await send('PATCH', '/api/me', org.owner, { name: 'www.evil.example' });
    await send('PATCH', `/api/org/${org.orgId}`, org.owner, { name: 'https://evil.example/prize' });
    await post('@reader see evil.example/login');
    await pass(15);
    await claim();
    const [mail] = await sendAll();
    for (const part of [mail?.subject, mail?.text, mail?.html]) {
      expect(part).toContain('evil.');
      expect(part).not.toMatch(/evil\.example|:\/\/evil/);
    }
  });

  it('gathers what came, and the next one comes an hour later', async () => {
    await post('@reader one');
    await post('@reader two');
    await pass(20);
    expect(await subjects()).toEqual([expect.stringMatching(/^2 unread notifications in Org/)]);
    await post('@reader three');
    await pass(30);
    expect(await subjects()).toHaveLength(1);
    await pass(31);
    const all = await subjects();
    expect(all).toHaveLength(2);
    expect(all[1]).toMatch(/^Ada mentioned you/);
  });

  it('has nothing that was read meanwhile, deleted, or that the reader may no longer see', async () => {
    const read = await post('@reader read');
    const deleted = await post('@reader deleted');
    await send('PUT', '/api/notifications/read', reader, { ids: [read.id] });
    await send('DELETE', `${space}/messages/${deleted.id}`, org.owner);
    await pass(20);
    expect(await subjects()).toEqual([]);
    await pass(61);
    await post('@reader soon closed');
    const { items } = await send('GET', '/api/projects', org.owner);
    await send('PATCH', `/api/projects/${items[0].id}`, org.owner, { access: 'MEMBERS' });
    await pass(20);
    expect(await subjects()).toEqual([]);
  });

  it('is not sent to a member who was removed', async () => {
    await post('@reader goodbye');
    await pass(20);
    await claim();
    await send('DELETE', `/api/org/${org.orgId}/members/${reader.userId}`, org.owner);
    expect(await sendAll()).toEqual([]);
    expect(await mails()).toEqual([]);
  });

  it('is obsolete once there is a newer one, and one that is late moves the next', async () => {
    await post('@reader one');
    await pass(20);
    await claim();
    await pass(61);
    await claim();
    expect(await sendAll()).toHaveLength(1);
    await post('@reader two');
    await pass(59);
    expect(await mails()).toHaveLength(1);
    await pass(2);
    expect(await mails()).toHaveLength(2);
  });

  it('has mentions only, everything, or is not sent, as the person chooses', async () => {
    const parent = await send('POST', `${space}/sessions/${sessionId}/messages`, reader, {
      body: 'Shall we?',
    });
    const replyAndPass = async () => {
      await post('A reply', { parentMessageId: parent.id });
      await pass(61);
      return (await subjects()).length;
    };
    expect((await send('GET', '/api/me', reader)).emailNotifications).toBe('MENTIONS');
    expect(await replyAndPass()).toBe(0);
    expect((await choose('ALL')).emailNotifications).toBe('ALL');
    expect(await replyAndPass()).toBe(1);
    await post('@reader');
    await choose('NONE');
    expect(await replyAndPass()).toBe(1);
    const refused = await call('PATCH', '/api/me', reader, { emailNotifications: 'SOME' });
    expect(refused.status).toBe(400);
  });
});

it('has tasks for those who chose everything, with a link to the task', async () => {
  const { items } = await send('GET', '/api/projects', org.owner);
  const assign = (title: string) =>
    send('POST', `/api/projects/${items[0].id}/tasks`, org.owner, {
      title,
      assigneeUserId: reader.userId,
    });
  await assign('Compare');
  await choose('ALL');
  await assign('Compare <prices>');
  await pass(20);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail?.subject).toMatch(/^Ada assigned you task #2 in Plans \(Org \d+\)$/);
  expect(mail?.text).toContain('“Compare <prices>”');
  expect(mail?.text).toContain(`${space.replace('/api/spaces', '/p')}/t/2`);
});

describe('POST /web/unsubscribe/{token}', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const unsubscribe = (url: string) =>
    fetch(url, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' });

  it('200: the link in the header stops the emails of this organisation, without a cookie', async () => {
    await post('@reader');
    await pass(20);
    const [mail] = await mails();
    const list = mail?.headers.get('list') as { unsubscribe?: { url?: string } } | undefined;
    const path = new URL(list?.unsubscribe?.url ?? '').pathname;
    expect((await fetch(server.origin + path)).status).toBe(404);
    expect((await send('GET', '/api/me', reader)).emailNotifications).toBe('MENTIONS');
    const reply = await unsubscribe(server.origin + path);
    expect(reply.status).toBe(200);
    expect((await send('GET', '/api/me', reader)).emailNotifications).toBe('NONE');
    expect((await unsubscribe(server.origin + path)).status).toBe(200);
    expect(server.logLines.join('\n')).not.toContain(path);
  });

  it('404: a token of somebody else, or none', async () => {
    const token = unsubscribeToken(server.tokens, { orgId: org.orgId, userId: reader.userId });
    const [orgId = '', userId = '', signature = ''] = token.split('.');
    for (const bad of [
      'x',
      `${orgId}.${org.owner.userId}.${signature}`,
      `${orgId}.${userId}.${signature.slice(1)}`,
      `${orgId}.${userId}.`,
      `${userId}.${orgId}.${signature}`,
    ]) {
      expect((await unsubscribe(`${server.origin}/web/unsubscribe/${bad}`)).status).toBe(404);
    }
    expect((await send('GET', '/api/me', reader)).emailNotifications).toBe('MENTIONS');
  });
});
