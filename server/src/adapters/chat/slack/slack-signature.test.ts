import { describe, expect, it } from 'vitest';
import { signedRequest } from '../../../../test/harness/outside/chat/slack-deliveries.ts';
import { verifySlackRequest } from './slack-signature.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECRET = 'the signing secret';
const signed = signedRequest({ type: 'event_callback', text: 'Grüße' }, SECRET, NOW);
const body = Buffer.from(signed.text);
const secondsFromNow = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe('a request of Slack’s', () => {
  it('is accepted, up to 300 seconds early or late', () => {
    for (const seconds of [0, 300, -300]) {
      const now = secondsFromNow(seconds);
      expect(verifySlackRequest(body, signed.timestamp, signed.signature, SECRET, now)).toBe(true);
    }
  });

  it('is the documented example', () => {
    const timestamp = '1531420618';
    const text =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
    const secret = '8f742231b10e8888abcd99yyyzzz85a5';
    const at = new Date(Number(timestamp) * 1000);
    expect(verifySlackRequest(Buffer.from(text), timestamp, signature, secret, at)).toBe(true);
  });
});

describe('a request that is refused', () => {
  it.each<[string, Parameters<typeof verifySlackRequest>]>([
    ['wrong signature', [body, signed.timestamp, `v0=${'0'.repeat(64)}`, SECRET, NOW]],
    ['shorter signature', [body, signed.timestamp, signed.signature.slice(0, -1), SECRET, NOW]],
    ['no signature', [body, signed.timestamp, undefined, SECRET, NOW]],
    ['no timestamp', [body, undefined, signed.signature, SECRET, NOW]],
    ['timestamp that is not a number', [body, 'NaN', signed.signature, SECRET, NOW]],
    [
      'another timestamp',
      [body, String(Number(signed.timestamp) + 1), signed.signature, SECRET, NOW],
    ],
    ['301 seconds late', [body, signed.timestamp, signed.signature, SECRET, secondsFromNow(301)]],
    ['301 seconds early', [body, signed.timestamp, signed.signature, SECRET, secondsFromNow(-301)]],
    ['another secret', [body, signed.timestamp, signed.signature, 'another', NOW]],
    ['no secret', [body, signed.timestamp, signed.signature, undefined, NOW]],
  ])('%s', (_name, given) => {
    expect(verifySlackRequest(...given)).toBe(false);
  });

  it('is signed with an empty secret, as anybody could', () => {
    const forged = signedRequest({ type: 'event_callback' }, 'x', NOW);
    expect(
      verifySlackRequest(Buffer.from(forged.text), forged.timestamp, forged.signature, '', NOW),
    ).toBe(false);
  });

  it('differs in any one byte', () => {
    for (const index of body.keys()) {
      const altered = Buffer.from(body);
      altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
      expect(verifySlackRequest(altered, signed.timestamp, signed.signature, SECRET, NOW)).toBe(
        false,
      );
    }
  });
});
