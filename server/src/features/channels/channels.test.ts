import { beforeEach, describe, expect, it } from 'vitest';
import { addPerson, createTestOrg } from '../../../test/harness/factories.ts';
import { CONNECTIONS } from '../../../test/harness/stages/channel-stage.ts';
import { addConnection } from '../../../test/harness/channels.ts';
import { expectError, expectInvalid } from '../../../test/harness/clients/envelope.ts';
import type { Reply } from '../../../test/harness/clients/client.ts';
import { useChannelStage } from '../../../test/harness/stages/use-stage.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';
import type { ErrorCode } from '../../core/errors.ts';

const { stage } = useChannelStage([], { worker: false });
const org = useNewOrg(() => stage.server.db);
let projectId: string;

beforeEach(async () => {
  projectId = (await send('POST', '/api/projects', { name: 'Chat' })).json.data.id;
});

const send = (method: string, path: string, body?: object, key = org.owner.key) =>
  stage.call(method, path, { key, ...(body && { body }) });
const mattermost = (fields: object = {}) => ({
  provider: 'MATTERMOST',
  serverUrl: stage.mattermost.url,
  botToken: stage.mattermost.botToken,
  ...fields,
});
const slack = (fields: object = {}) => ({
  provider: 'SLACK',
  botToken: stage.slack.botToken,
  appToken: stage.slack.appToken,
  ...fields,
});
const connect = async (fields: object = {}): Promise<string> =>
  idOf(await send('POST', CONNECTIONS, mattermost(fields)));
const list = async (key?: string) => (await send('GET', CONNECTIONS, undefined, key)).json.data;

function refused(reply: Reply, code: ErrorCode, reason: string): void {
  expect(expectError(reply, code)).toMatchObject({ reason });
}

function invalidAt(reply: Reply, ...locations: string[]): void {
  expect(expectInvalid(reply).map(({ location }) => location)).toEqual(locations);
}

function idOf(reply: Reply): string {
  expect(reply.status, reply.text).toBe(201);
  return reply.json.data.id;
}

describe('POST /channel-connections', () => {
  it('201: who the token is, without the secrets', async () => {
    const made = await send('POST', CONNECTIONS, mattermost({ displayName: ' Team ' }));
    expect(made.json.data).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      provider: 'MATTERMOST',
      displayName: 'Team',
      serverUrl: stage.mattermost.url,
      workspaceName: 'Acme chat',
      botName: 'atrium',
      mode: 'SOCKET',
      trustsEmails: false,
      status: 'CONNECTING',
      lastError: null,
      lastEventAt: null,
      createdAt: expect.any(String),
    });
    const other = await send('POST', CONNECTIONS, slack({ appToken: null, signingSecret: 's' }));
    expect(other.json.data).toMatchObject({ provider: 'SLACK', mode: 'WEBHOOK', serverUrl: null });
    expect((await list()).items).toEqual([other.json.data, made.json.data]);
    const rows = await stage.server.db.query('SELECT * FROM channel_connections');
    const stored = JSON.stringify(rows) + stage.server.logLines.join('');
    for (const secret of [stage.mattermost.botToken, stage.slack.botToken]) {
      expect(stored).not.toContain(secret);
    }
  });

  it('400: what each kind needs, and must not have', async () => {
    for (const [body, ...locations] of [
      [{}, 'body.provider', 'body.botToken'],
      [mattermost({ serverUrl: null }), 'body.serverUrl'],
      [mattermost({ serverUrl: 'http://chat.example.com' }), 'body.serverUrl'],
      [mattermost({ appToken: 'x', signingSecret: 'y' }), 'body.appToken', 'body.signingSecret'],
      [slack({ appToken: null }), 'body.appToken'],
      [slack({ serverUrl: 'https://slack.com' }), 'body.serverUrl'],
      [slack({ botToken: 'two words' }), 'body.botToken'],
    ] as const) {
      const reply = await send('POST', CONNECTIONS, body);
      invalidAt(reply, ...locations);
    }
    expect((await list()).total).toBe(0);
  });

  it('400: a token that does not work, an address that may not be called or is something else', async () => {
    for (const [body, location] of [
      [mattermost({ botToken: 'wrong' }), 'body.botToken'],
      [slack({ botToken: 'xoxb-wrong' }), 'body.botToken'],
      [mattermost({ serverUrl: 'https://127.0.0.1' }), 'body.serverUrl'],
      [mattermost({ serverUrl: stage.slack.origin }), 'body.serverUrl'],
    ] as const) {
      invalidAt(await send('POST', CONNECTIONS, body), location);
    }
  });

  it('403 role: a MEMBER; 409 limit_reached: the twenty-first', async () => {
    refused(await send('POST', CONNECTIONS, mattermost(), org.member.key), 'FORBIDDEN', 'role');
    for (let made = 0; made < 19; made++) await addConnection(stage.server.db, org.orgId);
    await connect();
    refused(await send('POST', CONNECTIONS, mattermost()), 'CONFLICT', 'limit_reached');
  });
});

