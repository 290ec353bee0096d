import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SHOWS_WAITS } from '../../../../test/harness/databases/database.ts';
import {
  addPerson,
  createTestOrg,
  type Person,
  type TestOrg,
} from '../../../../test/harness/factories.ts';
import { useTestServer } from '../../../../test/harness/processes/use-test-server.ts';
import { tellEverybody } from '../../../../test/harness/stages/tell-everybody.ts';
import type { Queryable } from '../../../db/types.ts';
import { adoptUntold } from './service.ts';
import { tell } from './store.ts';

const server = useTestServer();
const { call } = server;
let org: TestOrg;
let leaver: Person;
let projectId: string;
let sessionPath: string;
let messageIds: string[];

/** A message mentions the leaver, and nobody has been told yet. */
beforeEach(async () => {
  org = await createTestOrg(server.db);
  leaver = await addPerson(server.db, org.orgId, 'MEMBER');
  await send(leaver, 'PATCH', '/me', { handle: 'leaver' });
  const { id, slug } = await send(org.owner, 'POST', '/projects', { name: 'Plans' });
  projectId = id;
  const sessions = `/spaces/${slug}/sessions`;
  const session = await send(org.owner, 'POST', sessions, { name: 'Talk' });
  sessionPath = `${sessions}/${session.id}`;
  messageIds = [await mentionLeaver()];
});

const mentionLeaver = async () =>
  (await send(org.owner, 'POST', `${sessionPath}/messages`, { body: '@leaver' })).id;

async function send({ key }: Person, method: string, path: string, body?: object) {
  const reply = await call(method, `/api${path}`, { key, ...(body && { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json?.data;
}

const remove = () => send(org.owner, 'DELETE', `/org/${org.orgId}/members/${leaver.userId}`);
const rows = () =>
  server.db.query('SELECT 1 AS one FROM notifications WHERE user_id = $1', [leaver.userId]);

/** As removing a member does. */
async function deleteIn(tx: Queryable): Promise<void> {
  for (const table of ['memberships', 'notifications']) {
    const values = [org.orgId, leaver.userId];
    await tx.query(`DELETE FROM ${table} WHERE org_id = $1 AND user_id = $2`, values);
  }
}

const somebodyWaits = () =>
  vi.waitFor(async () => {
    const waiting = await server.db.query(
      `SELECT 1 AS found FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting).toHaveLength(1);
  }, 30_000);

describe.runIf(SHOWS_WAITS)('whoever is removed meanwhile has nothing left', () => {
  it('if the removal began before the telling', async () => {
    const { told } = await server.db.transaction(async (tx) => {
      await deleteIn(tx);
      const telling = tell(server.db, org.orgId, { messageIds });
      await somebodyWaits();
      return { told: telling };
    });
    expect(await told).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('if the telling began before the removal', async () => {
    const { removed } = await server.db.transaction(async (tx) => {
      expect(await tell(tx, org.orgId, { messageIds })).toEqual([leaver.userId]);
      const removing = remove();
      await somebodyWaits();
      return { removed: removing };
    });
    await removed;
    expect(await rows()).toEqual([]);
  });

  it('if a task is assigned to them', async () => {
    const body = { title: 'Task', assigneeUserId: leaver.userId };
    const { created } = await server.db.transaction(async (tx) => {
      await deleteIn(tx);
      const creating = send(org.owner, 'POST', `/projects/${projectId}/tasks`, body);
      await somebodyWaits();
      return { created: creating };
    });
    await created;
    expect(await rows()).toEqual([]);
  });
});

it('tells once, whoever tells and however often', async () => {
  const people = [];
  for (const what of [{ messageIds }, { userId: leaver.userId }, { messageIds: [] }]) {
    people.push(await tell(server.db, org.orgId, what));
  }
  expect(people).toEqual([[leaver.userId], [], []]);
  expect(await rows()).toHaveLength(1);
});

it('counts whether the session was muted when the message was written, however late it is told', async () => {
  const mute = (muted: boolean) => send(leaver, 'PUT', `${sessionPath}/mute`, { muted });
  const told = async () => {
    await tell(server.db, org.orgId, { userId: leaver.userId });
    return (await send(leaver, 'GET', '/notifications')).items.map(
      ({ messageId }: { messageId: string }) => messageId,
    );
  };
  await mute(true);
  expect(await told()).toEqual(messageIds);
  await mentionLeaver();
  await mute(false);
  expect(await told()).toEqual(messageIds);
  const last = await mentionLeaver();
  expect(await told()).toEqual([last, ...messageIds]);
});

it('tells the others too of what was written before somebody muted the session', async () => {
  expect(await rows()).toEqual([]);
  await send(org.member, 'PUT', `${sessionPath}/mute`, { muted: true });
  expect(await rows()).toHaveLength(1);
});

it('an edit tells nobody new, even if nobody has been told of the message yet', async () => {
  const { handle } = await send(org.member, 'GET', '/me');
  const path = sessionPath.replace(/sessions.*/, `messages/${messageIds[0]}`);
  await send(org.owner, 'PATCH', path, { body: `@${handle}` });
  await tellEverybody(server.db);
  expect(await rows()).toHaveLength(1);
  expect((await send(org.member, 'GET', '/notifications')).items).toEqual([]);
});

it('tells people of what a process of the last release has left', async () => {
  const left = 'INSERT INTO untold_messages SELECT org_id, record_id FROM owed_events';
  await server.db.query(`${left} WHERE org_id = $1`, [org.orgId]);
  await server.db.query('DELETE FROM owed_events WHERE org_id = $1', [org.orgId]);
  expect(await adoptUntold(server.db)).toBe(1);
  expect(await adoptUntold(server.db)).toBe(0);
  await tellEverybody(server.db);
  expect(await rows()).toHaveLength(1);
});
