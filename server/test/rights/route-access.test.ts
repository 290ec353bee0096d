import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/types.ts';
import { SCOPES } from '../../src/features/keys/scopes.ts';
import { invitationToken } from '../../src/features/org/invitation-mail-job.ts';
import { fullPath, scopesOf, type Route } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';
import { signIn, type Browser } from '../harness/clients/browser.ts';
import type { Reply } from '../harness/clients/client.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import {
  addPerson,
  createTestOrg,
  keyWithScopes,
  revokeOtherKeys,
  type Person,
  type TestOrg,
} from '../harness/factories.ts';
import { addConnection, addMapping } from '../harness/channels.ts';
import { uploadFile } from '../harness/clients/uploads.ts';
import { addDocument } from '../harness/documents.ts';
import { makePng } from '../harness/images.ts';
import { agent, BODIES, mcpServer, modelProvider, type Made } from '../harness/route-bodies.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';
import {
  CALLERS,
  COOKIES,
  EXPECTED,
  expectedByCookie,
  type CallerName,
  type CookieName,
} from './route-access-table.ts';

const REFUSED = /"(wrong_(org|invitee)|fresh_sign_in)"/;

const server = useTestServer();
const { call } = server;
let org: TestOrg;
let keys: Record<CallerName, string | undefined>;
let browsers: Record<CookieName, () => Promise<Browser>>;
let someone: Person;
let photoPath: string;

beforeAll(async () => {
  org = await createTestOrg(server.db);
  someone = await addPerson(server.db, org.orgId, 'MEMBER');
  const photo = makePng().toString('base64');
  photoPath = dataOf(await call('PATCH', '/api/me', someone, { photo })).photo;
  const outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  const stranger = (await createTestOrg(server.db)).owner;
  keys = {
    owner: org.owner.key,
    admin: org.admin.key,
    member: org.member.key,
    outsider: outsider.key,
    removed: (await removedMember(server.db, org.orgId)).key,
    stranger: stranger.key,
    v1Key: org.orgKey,
    revoked: await revokedKey(),
    none: undefined,
  };
  const as = (person: Person) => {
    const browser = signIn(server, person.email);
    return () => browser;
  };
  const withoutOrg = (lastOrgId: string | null) => {
    const signInNext = async () => {
      const person = await removedMember(server.db, org.orgId);
      const values = [person.userId, lastOrgId];
      await server.db.query('UPDATE users SET last_org_id = $2 WHERE id = $1', values);
      return signIn(server, person.email);
    };
    let browser: Promise<Browser> | undefined;
    return async (): Promise<Browser> => {
      const { cookie, call: send } = await (browser ??= signInNext());
      return {
        cookie,
        async call(...args) {
          const reply = await send(...args);
          // It may have given them an org, or signed them out.
          if (reply.status < 300) browser = undefined;
          return reply;
        },
      };
    };
  };
  browsers = {
    owner: as(org.owner),
    admin: as(org.admin),
    member: as(org.member),
    outsider: as(outsider),
    stranger: as(stranger),
    removed: withoutOrg(org.orgId),
    homeless: withoutOrg(null),
  };
});
afterEach(() => revokeOtherKeys(server.db, org));

const name = (route: Route) => `${route.method} ${fullPath(route)}`;

// One test for a row of the table, which a failure shows as a whole.
describe.each(ROUTES.map((route) => [name(route), route] as const))('%s', (path, route) => {
  it('every caller with a key, or without', async () => {
    const replies: Record<string, Reply> = {};
    for (const caller of CALLERS) {
      const key = keys[caller];
      replies[caller] = await attempt(route, (target, body) =>
        call(route.method, target, { ...(key && { key }), ...body }),
      );
    }
    expectStatuses(replies, (caller) => EXPECTED[path]?.[CALLERS.indexOf(caller as CallerName)]);
  });

  it('every caller in the browser', async () => {
    const replies: Record<string, Reply> = {};
    for (const cookie of COOKIES) {
      const browser = await browsers[cookie]();
      replies[cookie] = await attempt(route, (target, body) =>
        browser.call(route.method, target, body),
      );
    }
    expectStatuses(replies, (cookie) => expectedByCookie(path, cookie as CookieName));
    for (const { status, text } of [replies['removed'], replies['homeless']] as Reply[]) {
      if (status === 403) expect(text).toMatch(REFUSED);
    }
  });

  it.each(scopesOf(route))('403: a key without the scope %s', async (scope) => {
    const key = await keyWithout(route, scope);
    const reply = await attempt(route, (target, body) =>
      call(route.method, target, { key, ...body }),
    );
    expect(reply.status).toBe(403);
    expect(reply.json.error.details).toMatchObject({
      reason: 'missing_scope',
      scopes: [scope],
    });
  });
});

