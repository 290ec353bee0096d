import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { keepResponse, replayStored } from './responses.ts';

const request = {
  scope: { orgId: 'org', hash: randomBytes(32) },
  bodyHash: randomBytes(32),
  secret: 'secret',
  callerId: 'key',
  isRead: true,
};
const keep = (body: string) => keepResponse(request, { status: 200, body });

// No list or search returns so much. This holds for what may come.
it('keeps nothing of a response that takes up more than 1 MiB, and so replays nothing', async () => {
  const kept = await keep(randomBytes(1_100_000).toString('base64'));
  expect(kept).toMatchObject({ counted: null, sealedResponse: { length: 0 } });
  const stored = { ...request, ...kept, claimId: 'c', leaseIsLive: false, hasExpired: false };
  expect(await replayStored(request, stored)).toEqual({ response: undefined, replayed: true });
});

it('keeps one that is larger but takes up less, compressed', async () => {
  const kept = await keep('We talked about this. '.repeat(100_000));
  expect(kept.isCompressed).toBe(true);
  expect(kept.counted?.bytes).toBeLessThan(100_000);
});
