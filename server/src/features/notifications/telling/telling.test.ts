import { beforeEach, describe, expect, it } from 'vitest';
import { SHOWS_WAITS } from '../../../../test/harness/databases/database.ts';
import { untilLocked } from '../../../../test/harness/databases/lock-waits.ts';
import { addPerson, type Person } from '../../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { tellEverybody } from '../../../../test/harness/stages/tell-everybody.ts';
import type { Queryable } from '../../../db/types.ts';
import { adoptUntold } from './service.ts';
import { tell } from './store.ts';

const { server, send, org } = useServerWithNewOrgs();
let leaver: Person;
let projectId: string;
let sessionPath: string;
let messageIds: string[];

/** A message mentions the leaver, and nobody has been told yet. */
beforeEach(async () => {
  leaver = await addPerson(server.db, org.orgId, 'MEMBER');
  await send('PATCH', '/api/me', leaver, { handle: 'leaver' });
  const { id, slug } = await send('POST', '/api/projects', org.owner, { name: 'Plans' });
  projectId = id;
  const sessions = `/api/spaces/${slug}/sessions`;
  const session = await send('POST', sessions, org.owner, { name: 'Talk' });
  sessionPath = `${sessions}/${session.id}`;
  messageIds = [await mentionLeaver()];
});

const mentionLeaver = async () =>
  (await send('POST', `${sessionPath}/messages`, org.owner, { body: '@leaver' })).id;

const remove = () => send('DELETE', `/api/org/${org.orgId}/members/${leaver.userId}`, org.owner);
const rows = () =>
  server.db.query('SELECT 1 AS one FROM notifications WHERE user_id = $1', [leaver.userId]);

/** As removing a member does. */
async function deleteIn(tx: Queryable): Promise<void> {
  for (const table of ['memberships', 'notifications']) {
    const values = [org.orgId, leaver.userId];
    await tx.query(`DELETE FROM ${table} WHERE org_id = $1 AND user_id = $2`, values);
  }
}

describe.runIf(SHOWS_WAITS)('whoever is removed meanwhile has nothing left', () => {
  it('if the removal began before the telling', async () => {
    const { told } = await server.db.transaction(async (tx) => {
      await deleteIn(tx);
      const telling = tell(server.db, org.orgId, { messageIds, present: [] });
      await untilLocked(server.db);
      return { told: telling };
    });
    expect(await told).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('if the telling began before the removal', async () => {
    const { removed } = await server.db.transaction(async (tx) => {
      expect(await tell(tx, org.orgId, { messageIds, present: [] })).toEqual([leaver.userId]);
      const removing = remove();
      await untilLocked(server.db);
      return { removed: removing };
    });
    await removed;
    expect(await rows()).toEqual([]);
  });

  it('if a task is assigned to them', async () => {
    const body = { title: 'Task', assigneeUserId: leaver.userId };
    const { created } = await server.db.transaction(async (tx) => {
      await deleteIn(tx);
      const creating = send('POST', `/api/projects/${projectId}/tasks`, org.owner, body);
      await untilLocked(server.db);
      return { created: creating };
    });
    await created;
    expect(await rows()).toEqual([]);
  });
});

it('tells once, whoever tells and however often', async () => {
  const people = [];
  for (const what of [{ messageIds }, { userId: leaver.userId }, { messageIds: [] }]) {
    people.push(await tell(server.db, org.orgId, { ...what, present: [] }));
  }
  expect(people).toEqual([[leaver.userId], [], []]);
  expect(await rows()).toHaveLength(1);
});

it('counts what the person had chosen when the message was written, however late it is told', async () => {
  const mute = (muted: boolean) => send('PUT', `${sessionPath}/mute`, leaver, { muted });
  const told = async () => {
    await tell(server.db, org.orgId, { userId: leaver.userId, present: [] });
    return (await send('GET', '/api/notifications', leaver)).items.map(
      ({ messageId, isQuiet }: { messageId: string; isQuiet: boolean }) => [messageId, isQuiet],
    );
  };
  const before = messageIds.map((id) => [id, false]);
  await mute(true);
  expect(await told()).toEqual(before);
  const quiet = await mentionLeaver();
  await mute(false);
  expect(await told()).toEqual([[quiet, true], ...before]);
  const last = await mentionLeaver();
  expect(await told()).toEqual([[last, false], [quiet, true], ...before]);
});

it('tells the others too of what was written before somebody muted the session', async () => {
  expect(await rows()).toEqual([]);
  await send('PUT', `${sessionPath}/mute`, org.member, { muted: true });
  expect(await rows()).toHaveLength(1);
});

it('an edit tells nobody new, even if nobody has been told of the message yet', async () => {
  const { handle } = await send('GET', '/api/me', org.member);
  const path = sessionPath.replace(/sessions.*/, `messages/${messageIds[0]}`);
  await send('PATCH', path, org.owner, { body: `@${handle}` });
  await tellEverybody(server.db);
  expect(await rows()).toHaveLength(1);
  expect((await send('GET', '/api/notifications', org.member)).items).toEqual([]);
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