/** The message of a failure has what was answered to those who got another status. */
function expectStatuses(
  replies: Record<string, Reply>,
  expected: (caller: string) => number | undefined,
): void {
  const all = Object.entries(replies);
  const wrong = all.filter(([caller, { status }]) => status !== expected(caller));
  expect(
    Object.fromEntries(all.map(([caller, { status }]) => [caller, status])),
    wrong.map(([caller, { text }]) => `${caller}: ${text}`).join('\n'),
  ).toEqual(Object.fromEntries(all.map(([caller]) => [caller, expected(caller)])));
}

/** A key of the right family, with every scope of that family except the given one. */
async function keyWithout(route: Route, missing: string): Promise<string> {
  if (route.auth !== 'org-key') {
    const scopes = SCOPES.filter((scope) => scope !== missing);
    return (await keyWithScopes(server.db, org.orgId, org.owner.userId, scopes)).key;
  }
  const scopes = ['memory:read', 'memory:write'].filter((scope) => scope !== missing);
  const path = `/api/org/${org.orgId}/api-keys`;
  const { json } = await call('POST', path, { key: org.owner.key, body: { name: 'k', scopes } });
  return json.data.key;
}

let place: { route: Route; made: Made & { path: string } } | undefined;

/**
 * Calls a route on resources that no call has used up: a refusal, and a read, leave them as they were. Keys
 * do not last from one test to the next.
 */
async function attempt(
  route: Route,
  send: (target: string, body: { body?: object }) => Promise<Reply>,
): Promise<Reply> {
  if (place?.route !== route) place = { route, made: await fillPath(route) };
  const { path, ...made } = place.made;
  const body = BODIES[route.operationId]?.(made);
  const reply = await send(path, body ? { body } : {});
  const isUsedUp = reply.status < 300 && route.method !== 'GET';
  if (isUsedUp || route.path.includes('{keyId}')) place = undefined;
  return reply;
}

async function fillPath(route: Route): Promise<Made & { path: string }> {
  const template = fullPath(route)
    .replace('{orgId}', org.orgId)
    .replace('{emoji}', encodeURIComponent('👍'))
    .replace('{mention}', 'model');
  const path = template.replace('{userId}', await memberFor(template));
  if (path.includes('{photo}')) return { path: photoPath };
  if (path.includes('{slug}')) return fillSpace(path);
  if (route.operationId === 'openDirect') return { path, userId: someone.userId };
  if (route.operationId === 'searchMessages') {
    return { path, projectId: (await createClosedProject()).id };
  }
  if (route.tag === 'Memory') return fillMemory(path);
  if (route.tag === 'Documents') return fillDocument(path);
  if (route.tag === 'Agents') return fillAgent(path);
  if (path.includes('{taskId}')) return fillTask(path);
  if (route.tag === 'Channels') return fillChannel(path);
  if (route.tag === 'Files' && path.includes('{id}')) return fillFile(path);
  if (path.includes('{projectId}')) {
    const { id } = await createClosedProject();
    return { path: path.replace('{projectId}', id) };
  }
  if (route.tag === 'Models' && path.includes('{id}')) {
    const body = modelProvider();
    const reply = await call('POST', '/api/model-providers', { key: org.owner.key, body });
    return { path: path.replace('{id}', reply.json.data.id) };
  }
  if (route.tag === 'MCP' && path.includes('{id}')) {
    const reply = await call('POST', '/api/mcp/servers', { key: org.owner.key, body: mcpServer() });
    return { path: path.replace('{id}', reply.json.data.id) };
  }
  if (path.includes('{keyId}')) {
    const owned = path.includes('/api-keys/') ? await createOrgKey() : await createOwnersKey();
    return { path: path.replace('{keyId}', owned) };
  }
  if (path.includes('{invitationId}') || path.includes('{token}')) {
    const id = await createInvitation();
    const token = invitationToken(server.tokens, id, 1);
    return { path: path.replace('{invitationId}', id).replace('{token}', token) };
  }
  return { path };
}

/** Removing a member uses one up; all other calls share one. */
async function memberFor(template: string): Promise<string> {
  if (!template.startsWith(`/api/org/${org.orgId}/members`)) return someone.userId;
  return (await addPerson(server.db, org.orgId, 'MEMBER')).userId;
}

async function fillSpace(path: string): Promise<{ path: string; messageId: string }> {
  const { slug } = await createClosedProject();
  const key = org.owner.key;
  const sessions = `/api/spaces/${slug}/sessions`;
  const sessionId = (await call('POST', sessions, { key, body: { name: 's' } })).json.data.id;
  const posted = { key, body: { body: 'm' } };
  const message = await call('POST', `${sessions}/${sessionId}/messages`, posted);
  const messageId = message.json.data.id;
  const filled = path
    .replace('{slug}', slug)
    .replace('{sessionId}', sessionId)
    .replace('{messageId}', messageId);
  return { path: filled, messageId };
}

