import { expect, it } from 'vitest';
import { until } from '../../../../test/harness/stages/agent-stage.ts';
import { chatOnMattermost, type Chat } from '../../../../test/harness/stages/channel-chats.ts';
import { CONNECTIONS } from '../../../../test/harness/stages/channel-stage.ts';
import { useChannelStage } from '../../../../test/harness/stages/use-stage.ts';

const { stage, ada } = useChannelStage();

const texts = (chat: Chat) => chat.shown().map(({ text }) => text);

async function connectionOf({ channel }: Chat) {
  const { items } = (await stage.send('GET', CONNECTIONS)).json.data;
  return items.find(({ id }: { id: string }) => id === channel.connectionId);
}

it('a reply appears while it is written, as one post', async () => {
  const gate = Promise.withResolvers<void>();
  const startedAt = performance.now();
  const pace = async (event: number) => (event < 3 ? undefined : gate.promise);
  ada.answerWith([{ text: 'Some words at first, and the rest later.', chunks: 8, pace }]);
  const chat = await chatOnMattermost(stage);
  await until(async () => (await connectionOf(chat)).status === 'CONNECTED');
  await chat.channel.post('@ada tell me');
  await expect.poll(() => texts(chat).at(-1)).toMatch(/^Some.* …$/);
  const early = chat.shown().at(-1);
  gate.resolve();
  await expect.poll(() => texts(chat).at(-1)).toBe('Some words at first, and the rest later.');
  expect(chat.shown()).toHaveLength(2);
  expect(chat.shown().at(-1)?.id).toBe(early?.id);
  // At most one a second while it is written, and the last one.
  const edits = stage.mattermost.requests().filter((request) => request.includes(`${early?.id}`));
  expect(edits.length).toBeLessThan(3 + (performance.now() - startedAt) / 1000);
});
