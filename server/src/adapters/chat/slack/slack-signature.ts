import { createHmac, timingSafeEqual } from 'node:crypto';

const MOST_SECONDS_APART = 300;

/** Whether it could be Slack's, for a look that costs nothing: it is new, and has the form of a signature. */
export function couldBeSlack(
  timestamp: string | undefined,
  signature: string | undefined,
  now: Date,
): boolean {
  if (!timestamp || !/^\d{1,12}$/.test(timestamp)) return false;
  const secondsApart = Math.abs(now.getTime() / 1000 - Number(timestamp));
  return secondsApart <= MOST_SECONDS_APART && /^v0=[0-9a-f]{64}$/.test(signature ?? '');
}

/** Whether Slack sent these bytes, and not long ago. Without a secret, nothing is Slack's. */
export function verifySlackRequest(
  rawBody: Uint8Array,
  timestamp: string | undefined,
  signature: string | undefined,
  signingSecret: string | undefined,
  now: Date,
): boolean {
  if (!signingSecret || !timestamp || !signature) return false;
  if (!couldBeSlack(timestamp, signature, now)) return false;
  const hmac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(rawBody);
  const expected = Buffer.from(`v0=${hmac.digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