async function fillMemory(path: string): Promise<Made & { path: string }> {
  const { id: projectId } = await createClosedProject();
  const body = { content: 'm', visibility: 'PROJECT', projectId };
  const { id } = (await call('POST', '/api/memory', { key: org.owner.key, body })).json.data;
  return { path: path.replace('{memoryId}', id).replace('{id}', id), projectId };
}

/** Shared with a Project that `outsider` is not in. */
async function fillDocument(path: string): Promise<Made & { path: string }> {
  const { id: projectId } = await createClosedProject();
  const place = { projectId, uploadedById: org.owner.userId };
  const { fileId, documentId } = await addDocument(server.db, org.orgId, place);
  const filled = path.replace('{id}', path.includes('/files/') ? fileId : documentId);
  return { path: path.endsWith('/matches') ? `${filled}?query=zebra` : filled, projectId };
}

async function fillAgent(path: string): Promise<Made & { path: string }> {
  const { id: projectId } = await createClosedProject();
  if (!path.includes('{id}')) return { path, projectId };
  const { key } = org.owner;
  const { id } = (await call('POST', '/api/agents', { key, body: agent(projectId) })).json.data;
  return { path: path.replace('{id}', id), projectId };
}

async function fillTask(path: string): Promise<Made & { path: string }> {
  const { id: projectId } = await createClosedProject();
  const tasks = `/api/projects/${projectId}/tasks`;
  const { key } = org.owner;
  const { id } = (await call('POST', tasks, { key, body: { title: 't' } })).json.data;
  return { path: path.replace('{projectId}', projectId).replace('{taskId}', id), projectId };
}

/** Of the OWNER, shared with the Project. There is no worker that would check it. */
async function fillFile(path: string): Promise<Made & { path: string }> {
  const { id: projectId } = await createClosedProject();
  const bytes = Buffer.from('text');
  const { id } = await uploadFile({ call, key: org.owner.key }, { projectId, bytes });
  await server.db.query(
    `UPDATE files SET status = 'READY', media_type = 'text/plain', sha256 = 'x', is_shared = true
     WHERE id = $1`,
    [id],
  );
  return { path: path.replace('{id}', id), projectId };
}

/** Whoever created a Project may see connections, so both members get one. */
async function fillChannel(path: string): Promise<Made & { path: string }> {
  for (const caller of ['member', 'outsider'] as const) {
    const body = { name: `Own ${Math.random()}` };
    await call('POST', '/api/projects', { key: keys[caller] as string, body });
  }
  const { id: projectId, slug } = await createClosedProject();
  const { orgId } = org;
  const connectionId = await addConnection(server.db, orgId);
  const sessions = `/api/spaces/${slug}/sessions`;
  const session = await call('POST', sessions, { key: org.owner.key, body: { name: 's' } });
  const sessionId = session.json.data.id;
  const place = { connectionId, projectId, sessionId };
  const isMapping = path.includes('/channels/{id}');
  const id = isMapping ? await addMapping(server.db, orgId, place) : connectionId;
  const filled = path.replace('{projectId}', projectId).replace('{id}', id);
  return { path: filled, projectId, connectionId };
}

async function createInvitation(): Promise<string> {
  const body = { email: `invited${Math.random()}@example.com`, role: 'MEMBER' };
  return (await call('POST', `/api/org/${org.orgId}/invitations`, { key: org.owner.key, body }))
    .json.data.id;
}

async function createClosedProject(): Promise<{ id: string; slug: string }> {
  const body = { name: `Closed ${Math.random()}`, access: 'MEMBERS' };
  const { json } = await call('POST', '/api/projects', { key: org.owner.key, body });
  for (const person of [org.member, someone]) {
    await call('PUT', `/api/projects/${json.data.id}/members/${person.userId}`, {
      key: org.owner.key,
    });
  }
  return json.data;
}

async function createOrgKey(): Promise<string> {
  const path = `/api/org/${org.orgId}/api-keys`;
  return (await call('POST', path, { key: org.owner.key, body: { name: 'k' } })).json.data.id;
}

async function createOwnersKey(): Promise<string> {
  return (await keyWithScopes(server.db, org.orgId, org.owner.userId, ['projects:read'])).keyId;
}

async function removedMember(db: Database, orgId: string): Promise<Person> {
  const person = await addPerson(db, orgId, 'ADMIN');
  await db.query('DELETE FROM memberships WHERE org_id = $1 AND user_id = $2', [
    orgId,
    person.userId,
  ]);
  return person;
}

async function revokedKey(): Promise<string> {
  const { key, keyId } = await keyWithScopes(server.db, org.orgId, org.owner.userId, [
    'projects:read',
  ]);
  await call('DELETE', `/api/keys/${keyId}`, { key: org.owner.key });
  return key;
}
