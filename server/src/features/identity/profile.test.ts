import { describe, expect, it } from 'vitest';
import { signIn } from '../../../test/harness/clients/browser.ts';
import {
  dataOf,
  expectError,
  problemsOf,
  reasonOf,
} from '../../../test/harness/clients/envelope.ts';
import { readExport } from '../../../test/harness/clients/untar.ts';
import { addPerson, createTestOrg, keyWithScopes } from '../../../test/harness/factories.ts';
import { makeJpeg, makePng, makeWebp, pngChunk } from '../../../test/harness/images.ts';
import { useServerWithNewOrgs } from '../../../test/harness/processes/use-test-org.ts';
import { purgePhotos } from './photos/store.ts';
import { purgeStatuses } from './store.ts';

const { server, call, org } = useServerWithNewOrgs();

const patch = (body: object, by: { key: string } = org.member) =>
  call('PATCH', '/api/me', by, body);
const get = async (by: { key: string }, path: string) => dataOf(await call('GET', path, by));
const memberAs = (by: { key: string }) =>
  get(by, `/api/org/${org.orgId}/members/${org.member.userId}`);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('PATCH /me', () => {
  it('200: title, status and time zone, which everybody in the org sees', async () => {
    const until = inAnHour();
    const profile = {
      title: 'Designer',
      status: { emoji: '🎧', text: 'In a meeting', until },
      timeZone: 'Europe/Berlin',
    };
    expect(dataOf(await patch(profile))).toMatchObject({ ...profile, photo: null });
    expect(await memberAs(org.owner)).toMatchObject({ ...profile, photo: null });
    const { items } = await get(org.owner, `/api/org/${org.orgId}/members`);
    expect(items).toContainEqual(
      expect.objectContaining({ userId: org.member.userId, ...profile }),
    );
    expect(dataOf(await patch({ name: 'Ada' }))).toMatchObject(profile);
    const cleared = { title: null, status: null, timeZone: null };
    expect(dataOf(await patch(cleared))).toMatchObject(cleared);
  });

  it('200: title and status belong to the org, photo and time zone to the person', async () => {
    const other = await createTestOrg(server.db);
    const both = await addPerson(server.db, org.orgId, 'MEMBER');
    await server.db.query(
      `INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, 'MEMBER')`,
      [other.orgId, both.userId],
    );
    const photo = makePng().toString('base64');
    const mine = { title: 'Designer', status: { text: 'Busy' }, timeZone: 'Asia/Tokyo', photo };
    const here = dataOf(await patch(mine, both));
    const there = await get(other.owner, `/api/org/${other.orgId}/members/${both.userId}`);
    expect(there).toMatchObject({ title: null, status: null, timeZone: 'Asia/Tokyo' });
    expect(there.photo).toBe(here.photo);
  });

  it('a status is gone at its end, everywhere, and erased soon after', async () => {
    await patch({ status: { text: 'At lunch', until: inAnHour() } });
    await server.db.query(`UPDATE memberships SET status_until = now() WHERE user_id = $1`, [
      org.member.userId,
    ]);
    expect((await get(org.member, '/api/me')).status).toBeNull();
    expect((await memberAs(org.owner)).status).toBeNull();
    expect(await purgeStatuses(server.db)).toBe(1);
    const rows = await server.db.query(
      `SELECT 1 AS one FROM memberships WHERE status_text LIKE '%lunch%'`,
    );
    expect(rows).toEqual([]);
  });

  it.each([
    [{ title: 'Boss\u200b' }, 'body.title', 'hidden_character'],
    [{ title: 'x'.repeat(121) }, 'body.title', 'too_long'],
    [{ status: { text: 'Here\u202e' } }, 'body.status.text', 'hidden_character'],
    [{ status: { text: ' ' } }, 'body.status.text', 'required'],
    [{ status: { text: 'x', emoji: 'ab' } }, 'body.status.emoji', 'invalid_value'],
    [{ status: { text: 'x', emoji: '👍👍' } }, 'body.status.emoji', 'invalid_value'],
    [
      { status: { text: 'x', until: '2020-01-01T00:00:00Z' } },
      'body.status.until',
      'invalid_value',
    ],
    [{ status: { emoji: '👍' } }, 'body.status.text', 'required'],
    [{ timeZone: 'Europe/Nowhere' }, 'body.timeZone', 'invalid_value'],
    [{ timeZone: '+01:00' }, 'body.timeZone', 'invalid_value'],
    [{ photo: 'not base64!' }, 'body.photo', 'invalid_format'],
  ])('400: %j', async (body, location, code) => {
    expect(problemsOf(await patch(body))).toEqual([`${location} ${code}`]);
  });

  it('403: a title and a status need an organisation', async () => {
    const { email, userId } = await addPerson(server.db, org.orgId, 'MEMBER');
    await call('DELETE', `/api/org/${org.orgId}/members/${userId}`, org.owner);
    const browser = await signIn(server, email);
    for (const body of [{ title: 'x' }, { status: { text: 'x' } }]) {
      expect(reasonOf(await browser.call('PATCH', '/api/me', { body }))).toEqual([
        403,
        'wrong_org',
      ]);
    }
    expect((await browser.call('PATCH', '/api/me', { body: { timeZone: 'UTC' } })).status).toBe(
      200,
    );
  });

  it('audits title and photo by name, and no status', async () => {
    await patch({ title: 'Spy', timeZone: 'Europe/Rome', photo: makePng().toString('base64') });
    await patch({ status: { text: 'Secretly elsewhere' } });
    const path = `/api/org/${org.orgId}/audit?actorUserId=${org.member.userId}`;
    const { items } = await get(org.owner, path);
    const details = (items as { action: string; details: object }[])
      .filter(({ action }) => action === 'member.profile_changed')
      .map((entry) => entry.details);
    expect(details).toEqual([{ fields: ['title'] }, { fields: ['photo'] }]);
  });
});