describe('GET /channel-connections', () => {
  it('200 for whoever may map a channel; 403 for others', async () => {
    const id = await connect();
    refused(await send('GET', CONNECTIONS, undefined, org.member.key), 'FORBIDDEN', 'role');
    await send('POST', '/api/projects', { name: 'Own' }, org.member.key);
    expect((await list(org.member.key)).items).toMatchObject([{ id }]);
  });

  it('200: channels by name, without archived ones', async () => {
    const id = await connect();
    const open = stage.mattermost.addChannel('Prices 2027', [stage.mattermost.bot]);
    stage.mattermost.addChannel('Prices of others', []);
    const { json } = await send('GET', `${CONNECTIONS}/${id}/channels?query=prices`);
    expect(json.data.total).toBe(json.data.items.length);
    expect(json.data.items).toContainEqual({
      id: open.id,
      name: 'Prices 2027',
      isPrivate: false,
      isMember: true,
    });
    const hidden = await send('GET', `${CONNECTIONS}/${id}/channels`, undefined, org.member.key);
    refused(hidden, 'FORBIDDEN', 'role');
  });
});

describe('PATCH /channel-connections/{id}', () => {
  it('200: name and trust; nothing for an empty body', async () => {
    const path = `${CONNECTIONS}/${await connect()}`;
    const before = (await send('PATCH', path, {})).json.data;
    const after = await send('PATCH', path, { displayName: 'Chat', trustsEmails: true });
    expect(after.json.data).toEqual({ ...before, displayName: 'Chat', trustsEmails: true });
  });

  it('400: a token of another workspace, or one that does not work', async () => {
    const path = `${CONNECTIONS}/${await connect()}`;
    invalidAt(await send('PATCH', path, { botToken: 'wrong' }), 'body.botToken');
    await stage.server.db.query(`UPDATE channel_connections SET workspace_id = 'another'`);
    const reply = await send('PATCH', path, { botToken: stage.mattermost.botToken });
    invalidAt(reply, 'body.botToken');
    expect(reply.text).toContain('another workspace');
  });

  it('200: a new token heals a broken connection and its mappings', async () => {
    const id = await connect();
    const { mapping } = await mapChannel(id);
    await stage.server.db.query(
      `UPDATE channel_connections SET status = 'BROKEN', last_error = 'x'`,
    );
    await stage.server.db.query(`UPDATE channel_mappings SET status = 'BROKEN', last_error = 'x'`);
    const token = { botToken: stage.mattermost.botToken };
    const healed = await send('PATCH', `${CONNECTIONS}/${id}`, token);
    expect(healed.json.data).toMatchObject({ status: 'CONNECTING', lastError: null });
    const { items } = (await send('GET', channelsPath())).json.data;
    expect(items).toMatchObject([{ id: mapping.id, status: 'ACTIVE', lastError: null }]);
  });

  it('404: an unknown one, and of another organisation', async () => {
    const id = await connect();
    const other = await createTestOrg(stage.server.db);
    for (const [path, key] of [
      [`${CONNECTIONS}/${projectId}`, org.owner.key],
      [`${CONNECTIONS}/${id}`, other.owner.key],
    ] as const) {
      for (const method of ['PATCH', 'DELETE']) {
        expectError(await send(method, path, undefined, key), 'NOT_FOUND');
      }
      expectError(await send('POST', `${path}/test`, undefined, key), 'NOT_FOUND');
    }
  });
});

