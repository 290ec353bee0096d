import { describe, expect, it } from 'vitest';
import type { ChannelMessage, MappedChannel } from '../../../test/harness/stages/channel-stage.ts';
import { useChannelStage } from '../../../test/harness/stages/use-stage.ts';
import { decide } from './inbox/quota.ts';
import type { Answered } from './mappings/store.ts';

const { stage, ada } = useChannelStage();

type Reply = ChannelMessage & { status: string; error: { code: string } | null };

async function repliesIn(channel: MappedChannel): Promise<{ answered: Reply[]; notes: Reply[] }> {
  const replies = ((await channel.list()) as Reply[]).filter(
    ({ authorKind }) => authorKind === 'AGENT',
  );
  return {
    answered: replies.filter(({ status }) => status === 'COMPLETED'),
    notes: replies.filter(({ error }) => error?.code === 'rate_limited'),
  };
}

/** As if these replies had just been asked for. Ahead of time, so that a slow machine doesn't forget them. */
async function addReplies(channel: MappedChannel, authorId: string, replies: number) {
  const answered: Answered[] = [
    { at: new Date(Date.now() + 300_000).toISOString(), authorId, replies },
  ];
  await stage.server.db.query(
    'UPDATE channel_mappings SET answered = $3 WHERE org_id = $1 AND id = $2',
    [stage.org.orgId, channel.id, JSON.stringify(answered)],
  );
}

it('one outsider’s mentions are answered 20 times a minute, and one note says so', async () => {
  const { slack } = stage;
  const channel = await stage.mapSlack(await stage.connectSlack(), { answers: 'EVERYONE' });
  const mallory = slack.addUser('Mallory', { email: 'm@elsewhere.example' });
  const eve = slack.addUser('Eve', { email: 'e@elsewhere.example' });
  await addReplies(channel, mallory.id, 18);
  for (let nth = 0; nth < 6; nth++) slack.write(channel.channelId, mallory.id, `@ada ${nth}`);
  slack.write(channel.channelId, eve.id, '@ada from somebody else');
  const count = async () => (await repliesIn(channel)).answered.length;
  await expect.poll(count, { timeout: 90_000 }).toBe(3);
  await stage.settled();
  const { answered, notes } = await repliesIn(channel);
  expect(answered).toHaveLength(3);
  expect(ada.requests).toHaveLength(3);
  expect(notes).toMatchObject([{ body: expect.stringContaining('20 times a minute') }]);
  // People in the channel read it too.
  const shown = () => slack.shown(channel.channelId).filter(({ text }) => /20 times/.test(text));
  await expect.poll(() => shown().length).toBe(1);
});

describe('decide', () => {
  const now = new Date('2026-11-18T12:00:00Z');
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

  /** What happens to so many messages of each author, in turn. */
  function run(authors: readonly string[], times: number, at = now, before: Answered[] = []) {
    let state = before;
    let admitted = 0;
    const notes: string[] = [];
    for (let nth = 0; nth < times; nth++) {
      for (const authorId of authors) {
        const { admission, answered } = decide(state, { authorId, replies: 1 }, at);
        if (answered.length > 0) state = answered;
        if (admission.isAdmitted) admitted++;
        else if (admission.note !== undefined) notes.push(admission.note);
      }
    }
    return { admitted, notes, state };
  }

  it('bounds one author, and the whole channel however many accounts ask', () => {
    expect(run(['a'], 150)).toMatchObject({ admitted: 20, notes: [expect.stringContaining('20')] });
    const many = Array.from({ length: 100 }, (_, nth) => `account ${nth}`);
    expect(run(many, 5)).toMatchObject({ admitted: 60, notes: [expect.stringContaining('60')] });
  });

  it('keeps little, and lets a minute pass', () => {
    const { state } = run(['a', 'b', 'c', 'd', 'e'], 100);
    expect(state.length).toBeLessThanOrEqual(60 + 6);
    expect(run(['a'], 1, later(59), state).admitted).toBe(0);
    expect(run(['a'], 30, later(60), state)).toMatchObject({ admitted: 20 });
  });

  it('counts each reply that a message asks for', () => {
    const first = decide([], { authorId: 'a', replies: 18 }, now);
    expect(first.admission.isAdmitted).toBe(true);
    expect(decide(first.answered, { authorId: 'a', replies: 3 }, now).admission).toMatchObject({
      isAdmitted: false,
    });
    expect(decide(first.answered, { authorId: 'a', replies: 2 }, now).admission).toMatchObject({
      isAdmitted: true,
    });
  });
});
