import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addFile } from '../../../test/harness/clients/uploads.ts';
import { until } from '../../../test/harness/stages/agent-stage.ts';
import type { MappedChannel } from '../../../test/harness/stages/channel-stage.ts';
import { useChannelStage } from '../../../test/harness/stages/use-stage.ts';
import { useFolder } from '../../../test/harness/use-folder.ts';

const folder = useFolder();
const { stage } = useChannelStage([], () => ({
  env: { DATA_DIR: folder.path, FILES_MAX_MB: '1' },
}));
const CONTENT = Buffer.from('The otter sleeps on its back.');

interface Given {
  name: string;
  content: Buffer;
}

/** One channel of each system, in which somebody writes messages with files. */
const SYSTEMS = ['Slack', 'Mattermost'] as const;
const chats = {} as Record<(typeof SYSTEMS)[number], Awaited<ReturnType<typeof open>>>;
beforeAll(async () => {
  for (const system of SYSTEMS) chats[system] = await open(system);
});

async function open(system: (typeof SYSTEMS)[number]) {
  const { slack, mattermost } = stage;
  if (system === 'Slack') {
    const channel = await stage.mapSlack(await stage.connectSlack());
    const { id } = slack.addUser('maria');
    return {
      channel,
      faults: slack.faults,
      write: (text: string, files: readonly Given[]) => {
        const added = files.map(({ name, content }) => slack.addFile(name, content));
        return slack.write(channel.channelId, id, text, { subtype: 'file_share', files: added }).ts;
      },
      rewrite: (ts: string, text: string) => void slack.rewrite(channel.channelId, ts, text, id),
      shown: () => slack.shown(channel.channelId).map(({ text }) => text),
      download: /GET \/files-pri/,
    };
  }
  const channel = await stage.mapMattermost(await stage.connectMattermost());
  const person = mattermost.addUser({ username: 'maria' });
  return {
    channel,
    faults: mattermost.faults,
    write: (text: string, files: readonly Given[]) =>
      mattermost.write(channel.channelId, person.id, text, { files: [...files] }).id,
    rewrite: (id: string, text: string) => void mattermost.rewrite(id, text),
    shown: () => mattermost.shown(channel.channelId).map(({ message }) => message),
    download: /GET \/api\/v4\/files/,
  };
}

async function arrivedWith(channel: MappedChannel, text: string) {
  await until(async () => (await channel.list()).some(({ body }) => body.includes(text)), 20_000);
  const [message, ...more] = (await channel.list()).filter(({ body }) => body.includes(text));
  expect(more).toEqual([]);
  if (!message) throw new Error('it did not arrive');
  return message;
}

async function contentOf(fileId: string): Promise<Buffer> {
  const { server, org } = stage;
  const ask = () =>
    fetch(`${server.origin}/api/files/${fileId}/content`, {
      headers: { authorization: `Bearer ${org.member.key}` },
    });
  await until(async () => (await ask()).status === 200, 20_000);
  return Buffer.from(await (await ask()).arrayBuffer());
}

