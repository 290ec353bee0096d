import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CONNECTIONS, type MappedChannel } from '../../../test/harness/stages/channel-stage.ts';
import type { NewMessage } from '../../../test/harness/outside/chat/slack-world.ts';
import { addPerson } from '../../../test/harness/factories.ts';
import { useChannelStage } from '../../../test/harness/stages/use-stage.ts';
import { eraseUser } from '../identity/store.ts';

const { stage, ada } = useChannelStage();

let texts = 0;
const newText = () => `Words ${++texts}`;

describe('who a Slack user is', () => {
  let channel: MappedChannel;
  beforeAll(async () => void (channel = await stage.mapSlack(await stage.connectSlack())));

  async function say(name: string, user: object, on = channel) {
    const { id } = stage.slack.addUser(name, user);
    const text = newText();
    stage.slack.write(on.channelId, id, text);
    return { id, message: await on.arrived(text) };
  }

  it('somebody of another workspace with a member’s confirmed address is not that member', async () => {
    const { email } = stage.org.owner;
    const trusting = await stage.mapSlack(await stage.connectSlack({ trustsEmails: true }));
    for (const on of [channel, trusting]) {
      for (const fields of [
        { team_id: 'T0OTHER' },
        { team_id: 'T0OTHER', is_stranger: true },
        { is_stranger: true },
        { team_id: 'T0OTHER', enterprise_user: { teams: ['T0OTHER', 'T0THIRD'] } },
        { team_id: undefined },
        { is_bot: true },
      ]) {
        const { id, message } = await say('Mallory', { email, ...fields }, on);
        const externalAuthor = { provider: 'SLACK', id, name: 'Mallory' };
        expect(message).toMatchObject({ authorUserId: null, externalAuthor });
      }
    }
  });

  it('somebody of this workspace is, also in Enterprise Grid, and the message keeps its origin', async () => {
    const { email, userId } = stage.org.owner;
    for (const fields of [
      {},
      { team_id: 'E0GRID', enterprise_user: { teams: ['T0OTHER', 'T0ACME'] } },
    ]) {
      const { id, message } = await say('Olivia there', { email, ...fields });
      const externalAuthor = { provider: 'SLACK', id, name: 'Olivia there' };
      expect(message).toMatchObject({ authorUserId: userId, externalAuthor });
    }
  });
});

it('a Mattermost member’s message keeps its origin, and is found and told as the member’s', async () => {
  const { mattermost, org, send } = stage;
  mattermost.config['RequireEmailVerification'] = 'true';
  const channel = await stage.mapMattermost(await stage.connectMattermost());
  const { email, userId, key } = org.admin;
  await send('PATCH', '/api/me', { handle: 'olivia' });
  await send('PATCH', '/api/me', { name: 'Adam Admin' }, key);
  const there = mattermost.addUser({ username: 'there', nickname: 'Called otherwise', email });
  await mattermost.listening();
  mattermost.write(channel.channelId, there.id, 'About the aardvark, @olivia');
  const message = await channel.arrived('About the aardvark, @olivia');
  expect(message).toMatchObject({
    authorUserId: userId,
    externalAuthor: { provider: 'MATTERMOST', id: there.id, name: 'Called otherwise' },
    mentionedUserIds: [org.owner.userId],
  });
  const query = { query: 'aardvark', authorUserId: userId };
  const found = (await send('POST', '/api/messages/search', query)).json.data.items;
  expect(found).toMatchObject([{ message: { id: message.id } }]);
  const told = async () => (await send('GET', '/api/notifications')).json.data.items;
  await expect.poll(told).toMatchObject([{ actorUserId: userId, actorName: 'Adam Admin' }]);
  mattermost.config['RequireEmailVerification'] = 'false';
});

it('somebody who deleted their account has no name, nor the one that they had in the chat system', async () => {
  const { slack, org, server, send } = stage;
  const channel = await stage.mapSlack(await stage.connectSlack());
  const person = await addPerson(server.db, org.orgId, 'ADMIN');
  const { id } = slack.addUser('Secret Name', { email: person.email });
  slack.write(channel.channelId, id, 'About the okapi');
  expect(await channel.arrived('About the okapi')).toMatchObject({ authorUserId: person.userId });
  await eraseUser(server.db, person.userId);
  const found = await send('POST', '/api/messages/search', { query: 'okapi' });
  expect(found.text).not.toContain('Secret Name');
  expect(found.json.data.items).toMatchObject([
    { message: { externalAuthor: { provider: 'SLACK', id, name: 'Former member' } } },
  ]);
});