describe('POST /channel-connections/{id}/test', () => {
  it('200: what the system says, or what is wrong', async () => {
    const id = await connect();
    const good = await send('POST', `${CONNECTIONS}/${id}/test`);
    expect(good.json.data).toMatchObject({ ok: true, workspaceName: 'Acme chat' });
    stage.mattermost.faults.next(/users\/me/, { status: 500 });
    const bad = await send('POST', `${CONNECTIONS}/${id}/test`);
    expect(bad.json.data).toMatchObject({ ok: false, error: { code: 'temporary' } });
    expect((await list()).items).toMatchObject([{ lastError: expect.any(String) }]);
  });
});

const channelsPath = () => `/api/projects/${projectId}/channels`;

async function mapChannel(connectionId: string, fields: object = {}) {
  const channel = stage.mattermost.addChannel(`c${Math.random()}`, [stage.mattermost.bot]);
  const body = { connectionId, channelId: channel.id, ...fields };
  const reply = await send('POST', channelsPath(), body);
  return { channel, reply, mapping: reply.json.data };
}

describe('POST /projects/{projectId}/channels', () => {
  it('201: with a session of its name, or with one that is there', async () => {
    const connectionId = await connect();
    const { reply, channel, mapping } = await mapChannel(connectionId);
    expect(reply.status, reply.text).toBe(201);
    expect(mapping).toEqual({
      id: expect.any(String),
      projectId,
      connectionId,
      provider: 'MATTERMOST',
      channelId: channel.id,
      channelName: channel.display_name,
      sessionId: expect.any(String),
      direction: 'BOTH',
      answers: 'MEMBERS',
      sharesOrgMemory: false,
      status: 'ACTIVE',
      lastError: null,
      gaps: [],
      createdById: org.owner.userId,
      createdAt: expect.any(String),
    });
    const session = await send('GET', `/api/spaces/chat/sessions/${mapping.sessionId}`);
    expect(session.json.data.name).toBe(`#${channel.display_name}`);
    const body = { name: 'Mine' };
    const sessionId = idOf(await send('POST', '/api/spaces/chat/sessions', body));
    const chosen = { sessionId, direction: 'IN', answers: 'NONE', sharesOrgMemory: true };
    const other = await mapChannel(connectionId, chosen);
    expect(other.mapping).toMatchObject(chosen);
    const { items } = (await send('GET', channelsPath(), undefined, org.member.key)).json.data;
    expect(items).toEqual([mapping, other.mapping]);
    const audit = await send('GET', `/api/org/${org.orgId}/audit?resourceType=channel`);
    expect(audit.json.data.items).toMatchObject([
      { action: 'channel.mapped', resourceId: other.mapping.id },
      { action: 'channel.mapped', resourceId: mapping.id },
    ]);
  });

  it('409 channel_mapped: the channel, also by another connection, or the session', async () => {
    const connectionId = await connect();
    const { channel, mapping } = await mapChannel(connectionId);
    for (const again of [connectionId, await connect()]) {
      const body = { connectionId: again, channelId: channel.id };
      refused(await send('POST', channelsPath(), body), 'CONFLICT', 'channel_mapped');
    }
    const taken = await mapChannel(connectionId, { sessionId: mapping.sessionId });
    refused(taken.reply, 'CONFLICT', 'channel_mapped');
    const sessions = await send('GET', '/api/spaces/chat/sessions');
    expect(sessions.json.data.total).toBe(1);
  });

  it('400: a channel that the bot is not in or that is not there, a private session', async () => {
    const connectionId = await connect();
    const closed = stage.mattermost.addChannel('Closed', []);
    for (const channelId of [closed.id, 'nothing']) {
      const reply = await send('POST', channelsPath(), { connectionId, channelId });
      invalidAt(reply, 'body.channelId');
    }
    const body = { name: 'Private', access: 'PARTICIPANTS' };
    const sessionId = idOf(await send('POST', '/api/spaces/chat/sessions', body));
    invalidAt((await mapChannel(connectionId, { sessionId })).reply, 'body.sessionId');
  });

  it('403: who did not create the Project, and ORG memory by a MEMBER; 404: unknown ids', async () => {
    const connectionId = await connect();
    const body = { connectionId, channelId: 'c' };
    refused(await send('POST', channelsPath(), body, org.member.key), 'FORBIDDEN', 'role');
    const own = idOf(await send('POST', '/api/projects', { name: 'Own' }, org.member.key));
    const path = `/api/projects/${own}/channels`;
    const shared = { ...body, sharesOrgMemory: true };
    refused(await send('POST', path, shared, org.member.key), 'FORBIDDEN', 'role');
    expectError(
      await send('POST', path, { ...body, connectionId: own }, org.member.key),
      'NOT_FOUND',
    );
    expectError(await send('POST', `/api/projects/${connectionId}/channels`, body), 'NOT_FOUND');
    const outsider = await addPerson(stage.server.db, org.orgId, 'MEMBER');
    await send('PATCH', `/api/projects/${projectId}`, { access: 'MEMBERS' });
    const hidden = await send('GET', channelsPath(), undefined, outsider.key);
    refused(hidden, 'FORBIDDEN', 'not_project_member');
  });
});