describe.each(SYSTEMS)('files from %s', (system) => {
  it('are attached to the message, with their bytes, for everybody who reads it', async () => {
    const { channel, write } = chats[system];
    write('See these', [
      { name: 'notes.txt', content: CONTENT },
      { name: 'data.bin', content: randomBytes(300_000) },
    ]);
    const message = await arrivedWith(channel, 'See these');
    expect(message.body).toBe('See these');
    expect(message.attachments).toMatchObject([
      { name: 'notes.txt', size: CONTENT.length },
      { name: 'data.bin', size: 300_000 },
    ]);
    expect(await contentOf(message.attachments?.[0]?.fileId ?? '')).toEqual(CONTENT);
  });

  it('need no text, and keep their names as data', async () => {
    const { channel, write } = chats[system];
    const before = (await channel.list()).length;
    write('', [{ name: '../../@ada\u202Egnp.exe', content: CONTENT }]);
    await until(async () => (await channel.list()).length > before, 20_000);
    const message = (await channel.list()).at(-1);
    expect(message?.body).toBe('');
    expect(message?.attachments).toMatchObject([{ name: '.._.._@adagnp.exe' }]);
    expect(message?.mentionedUserIds).toEqual([]);
  });

  it('that are too large, or cannot be fetched, stay links that say so', async () => {
    const { channel, write, faults, download } = chats[system];
    write('A film', [{ name: 'film.mp4', content: randomBytes(1_100_000) }]);
    const film = await arrivedWith(channel, 'A film');
    expect(film.body).toMatch(
      /^A film\n\n📎 \[film\.mp4\]\(https:\S+\) \*\(Too large to be brought here\.\)\*$/,
    );
    expect(film.attachments).toEqual([]);
    faults.next(download, { status: 500 });
    write('Not now', [{ name: 'a.txt', content: CONTENT }]);
    const failed = await arrivedWith(channel, 'Not now');
    expect(failed.body).toContain('*(It could not be brought here.)*');
    expect(failed.attachments).toEqual([]);
  });

  it('are stored once, although the process fails before the message is posted', async () => {
    const { channel, write } = chats[system];
    const { db } = stage.server;
    await db.query(
      `CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.body = 'Only once' AND nextval('failures') = 1 THEN RAISE 'scripted'; END IF;
         RETURN NEW; END $$`,
    );
    await db.query('CREATE SEQUENCE failures');
    await db.query(
      'CREATE TRIGGER fail_once BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION fail_once()',
    );
    try {
      write('Only once', [{ name: 'once.txt', content: CONTENT }]);
      const message = await arrivedWith(channel, 'Only once');
      expect(message.attachments).toMatchObject([{ name: 'once.txt' }]);
      const used = await db.query(
        `SELECT 1 FROM files f JOIN file_uses u ON u.org_id = f.org_id AND u.file_id = f.id
         WHERE f.org_id = $1 AND f.name = 'once.txt' AND f.project_id = $2`,
        [stage.org.orgId, channel.projectId],
      );
      expect(used).toHaveLength(1);
      // The other is nobody's, and goes after a day.
      const left = await db.query(
        `SELECT 1 FROM files WHERE org_id = $1 AND name = 'once.txt' AND project_id = $2
           AND purge_at IS NOT NULL`,
        [stage.org.orgId, channel.projectId],
      );
      expect(left).toHaveLength(1);
    } finally {
      await db.query('DROP TRIGGER fail_once ON messages');
      await db.query('DROP FUNCTION fail_once');
      await db.query('DROP SEQUENCE failures');
    }
  });

  it('are not brought again, nor become links, when the text is edited', async () => {
    const { channel, write, rewrite } = chats[system];
    const id = write('First words', [{ name: 'kept.txt', content: CONTENT }]);
    const message = await arrivedWith(channel, 'First words');
    rewrite(id, 'Other words');
    const edited = await arrivedWith(channel, 'Other words');
    expect(edited).toMatchObject({ id: message.id, body: 'Other words' });
    const idsOf = ({ attachments = [] }: typeof edited) => attachments.map(({ fileId }) => fileId);
    expect(idsOf(edited)).toEqual(idsOf(message));
  });
});

describe.each(SYSTEMS)('files to %s', (system) => {
  it('are links into Atrium that say so, also of a message without text', async () => {
    const { channel, shown } = chats[system];
    const { server, org } = stage;
    const as = { call: stage.call, key: org.member.key };
    const names = ['Budget [1] @here.txt', 'b.txt'];
    const projectId = channel.projectId;
    const fileIds: string[] = [];
    for (const name of names) {
      fileIds.push((await addFile(as, { projectId, bytes: CONTENT, name })).id);
    }
    const messages = `${server.origin}${channel.space}/sessions/${channel.sessionId}/messages`;
    const reply = await fetch(messages, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.member.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fileIds }),
    });
    expect(reply.status, await reply.clone().text()).toBe(201);
    const { data } = (await reply.json()) as { data: { id: string } };
    await until(async () => shown().some((text) => text.includes('b.txt')), 20_000);
    const text = shown().find((one) => one.includes('b.txt')) ?? '';
    expect(text.match(new RegExp(data.id, 'g'))).toHaveLength(2);
    expect(text).toContain('1 KB, in Atrium');
    expect(text).toContain('Budget 1 here.txt');
    expect(text).not.toContain('@here');
  });
});
