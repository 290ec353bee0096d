import { hash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addFile } from '../../../../../test/harness/clients/uploads.ts';
import type { MappedChannel } from '../../../../../test/harness/stages/channel-stage.ts';
import { useChannelStage } from '../../../../../test/harness/stages/use-stage.ts';
import { useFolder } from '../../../../../test/harness/use-folder.ts';

const folder = useFolder();
const { stage } = useChannelStage([], () => ({ env: { DATA_DIR: folder.path } }));
const PATIENT = { timeout: 20_000 };

/** A message there, with the files that people see with it. */
interface Seen {
  text: string;
  files: { name: string; sha256: string }[];
}

const shownFile = (name: string, bytes: Buffer = Buffer.alloc(0)) => ({
  name,
  sha256: hash('sha256', bytes),
});

const SYSTEMS = ['Slack', 'Mattermost'] as const;
const chats = {} as Record<(typeof SYSTEMS)[number], Awaited<ReturnType<typeof open>>>;
beforeAll(async () => {
  for (const system of SYSTEMS) chats[system] = await open(system);
});

async function open(system: (typeof SYSTEMS)[number]) {
  const { slack, mattermost } = stage;
  if (system === 'Slack') {
    const channel = await stage.mapSlack(await stage.connectSlack());
    const all = () => slack.shown(channel.channelId);
    return {
      channel,
      faults: slack.faults,
      /** Files come in the message's thread. */
      seen: (): Seen[] =>
        all()
          .filter(({ files }) => !files)
          .map(({ ts, text }) => ({
            text,
            files: all()
              .filter(({ thread_ts: root }) => root === ts)
              .flatMap(({ files = [] }) => files)
              .map(({ id, name }) => shownFile(name, slack.uploads.bytesOf(id))),
          })),
      kept: () => slack.uploads.received().length,
      uploading: /\/upload\/v1\//,
      showing: /completeUploadExternal/,
      posting: /chat\.postMessage/,
      refuse: () => slack.faults.next(/getUploadURLExternal/, { refusal: 'missing_scope' }),
    };
  }
  const channel = await stage.mapMattermost(await stage.connectMattermost());
  return {
    channel,
    faults: mattermost.faults,
    seen: (): Seen[] =>
      mattermost.shown(channel.channelId).map(({ message, files }) => ({
        // After its author.
        text: message.replace(/^.*\n?/, ''),
        files: files.map(({ id, name }) => shownFile(name, mattermost.fileContents.get(id))),
      })),
    kept: () => mattermost.shown(channel.channelId).flatMap(({ files }) => files).length,
    uploading: /POST \/api\/v4\/files/,
    showing: /POST \/api\/v4\/posts$/,
    posting: /POST \/api\/v4\/posts$/,
    refuse: () => mattermost.faults.next(/POST \/api\/v4\/files/, { status: 403 }),
  };
}

async function add({ projectId }: MappedChannel, name: string, bytes: Buffer): Promise<string> {
  const as = { call: stage.call, key: stage.org.member.key };
  return (await addFile(as, { projectId, bytes, name })).id;
}

async function post({ space, sessionId }: MappedChannel, body: string, fileIds: string[]) {
  const path = `${space}/sessions/${sessionId}/messages`;
  const sent = body === '' ? { fileIds } : { body, fileIds };
  const reply = await stage.send('POST', path, sent, stage.org.member.key);
  expect(reply.status, reply.text).toBe(201);
  return { path: `${space}/messages/${reply.json.data.id}`, id: reply.json.data.id as string };
}

