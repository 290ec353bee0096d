import { beforeEach, describe, expect, it } from 'vitest';
import { browserWith, tokenFor, type Browser } from '../harness/clients/browser.ts';
import type { Reply } from '../harness/clients/client.ts';
import type { Person } from '../harness/factories.ts';
import { useMailServer } from '../harness/outside/use-mail-server.ts';
import { raceOnPerson } from './race-on-person.ts';

const PASSWORD = 'the password of a thief';

const server = useMailServer();
let person: Person;
let thief: Browser;
let taken: string;
let undoToken: string;

beforeEach(async () => {
  ({ person, browser: thief } = await server.signInSomeone());
  taken = `taken.${person.email}`;
  await post('/web/email-changes', { email: taken }, thief);
  const token = await tokenFor(server, taken, 'email-change');
  expect((await post('/web/email-changes/confirm', { token }, thief)).status).toBe(200);
  const [note] = await server.mailTo(person.email);
  undoToken = /undo-email#token=(\w+)/.exec(note?.text ?? '')?.[1] ?? '';
});

const post = (path: string, body: object, by = browserWith(server)) =>
  by.call('POST', path, { body });

/** Sends `racer` while the undo runs, and lets the undo commit first. */
async function raceUndo(racer: () => Promise<Reply>): Promise<Reply> {
  const undo = () => post('/web/email-changes/undo', { token: undoToken });
  const [undone, raced] = await raceOnPerson(server.db, person.userId, [undo, racer]);
  expect(undone?.status, undone?.text).toBe(200);
  return raced as Reply;
}

async function standing() {
  const [row] = await server.db.query<{ email: string; hasPassword: boolean; sessions: number }>(
    `SELECT email, password_hash IS NOT NULL AS "hasPassword",
       (SELECT count(*)::int FROM web_sessions s WHERE s.user_id = u.id) AS sessions
     FROM users u WHERE id = $1`,
    [person.userId],
  );
  return row;
}

describe('while a change of address is being undone', () => {
  const restored = () => ({ email: person.email, hasPassword: false, sessions: 0 });

  it('no password is set', async () => {
    const reply = await raceUndo(() =>
      thief.call('PUT', '/web/password', { body: { password: PASSWORD } }),
    );
    expect(reply.status).toBe(401);
    expect(await standing()).toEqual(restored());
  });

  it('nobody signs in with the password that is removed', async () => {
    await thief.call('PUT', '/web/password', { body: { password: PASSWORD } });
    const reply = await raceUndo(() => post('/web/sign-in', { email: taken, password: PASSWORD }));
    expect(reply.status).toBe(401);
    expect(await standing()).toEqual(restored());
  });

  it('nobody signs in with a link to the address that is removed', async () => {
    // Created after the undo has ended the open links.
    const reply = await raceUndo(async () => {
      await post('/web/sign-in-links', { email: taken });
      return post('/web/sign-in', { token: await tokenFor(server, taken) });
    });
    expect(reply.status).toBe(404);
    expect(await standing()).toEqual(restored());
  });

  it('no key is created, in the browser or with a key', async () => {
    const body = { name: 'stolen', scopes: ['keys:write'] };
    const liveKeys = async () => {
      const [row] = await server.db.query<{ count: number }>(
        `SELECT count(*)::int FROM api_keys k WHERE k.created_by_id = $1 AND k.revoked_at IS NULL`,
        [person.userId],
      );
      return row?.count;
    };
    const key = (await thief.call('POST', '/api/keys', { body })).json.data.secret as string;
    const byCookie = () => thief.call('POST', '/api/keys', { body });
    const byKey = () => server.call('POST', '/api/keys', { key, body });
    const undo = () => post('/web/email-changes/undo', { token: undoToken });
    const replies = await raceOnPerson(server.db, person.userId, [undo, byCookie, byKey]);
    expect(replies.map(({ status }) => status)).toEqual([200, 401, 401]);
    expect(await liveKeys()).toBe(0);
  });

  it('the address is not changed again', async () => {
    const next = `next.${person.email}`;
    await post('/web/email-changes', { email: next }, thief);
    const token = await tokenFor(server, next, 'email-change');
    const reply = await raceUndo(() => post('/web/email-changes/confirm', { token }, thief));
    expect(reply.json.error.details).toEqual({ reason: 'link_expired' });
    expect(await standing()).toEqual(restored());
  });
});