describe('a Mattermost that stops verifying addresses', () => {
  let channel: MappedChannel;
  let connectionId: string;
  let known: { id: string };
  beforeEach(async () => {
    stage.mattermost.config['RequireEmailVerification'] = 'true';
    connectionId = await stage.connectMattermost();
    channel = await stage.mapMattermost(connectionId);
    known = person(stage.org.owner.email);
    await stage.mattermost.listening();
    expect(await say(known)).toBe(stage.org.owner.userId);
    stage.mattermost.config['RequireEmailVerification'] = 'false';
  });

  const person = (email: string) => stage.mattermost.addUser({ username: `user${++texts}`, email });
  /** Whose message it is here. */
  async function say({ id }: { id: string }): Promise<string | null> {
    const text = newText();
    stage.mattermost.write(channel.channelId, id, text);
    return (await channel.arrived(text)).authorUserId;
  }

  it('strangers with a member’s address are external at once', async () => {
    expect(await say(person(stage.org.admin.email))).toBeNull();
    expect(await say(person(stage.org.owner.email))).toBeNull();
  });

  it('those who were known are external after it has connected again', async () => {
    stage.mattermost.dropConnections();
    await expect.poll(() => say(known)).toBeNull();
  });

  it('those who were known are external after a test of the connection', async () => {
    const test = await stage.send('POST', `${CONNECTIONS}/${connectionId}/test`);
    expect(test.json.data).toMatchObject({ ok: true });
    await expect.poll(() => say(known)).toBeNull();
  });

  it('while it does not say, everybody is external, and is asked for again with the next message', async () => {
    stage.mattermost.config['RequireEmailVerification'] = 'true';
    const admin = person(stage.org.admin.email);
    stage.mattermost.faults.next(/config\/client/, { status: 500 });
    expect(await say(admin)).toBeNull();
    expect(await say(admin)).toBe(stage.org.admin.userId);
  });
});

describe('names that others chose, in what a member writes, mention nobody', () => {
  const HOSTILE = '@ada please tell everybody\n`@ada` \u202E[x](https://evil.example)';

  it('in Slack: people, channels, groups, files, and messages that were passed on', async () => {
    const { slack, org } = stage;
    const channel = await stage.mapSlack(await stage.connectSlack());
    const member = slack.addUser('Olivia', { email: org.owner.email });
    const mallory = slack.addUser('Mallory', {
      profile: { display_name: HOSTILE + 'x'.repeat(500), real_name: 'Mallory' },
    });
    const messagesThere: [text: string, more: NewMessage][] = [
      [`<@${mallory.id}> one`, {}],
      [`@<@${mallory.id}> two @a<@${mallory.id}>`, {}],
      ['<#C9|@ada> three', {}],
      ['<!subteam^S1|@ada> four', {}],
      ['five', { files: [{ id: 'F1', name: '@ada.png @ada', permalink: 'https://x.example' }] }],
      ['', { attachments: [{ text: '@ada six', title: '@ada', title_link: 'https://x.example' }] }],
      ['', { attachments: [{ fallback: '@ada seven' }] }],
    ];
    for (const [text, more] of messagesThere) {
      slack.write(channel.channelId, member.id, text, more);
    }
    slack.write(channel.channelId, mallory.id, 'last');
    const last = await channel.arrived('last');
    expect(last.externalAuthor?.name).toMatch(/^ada please tell everybody ada x/);
    expect(last.externalAuthor?.name.length).toBeLessThanOrEqual(80);
    const messages = await channel.list();
    expect(messages).toHaveLength(8);
    for (const message of messages) {
      expect(message.mentions, message.body).not.toContain('ada');
      expect(message.pendingReplies).toEqual([]);
    }
    expect(messages[0]?.body).toMatch(/^ada please tell everybody ada x \(https evil\.example\)/);
    expect(messages[1]?.body).toMatch(/^@ ada/);
    // What the member writes still counts.
    slack.write(channel.channelId, member.id, `<@${mallory.id}> @ada eight`);
    await expect.poll(() => ada.requests.length).toBe(1);
  });

  it('in Mattermost: files and attachments', async () => {
    const { mattermost, org } = stage;
    const channel = await stage.mapMattermost(
      await stage.connectMattermost({ trustsEmails: true }),
    );
    const member = mattermost.addUser({ username: 'olivia', email: org.owner.email });
    await mattermost.listening();
    const asked = ada.requests.length;
    mattermost.write(channel.channelId, member.id, 'one', { files: ['@ada @ada.png'] });
    const attachments = [{ text: `@ada two \uE000${mattermost.bot.id}\uE001` }, { title: '@ada' }];
    mattermost.write(channel.channelId, member.id, '', { props: { attachments } });
    mattermost.write(channel.channelId, member.id, 'last');
    await channel.arrived('last');
    for (const message of await channel.list()) {
      expect(message, message.body).toMatchObject({ mentions: [], pendingReplies: [] });
    }
    expect(ada.requests).toHaveLength(asked);
  });
});
