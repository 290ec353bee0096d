import { beforeAll, describe, expect, it } from 'vitest';
import type { MappedChannel } from '../../../test/harness/stages/channel-stage.ts';
import { signedRequest } from '../../../test/harness/outside/chat/slack-deliveries.ts';
import { expectError, expectInvalid } from '../../../test/harness/clients/envelope.ts';
import { useChannelStage } from '../../../test/harness/stages/use-stage.ts';

const { stage } = useChannelStage([]);
let channel: MappedChannel;
let path: string;

beforeAll(async () => {
  const { signingSecret } = stage.slack;
  const connectionId = await stage.connectSlack({ appToken: null, signingSecret });
  channel = await stage.mapSlack(connectionId);
  path = `/api/webhooks/slack/${connectionId}`;
});

const deliver = (text: string, headers: Record<string, string>, to = path) =>
  stage.call('POST', to, { body: text, headers });
const sign = (body: object, at?: Date) => signedRequest(body, stage.slack.signingSecret, at);
const event = (text: string) => ({
  type: 'event_callback',
  team_id: 'T0ACME',
  event: {
    type: 'message',
    channel: channel.channelId,
    user: [...stage.slack.users.keys()][0] ?? stage.slack.addUser('Eve').id,
    text,
    ts: stage.slack.newTs(),
  },
});

describe('POST /webhooks/slack/{connectionId}', () => {
  it('200: the test of the address, and events, each once', async () => {
    const test = sign({ type: 'url_verification', challenge: 'a-challenge' });
    const answer = await deliver(test.text, test.headers);
    expect(answer).toMatchObject({ status: 200, text: 'a-challenge' });
    const told = event('By webhook');
    // As Slack repeats what it thinks was not heard: signed each time.
    for (const secondsAgo of [0, 60, 120]) {
      const { text, headers } = sign(told, new Date(Date.now() - secondsAgo * 1000));
      expect((await deliver(text, headers)).status).toBe(200);
    }
    await channel.arrived('By webhook');
    stage.slack.deliveries.deliverTo(stage.server.origin + path, stage.slack.signingSecret);
    const eve = [...stage.slack.users.values()][0];
    stage.slack.write(channel.channelId, eve?.id, 'From Slack');
    await channel.arrived('From Slack');
    expect((await channel.list()).map(({ body }) => body)).toEqual(['By webhook', 'From Slack']);
  });

  it('400: a wrong, missing, stale or replayed signature, and a body that differs in one byte', async () => {
    const { text, headers } = sign(event('Forged'));
    const time = headers['x-slack-request-timestamp'] ?? '';
    const stale = sign(event('Forged'), new Date(Date.now() - 301_000));
    const ahead = sign(event('Forged'), new Date(Date.now() + 360_000));
    const other = signedRequest(event('Forged'), 'another secret');
    for (const [body, given] of [
      [text, other.headers],
      [text.replace('Forged', 'forged'), headers],
      [`${text} `, headers],
      [text, { 'content-type': 'application/json' }],
      [text, { ...headers, 'x-slack-signature': '' }],
      [text, { ...headers, 'x-slack-signature': `${headers['x-slack-signature']}0` }],
      [text, { ...headers, 'x-slack-request-timestamp': String(Number(time) - 1) }],
      [stale.text, stale.headers],
      [ahead.text, ahead.headers],
    ] as const) {
      const [problem] = expectInvalid(await deliver(body, given));
      expect(problem?.location).toBe('header.x-slack-signature');
    }
    expect((await channel.list()).map(({ body }) => body)).not.toContain('Forged');
    const heard = sign({ type: 'event_callback', event: { type: 'unknown' } });
    expect((await deliver(heard.text, heard.headers)).status).toBe(200);
    expect(expectInvalid(await deliver(heard.text, heard.headers))).toMatchObject([
      { location: 'header.x-slack-signature', message: 'was used before' },
    ]);
  });

  it('400 without a secret, whatever the signature; 404: an unknown connection, or one of Mattermost', async () => {
    const socket = await stage.connectSlack();
    const empty = signedRequest(event('Forged'), '');
    const { text, headers } = sign(event('Forged'));
    for (const [body, given] of [
      [empty.text, empty.headers],
      [text, headers],
    ] as const) {
      expectInvalid(await deliver(body, given, `/api/webhooks/slack/${socket}`));
    }
    const mattermost = await stage.connectMattermost();
    for (const id of [mattermost, channel.projectId, 'x', '..']) {
      expectError(await deliver(text, headers, `/api/webhooks/slack/${id}`), 'NOT_FOUND');
    }
  });

  it('what was written before messages came in does not come in late', async () => {
    const direction = (to: string) => stage.send('PATCH', channel.path, { direction: to });
    await direction('OUT');
    const early = event('Written while it was OUT');
    await direction('BOTH');
    for (const told of [early, event('Written after that')]) {
      const { text, headers } = sign(told);
      expect((await deliver(text, headers)).status).toBe(200);
    }
    await channel.arrived('Written after that');
    const bodies = (await channel.list()).map(({ body }) => body);
    expect(bodies).not.toContain('Written while it was OUT');
  });

  it('429: a client whose requests were refused too often, however many were right', async () => {
    const refused = () => deliver('{}', { 'content-type': 'application/json' });
    const right = sign({ type: 'url_verification', challenge: 'a-challenge' });
    const statuses = new Map<number, number>();
    for (let nth = 0; nth < 310; nth++) {
      expect(nth > 20 || (await deliver(right.text, right.headers)).status === 200).toBe(true);
      const { status } = await refused();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(400)).toBeGreaterThan(250);
    const limited = await refused();
    expectError(limited, 'RATE_LIMIT');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
