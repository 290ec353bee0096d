import { AtriumError, ConnectionError, TimeoutError } from '@atrium/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  beginAttempt,
  createEntry,
  hurry,
  nextToSend,
  release,
  storedFilesOf,
  type Entry,
} from './entry.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2027-03-01T12:00:00Z');
let count = 0;
const newId = () => `id-${++count}`;
const entry = (changes: Partial<Entry> = {}): Entry => ({
  ...createEntry({ slug: 'p', sessionId: 's', parentMessageId: undefined, body: 'hi' }, NOW, newId),
  ...changes,
});
const begin = (before: Entry, now = NOW) => beginAttempt(before, 'here', now);
const refusal = (code: string, status: number, reason?: string, retryAfter?: number) =>
  new AtriumError('No.', { code, status, retryAfter, details: reason ? { reason } : {} });

describe('sending', () => {
  it('goes in order within a session, skipping failed entries', () => {
    const entries = [
      entry({ id: 'a', state: 'failed' }),
      entry({ id: 'b', sessionId: 'other' }),
      entry({ id: 'c' }),
      entry({ id: 'd' }),
    ];
    expect(nextToSend(entries, 's', () => true)?.id).toBe('c');
    expect(nextToSend(entries, 'none', () => true)).toBeUndefined();
  });

  it('waits for its files, and holds up nothing meanwhile', () => {
    const entries = [entry({ id: 'a', files: 1 }), entry({ id: 'b' })];
    const hasItsFiles = (one: Entry) => storedFilesOf(one, []) !== undefined;
    expect(nextToSend(entries, 's', hasItsFiles)?.id).toBe('b');
  });

  it.each([
    ['one is still on its way', [{ state: 'waiting', fileId: 'f' }]],
    ['one has failed', [{ state: 'failed', fileId: null }]],
    ['the browser has forgotten one', []],
    [
      'one is stored and another is not',
      [
        { state: 'stored', fileId: 'f' },
        { state: 'failed', fileId: 'g' },
      ],
    ],
  ] as const)('never goes without a file: %s', (_, uploads) => {
    expect(storedFilesOf(entry({ files: Math.max(1, uploads.length) }), uploads)).toBeUndefined();
  });

  it('has the same files on every attempt, in their order', () => {
    const uploads = [
      { state: 'stored', fileId: 'f' },
      { state: 'stored', fileId: 'g' },
    ] as const;
    const fileIds = storedFilesOf(entry({ files: 2 }), uploads);
    expect(fileIds).toEqual(['f', 'g']);
    const begun = beginAttempt(entry({ files: 2 }), 'here', NOW, fileIds);
    expect(storedFilesOf(begun, [])).toEqual(['f', 'g']);
  });

  it('records the sign-in before the attempt', () => {
    expect(begin(entry())).toMatchObject({ state: 'waiting', sentAs: 'here', attempts: 1 });
  });

  it('stops if the server may have forgotten the key', () => {
    expect(begin(entry(), NOW + 22 * HOUR).state).toBe('waiting');
    expect(begin(entry(), NOW + 23.5 * HOUR)).toMatchObject({ state: 'failed' });
  });

  it('stops if an attempt under another sign-in may have arrived', () => {
    expect(begin(entry({ sentAs: 'before' })).state).toBe('failed');
    expect(begin(entry({ sentAs: 'here' })).state).toBe('waiting');
  });
});