describe('a photo', () => {
  const load = (path: string, by: { key: string }) =>
    fetch(server.origin + path, { headers: { authorization: `Bearer ${by.key}` } });
  const set = async (file: Buffer): Promise<string> =>
    dataOf(await patch({ photo: file.toString('base64') })).photo;

  it.each([
    ['image/png', makePng(256)],
    ['image/jpeg', makeJpeg(32)],
    ['image/webp', makeWebp(64)],
  ])('200: %s, for people of the org, and nothing in it runs', async (type, file) => {
    const path = await set(file);
    const reply = await load(path, org.owner);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(await memberAs(org.owner)).toMatchObject({ photo: path });
  });

  it('200: without where it was taken, and without what follows its end', async () => {
    const notes = 'GPS 52.52 13.40';
    for (const file of [
      makePng(64, 64, [pngChunk('tEXt', Buffer.from(notes))]),
      makeJpeg(64, 64, notes),
      makeWebp(64, { notes }),
    ]) {
      const path = await set(Buffer.concat([file, Buffer.from('<script>')]));
      const kept = Buffer.from(await (await load(path, org.owner)).arrayBuffer());
      expect(kept.length).toBeGreaterThan(30);
      expect(kept.toString('latin1')).not.toMatch(/GPS|script/);
    }
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>')],
    ['GIF', Buffer.from('GIF89a@\0@\0\0\0\0;', 'latin1')],
    ['a PNG by its first bytes only', makePng().subarray(0, 20)],
    ['a PNG that ends early', makePng().subarray(0, -4)],
    ['a JPEG that ends early', makeJpeg().subarray(0, -2)],
    ['a PNG that moves', makePng(64, 64, [pngChunk('acTL', Buffer.alloc(8))])],
    ['a WebP that moves', makeWebp(64, { moves: true })],
    ['too wide', makePng(257)],
    ['too small', makePng(31)],
    ['no square', makeJpeg(64, 65)],
    ['too large', Buffer.concat([makePng(), Buffer.alloc(256 * 1024)])],
  ])('400: %s', async (_, file) => {
    const problems = problemsOf(await patch({ photo: file.toString('base64') }));
    expect(problems).toEqual([
      expect.stringMatching(/^body.photo (invalid_value|too_big|too_long)$/),
    ]);
  });

  it('404: an earlier photo, a removed one, and one that never was', async () => {
    const first = await set(makePng(64));
    const second = await set(makePng(65));
    expect(second).not.toBe(first);
    expect((await load(first, org.owner)).status).toBe(404);
    await patch({ photo: null });
    expect((await load(second, org.owner)).status).toBe(404);
    expect((await memberAs(org.owner)).photo).toBeNull();
  });

  it('404: for another org, and with a key for another org than they share', async () => {
    const path = await set(makePng());
    const other = await createTestOrg(server.db);
    expect((await load(path, other.owner)).status).toBe(404);
    const { key } = await keyWithScopes(server.db, other.orgId, org.member.userId, ['org:read']);
    expect((await load(path, { key })).status).toBe(401);
    // In both orgs. The key acts in the other one, where the person with the photo isn't.
    const both = await addPerson(server.db, other.orgId, 'MEMBER');
    await server.db.query(
      `INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, 'MEMBER')`,
      [org.orgId, both.userId],
    );
    expect((await load(path, both)).status).toBe(404);
    const browser = await signIn(server, both.email);
    expect((await browser.call('GET', path)).status).toBe(200);
  });

  it('is in the exports of the org and the person, and erased with the account', async () => {
    const { userId, email, key } = await addPerson(server.db, org.orgId, 'MEMBER');
    await patch({ photo: makePng(77).toString('base64') }, { key });
    const base64 = makePng(77).toString('base64');
    const file = { contentType: 'image/png', base64 };
    expect(await exported('/api/me/export', { key }, 'account')).toMatchObject([
      { photoFile: file },
    ]);
    const ofOrg = await exported(`/api/org/${org.orgId}/export`, org.owner, 'photos');
    expect(ofOrg).toEqual([{ userId, ...file }]);
    const browser = await signIn(server, email, { openedByLink: true });
    expect((await browser.call('DELETE', '/api/me', { body: {} })).status).toBe(204);
    const left = () => server.db.query('SELECT 1 AS one FROM photos WHERE user_id = $1', [userId]);
    expect(await left()).toEqual([]);
    await server.db.query(
      `INSERT INTO photos (user_id, content_type, bytes) VALUES ($1, 'image/png', '')`,
      [userId],
    );
    expect(await purgePhotos(server.db)).toBe(1);
    expect(await left()).toEqual([]);
  });

  async function exported(path: string, by: { key: string }, kind: string) {
    return readExport(Buffer.from(await (await load(path, by)).arrayBuffer()))[kind];
  }
});

describe('GET /org/{orgId}/members/{userId}', () => {
  it('404: nobody of this org', async () => {
    const { owner } = await createTestOrg(server.db);
    const path = `/api/org/${org.orgId}/members/${owner.userId}`;
    expectError(await call('GET', path, org.owner), 'NOT_FOUND');
  });
});
