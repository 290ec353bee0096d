import { beforeAll, describe, expect, it } from 'vitest';
import { SIDES } from '../../../test/harness/stages/channel-chats.ts';
import { CONNECTIONS } from '../../../test/harness/stages/channel-stage.ts';
import { expectError, expectInvalid } from '../../../test/harness/clients/envelope.ts';
import type { Reply } from '../../../test/harness/clients/client.ts';
import { useChannelStage } from '../../../test/harness/stages/use-stage.ts';

const { stage } = useChannelStage([]);
let path: string;

beforeAll(async () => {
  const { org, send } = stage;
  const project = await send('POST', '/api/projects', { name: 'Own' }, org.member.key);
  path = `/api/projects/${project.json.data.id}/channels`;
});

const forbidden = (reply: Reply) =>
  expect(expectError(reply, 'FORBIDDEN')).toMatchObject({ reason: 'role' });
const asMember = (method: string, to: string, body?: object) =>
  stage.send(method, to, body, stage.org.member.key);

let channels = 0;

describe.each(SIDES)('private channels of %s', (_name, open) => {
  it('a MEMBER neither finds nor maps one; an OWNER and an ADMIN do', async () => {
    const side = open(stage);
    const connectionId = await side.connect();
    const name = `hr-salaries-${++channels}`;
    const secret = side.add(name, true);
    const search = `${CONNECTIONS}/${connectionId}/channels?query=hr-salaries`;
    expect((await asMember('GET', search)).json.data).toEqual({ items: [], total: 0 });
    forbidden(await asMember('POST', path, { connectionId, channelId: secret }));
    const { owner, admin } = stage.org;
    for (const { key } of [owner, admin]) {
      const found = (await stage.send('GET', search, undefined, key)).json.data.items;
      expect(found).toContainEqual({ id: secret, name, isPrivate: true, isMember: true });
    }
    const mapped = await stage.send('POST', path, { connectionId, channelId: secret }, admin.key);
    expect(mapped.status, mapped.text).toBe(201);
    // What an ADMIN mapped, the Project's creator may pause and resume.
    const mapping = `${path}/${mapped.json.data.id}`;
    for (const status of ['PAUSED', 'ACTIVE']) {
      expect((await asMember('PATCH', mapping, { status })).status).toBe(200);
    }
    expect((await asMember('DELETE', mapping)).status).toBe(204);
    forbidden(await asMember('POST', path, { connectionId, channelId: secret }));
  });

  it('nobody maps a conversation between people', async () => {
    const side = open(stage);
    const connectionId = await side.connect();
    for (const channelId of side.addDirect()) {
      const [problem] = expectInvalid(await stage.send('POST', path, { connectionId, channelId }));
      expect(problem?.location).toBe('body.channelId');
    }
  });

  it('one that becomes private after a MEMBER mapped it stops until an OWNER confirms it', async () => {
    const side = open(stage);
    const connectionId = await side.connect();
    const channelId = side.add(`public-${++channels}`, false);
    const made = await asMember('POST', path, { connectionId, channelId });
    expect(made.status, made.text).toBe(201);
    const { id, sessionId } = made.json.data;
    const mapping = `${path}/${id}`;
    const read = async () =>
      (await stage.send('GET', path)).json.data.items.find(
        (each: { id: string }) => each.id === id,
      );
    const { slug } = (await stage.send('GET', path.replace('/channels', ''))).json.data;
    const messages = `/api/spaces/${slug}/sessions/${sessionId}/messages`;
    const bodies = async () =>
      (await stage.send('GET', messages)).json.data.items.map(
        (each: { body: string }) => each.body,
      );
    side.write(channelId, 'while it is public');
    await expect.poll(bodies).toEqual(['while it is public']);
    side.convert(channelId);
    side.write(channelId, 'salaries');
    await expect.poll(async () => (await read()).status).toBe('BROKEN');
    expect((await read()).lastError).toContain('private');
    forbidden(await asMember('PATCH', mapping, { status: 'ACTIVE' }));
    // A test that succeeds heals what is broken, but not this.
    await stage.send('POST', `${CONNECTIONS}/${connectionId}/test`);
    expect((await read()).status).toBe('BROKEN');
    expect(await bodies()).toEqual(['while it is public']);
    expect((await stage.send('PATCH', mapping, { status: 'ACTIVE' })).status).toBe(200);
    await expect.poll(bodies).toContain('salaries');
  });

  it('one that becomes private while its history is read stops before anything comes in', async () => {
    const side = open(stage);
    const connectionId = await side.connect();
    const channelId = side.add(`public-${++channels}`, false);
    const read = Promise.withResolvers<void>();
    const asked = side.holdHistory(read.promise);
    const { id, sessionId } = (await asMember('POST', path, { connectionId, channelId })).json.data;
    // A channel of a connection that is up is first read when something happens in it.
    side.write(channelId, 'hello');
    await asked;
    side.convert(channelId);
    side.write(channelId, 'salaries');
    read.resolve();
    const mappings = async () => (await stage.send('GET', path)).json.data.items;
    await expect
      .poll(async () => (await mappings()).find((each: { id: string }) => each.id === id).status)
      .toBe('BROKEN');
    const { slug } = (await stage.send('GET', path.replace('/channels', ''))).json.data;
    const { json } = await stage.send('GET', `/api/spaces/${slug}/sessions/${sessionId}/messages`);
    expect(json.data.items).toEqual([]);
  });

  it('one that became private while nobody listened stops before anything is read', async () => {
    const side = open(stage);
    const connectionId = await side.connect();
    const channelId = side.add(`public-${++channels}`, false);
    const made = await asMember('POST', path, { connectionId, channelId, direction: 'OUT' });
    const mapping = `${path}/${made.json.data.id}`;
    side.convert(channelId);
    expect((await asMember('PATCH', mapping, { direction: 'BOTH' })).status).toBe(200);
    side.write(channelId, 'salaries');
    const read = async () =>
      (await stage.send('GET', path)).json.data.items.find(
        (each: { id: string }) => each.id === made.json.data.id,
      );
    await expect.poll(async () => (await read()).status).toBe('BROKEN');
  });
});

it('only an OWNER and an ADMIN let agents answer everyone', async () => {
  const connectionId = await stage.connectSlack();
  const add = () => stage.slack.addChannel(`all-${++channels}`, [stage.slack.botUserId]).id;
  const everyone = { answers: 'EVERYONE' };
  forbidden(await asMember('POST', path, { connectionId, channelId: add(), ...everyone }));
  const made = await asMember('POST', path, { connectionId, channelId: add() });
  const mapping = `${path}/${made.json.data.id}`;
  forbidden(await asMember('PATCH', mapping, everyone));
  expect((await stage.send('PATCH', mapping, everyone, stage.org.admin.key)).status).toBe(200);
  // Unchanged, with something else.
  const same = await asMember('PATCH', mapping, { ...everyone, direction: 'IN' });
  expect(same.json.data).toMatchObject({ ...everyone, direction: 'IN' });
  expect((await asMember('PATCH', mapping, { answers: 'NONE' })).status).toBe(200);
  forbidden(await asMember('PATCH', mapping, everyone));
});