describe('after a failure', () => {
  it.each([
    ['no connection', new ConnectionError('Gone.', { code: 'CONNECTION_ERROR' })],
    ['no response in time', new TimeoutError('Late.', { code: 'TIMEOUT' })],
    ['the server failed', refusal('INTERNAL_ERROR', 500)],
    ['the first request is still running', refusal('CONFLICT', 409, 'idempotency_in_progress')],
    ['not an API error', new TypeError('odd')],
  ])('%s: waits, with the same key', (_, error) => {
    const before = entry();
    const after = afterFailure(before, begin(before), error, NOW);
    expect(after).toMatchObject({ state: 'waiting', key: before.key, sentAs: 'here' });
    expect(after.retryAt).toBeGreaterThan(NOW);
    expect(after.retryAt).toBeLessThanOrEqual(NOW + 1_000);
  });

  it.each([
    ['signed out', refusal('AUTH_ERROR', 401)],
    ['too many requests', refusal('RATE_LIMIT', 429, undefined, 7)],
  ])('%s: the server did nothing, so another sign-in may send it', (_, error) => {
    const before = entry();
    const after = afterFailure(before, begin(before), error, NOW);
    expect(after).toMatchObject({ state: 'waiting', sentAs: null });
    expect(beginAttempt(after, 'elsewhere', NOW).state).toBe('waiting');
    if (error.retryAfter) expect(after.retryAt).toBe(NOW + 7_000);
  });

  it.each([
    ['VALIDATION_ERROR', 400, false],
    ['FORBIDDEN', 403, false],
    ['NOT_FOUND', 404, true],
    ['CONFLICT', 409, true],
  ])('%s: fails with a message; uses another key next time: %s', (code, status, isAnother) => {
    const before = entry();
    const after = afterFailure(before, begin(before), refusal(code, status), NOW);
    expect(after).toMatchObject({ state: 'failed', error: 'No.' });
    const again = release(after, NOW + HOUR, newId);
    expect(again).toMatchObject({ state: 'waiting', error: null, retryAt: 0 });
    expect(again.key !== before.key).toBe(isAnother);
  });

  it('waits longer each time up to a limit, and not at all once the connection is back', () => {
    let current = entry();
    for (let at = 0; at < 40; at++) {
      const begun = begin(current);
      current = afterFailure(current, begun, new ConnectionError('', { code: 'X' }), NOW);
      expect(current.retryAt - NOW).toBeLessThanOrEqual(30_000);
    }
    expect(current.retryAt - NOW).toBeGreaterThanOrEqual(15_000);
    expect(hurry(current).retryAt).toBe(0);
  });
});

/** Keeps responses by sign-in and key for 24 hours, as the server does. */
class Server {
  readonly posted: string[] = [];
  readonly #keys = new Map<string, number>();

  post(signIn: string, { key, body }: Entry, now: number): void {
    const scope = `${signIn} ${key}`;
    const known = this.#keys.get(scope);
    if (known !== undefined && now - known < 24 * HOUR) return;
    this.#keys.set(scope, now);
    this.posted.push(body);
  }
}

type Step =
  | 'lost request'
  | 'lost answer'
  | 'closed page'
  | 'busy'
  | 'signed out'
  | 'long night'
  | 'ok';

describe('whatever happens on the way', () => {
  it('a message is posted at most once, until a person who was warned sends it again', () => {
    const steps = fc.array(
      fc.constantFrom<Step>(
        'lost request',
        'lost answer',
        'closed page',
        'busy',
        'signed out',
        'long night',
        'ok',
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(steps, (steps) => {
        const server = new Server();
        let current = entry();
        let now = NOW;
        let signIn = 1;
        for (const step of steps) {
          now += step === 'long night' ? 9 * HOUR : 60_000;
          if (step === 'long night') continue;
          const begun = beginAttempt(current, String(signIn), now);
          if (begun.state === 'failed') break;
          if (step === 'lost answer' || step === 'closed page' || step === 'ok') {
            server.post(String(signIn), begun, now);
          }
          if (step === 'ok') break;
          if (step === 'closed page') current = begun;
          else {
            const error =
              step === 'busy'
                ? refusal('RATE_LIMIT', 429)
                : step === 'signed out'
                  ? refusal('AUTH_ERROR', 401)
                  : new ConnectionError('', { code: 'CONNECTION_ERROR' });
            current = afterFailure(current, begun, error, now);
          }
          if (step === 'signed out') signIn++;
        }
        expect(server.posted.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('treats every conflict except a running request as a refusal', () => {
    const conflict = refusal('CONFLICT', 409, 'session_archived');
    const before = entry();
    expect(afterFailure(before, begin(before), conflict, NOW).state).toBe('failed');
  });
});