describe('PATCH and DELETE /projects/{projectId}/channels/{id}', () => {
  it('200: what it does, and when it was paused', async () => {
    const { mapping } = await mapChannel(await connect());
    const path = `${channelsPath()}/${mapping.id}`;
    expect((await send('PATCH', path, {})).json.data).toEqual(mapping);
    const changed = { direction: 'OUT', answers: 'EVERYONE', sharesOrgMemory: true };
    const after = (await send('PATCH', path, changed)).json.data;
    expect(after).toEqual({ ...mapping, ...changed });
    const paused = (await send('PATCH', path, { status: 'PAUSED' })).json.data;
    expect(paused).toMatchObject({ status: 'PAUSED', gaps: [{ to: null }] });
    const again = (await send('PATCH', path, { status: 'ACTIVE' })).json.data;
    expect(again.gaps).toEqual([{ from: paused.gaps[0].from, to: expect.any(String) }]);
    invalidAt(await send('PATCH', path, { status: 'BROKEN' }), 'body.status');
  });

  it('204: the messages stay; deleting a connection deletes its mappings', async () => {
    const connectionId = await connect();
    const { mapping, channel } = await mapChannel(connectionId);
    const messages = `/api/spaces/chat/sessions/${mapping.sessionId}/messages`;
    await send('POST', messages, { body: 'Stays' });
    const path = `${channelsPath()}/${mapping.id}`;
    refused(await send('DELETE', path, undefined, org.member.key), 'FORBIDDEN', 'role');
    expect((await send('DELETE', path)).status).toBe(204);
    expectError(await send('DELETE', path), 'NOT_FOUND');
    const body = { connectionId, channelId: channel.id, sessionId: mapping.sessionId };
    idOf(await send('POST', channelsPath(), body));
    expect((await send('DELETE', `${CONNECTIONS}/${connectionId}`)).status).toBe(204);
    expect((await send('GET', channelsPath())).json.data.total).toBe(0);
    expect((await send('GET', messages)).json.data.items).toMatchObject([{ body: 'Stays' }]);
  });
});
