import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
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

  it('that are too large, or not to be had, stay links that say so', async () => {
    const { channel, write, faults, download } = chats[system];
    write('A film', [{ name: 'film.mp4', content: randomBytes(1_100_000) }]);
    const film = await arrivedWith(channel, 'A film');
    expect(film.body).toMatch(
      /^A film\n\n📎 \[film\.mp4\]\(https:\S+\) \*\(Too large to be brought here\.\)\*$/,
    );
    expect(film.attachments).toEqual([]);
    faults.next(download, { status: 403 });
    write('Not ours', [{ name: 'a.txt', content: CONTENT }]);
    const failed = await arrivedWith(channel, 'Not ours');
    expect(failed.body).toContain('*(It could not be brought here.)*');
    expect(failed.attachments).toEqual([]);
  });

  it('come later if they could not be fetched at once, or the message says that they never did', async () => {
    const { channel, write, faults, download } = chats[system];
    faults.next(download, { status: 503 }, 2);
    write('Not now', [{ name: 'late.txt', content: CONTENT }]);
    const early = await arrivedWith(channel, 'Not now');
    const find = async () => (await channel.list()).find(({ id }) => id === early.id);
    const came = { body: 'Not now', attachments: [{ name: 'late.txt' }], editedAt: null };
    await expect.poll(find, { timeout: 20_000 }).toMatchObject(came);
    expect(await contentOf((await find())?.attachments?.[0]?.fileId ?? '')).toEqual(CONTENT);

    const grow = (bytes: number) =>
      stage.server.db.query(
        "UPDATE files SET size = size + $2 WHERE org_id = $1 AND name = 'late.txt'",
        [stage.org.orgId, bytes],
      );
    const TOO_MUCH = 20 * 1024 ** 3;
    await grow(TOO_MUCH);
    write('No room', [{ name: 'room.txt', content: CONTENT }]);
    const crowded = await arrivedWith(channel, 'No room');
    expect(crowded.body).toMatch(/\*\(It is being brought here\.\)\*$/);
    await grow(-TOO_MUCH);
    const isThere = async () => (await arrivedWith(channel, 'No room')).attachments;
    await expect.poll(isThere, { timeout: 20_000 }).toMatchObject([{ name: 'room.txt' }]);

    faults.next(download, { status: 503 }, 100);
    write('Never', [{ name: 'never.txt', content: CONTENT }]);
    const { id } = await arrivedWith(channel, 'Never');
    const hurry = async () => {
      await stage.server.db.query(
        `UPDATE jobs SET run_at = now(), attempts = greatest(attempts, 9)
         WHERE kind = 'bring_late_file' AND lease_token IS NULL AND dead_at IS NULL`,
      );
      return (await channel.list()).find((each) => each.id === id)?.body;
    };
    await expect
      .poll(hurry, { timeout: 20_000 })
      .toMatch(/^Never\n\n📎 \[never\.txt\]\(https:\S+\) \*\(It could not be brought here\.\)\*$/);
    faults.clear();
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