describe.each(SYSTEMS)('files to %s', (system) => {
  it('are uploaded with all their bytes, with and without a text', async () => {
    const { channel, seen } = chats[system];
    const bytes = randomBytes(3_000_000);
    const ids = [await add(channel, 'a.bin', bytes), await add(channel, 'b.txt', Buffer.from('b'))];
    await post(channel, 'See these', ids);
    const files = [shownFile('a.bin', bytes), shownFile('b.txt', Buffer.from('b'))];
    await expect.poll(seen, PATIENT).toContainEqual({ text: 'See these', files });
    await post(channel, '', ids.slice(0, 1));
    const text = system === 'Slack' ? '📎 a.bin' : '';
    await expect.poll(seen, PATIENT).toContainEqual({ text, files: files.slice(0, 1) });
  });

  it('are links that say why if they are refused, or are not checked in time', async () => {
    const { channel, seen, refuse } = chats[system];
    const bytes = Buffer.from('secret');
    refuse();
    const refused = await add(channel, 'Plan [1] @here.txt', bytes);
    const { id } = await post(channel, 'A plan', [refused]);
    const shown = () => seen().find(({ text }) => text.startsWith('A plan'));
    await expect
      .poll(() => shown()?.text ?? '', PATIENT)
      .toContain('1 KB, in Atrium: not accepted here');
    expect(shown()).toMatchObject({ text: expect.stringContaining(`m=${id}`), files: [] });
    expect(shown()?.text).not.toContain('@here');

    const { db } = stage.server;
    const waiting = await add(channel, 'c.txt', bytes);
    await db.query("UPDATE files SET status = 'CHECKING' WHERE id = $1", [waiting]);
    const late = await post(channel, 'Later', [waiting]);
    await post(channel, 'Last', []);
    const old = "UPDATE messages SET created_at = created_at - interval '1 minute' WHERE id = $1";
    await db.query(old, [late.id]);
    await expect.poll(() => seen().at(-1)?.text, PATIENT).toBe('Last');
    expect(seen().at(-2)?.text).toMatch(/^Later\n\n.*still being checked/);
  });

  it('arrive once, whatever answers and records are lost', async () => {
    const { channel, seen, faults, ...chat } = chats[system];
    const { db } = stage.server;
    await db.query(
      `CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval(TG_ARGV[0]) = 1 THEN RAISE 'scripted'; END IF; RETURN NEW; END $$`,
    );
    const trigger = (name: string, when: string) =>
      db.query(
        `CREATE TRIGGER ${name} BEFORE ${when} FOR EACH ROW EXECUTE FUNCTION fail_once('${name}')`,
      );
    for (const name of ['lost_post', 'lost_upload']) await db.query(`CREATE SEQUENCE ${name}`);
    await trigger('lost_post', 'INSERT ON channel_messages');
    await trigger('lost_upload', 'UPDATE OF external_id ON channel_files');
    try {
      faults.next(chat.uploading, { isLate: true });
      faults.next(chat.posting, { isLate: true });
      faults.next(chat.showing, { isLate: true });
      const bytes = Buffer.from('once');
      await post(channel, 'Only once', [await add(channel, 'once.txt', bytes)]);
      const once = { text: 'Only once', files: [shownFile('once.txt', bytes)] };
      await expect.poll(seen, PATIENT).toContainEqual(once);
      await post(channel, 'After it', []);
      await expect.poll(() => seen().at(-1)?.text, PATIENT).toBe('After it');
      expect(seen().filter(({ text }) => text.startsWith('Only once'))).toEqual([once]);
    } finally {
      await db.query('DROP FUNCTION fail_once CASCADE');
      for (const name of ['lost_post', 'lost_upload']) await db.query(`DROP SEQUENCE ${name}`);
    }
  });

  it('go when they are deleted, or their message is', async () => {
    const { channel, seen, kept } = chats[system];
    const before = kept();
    const fileIds = [await add(channel, 'gone.txt', Buffer.from('gone'))];
    const { path } = await post(channel, 'Will be gone', fileIds);
    await expect.poll(() => seen().at(-1)?.files.length, PATIENT).toBe(1);
    await stage.send('DELETE', path, undefined, stage.org.member.key);
    await expect.poll(() => seen().map(({ text }) => text), PATIENT).not.toContain('Will be gone');
    await expect.poll(kept, PATIENT).toBe(before);

    const [one, other] = [
      await add(channel, 'one.txt', Buffer.from('1')),
      await add(channel, 'other.txt', Buffer.from('2')),
    ];
    await post(channel, 'One goes', [one, other]);
    await expect.poll(() => seen().at(-1)?.files.length, PATIENT).toBe(2);
    await stage.send('DELETE', `/api/files/${one}`, undefined, stage.org.member.key);
    await expect.poll(kept, PATIENT).toBe(before + 1);
    const left = { text: 'One goes', files: [shownFile('other.txt', Buffer.from('2'))] };
    await expect.poll(() => seen().at(-1), PATIENT).toEqual(left);
  });
});
