import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startClamd } from '../../../test/harness/outside/clamd-server.ts';
import { freePort } from '../../../test/harness/processes/free-port.ts';
import { useStarted } from '../../../test/harness/processes/use-started.ts';
import { createClamd } from './clamd.ts';

const TIMINGS = { connectMs: 1_000, silenceMs: 400, totalMs: 5_000 };
const SIGNATURE = 'atrium-test-malware';

async function* pieces(data: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < data.length; at += 100_000) yield data.subarray(at, at + 100_000);
}

describe('clamd', () => {
  const clamd = useStarted(
    () => startClamd({ signature: SIGNATURE, maxBytes: 2_000_000 }),
    (started) => started.close(),
  );
  const open = (timings = TIMINGS) => createClamd({ host: '127.0.0.1', port: clamd.port }, timings);

  it('a clean file: null, and clamd got exactly its bytes', async () => {
    const data = randomBytes(1_000_000);
    expect(await open().scan(pieces(data))).toBeNull();
    expect(clamd.received().equals(data)).toBe(true);
  });

  it('an infected one: the name of what was found, wherever it is', async () => {
    const data = randomBytes(500_000);
    data.write(SIGNATURE, 299_990, 'latin1');
    expect(await open().scan(pieces(data))).toBe('Atrium.Test-1');
  });

  it('answers PING', async () => {
    await open().check();
  });

  it('too large for it: throws what it says, never clean', async () => {
    await expect(open().scan(pieces(randomBytes(3_000_000)))).rejects.toThrow(
      /clamd|EPIPE|ECONNRESET/,
    );
  });

  it('a source that breaks off: throws, and the half of it is never clean', async () => {
    const failing = (async function* () {
      yield randomBytes(1000);
      throw new Error('the storage is gone');
    })();
    await expect(open().scan(failing)).rejects.toThrow('the storage is gone');
  });

  it.each(['hang', 'close', 'garbage', 'endless'] as const)(
    'a clamd that does %s: throws in time',
    async (behaviour) => {
      clamd.behave(behaviour);
      try {
        await expect(open().scan(pieces(randomBytes(1000)))).rejects.toThrow(/clamd/);
        await expect(open().check()).rejects.toThrow(/clamd/);
      } finally {
        clamd.behave('scan');
      }
    },
  );

  it('one that is not there: throws, naming where it should be', async () => {
    const port = await freePort();
    const scanner = createClamd({ host: '127.0.0.1', port }, TIMINGS);
    await expect(scanner.check()).rejects.toThrow(`127.0.0.1:${port}`);
  });

  it('a caller that has gone: throws its reason', async () => {
    clamd.behave('hang');
    try {
      const signal = AbortSignal.timeout(100);
      await expect(open().scan(pieces(randomBytes(9)), signal)).rejects.toThrow('timeout');
    } finally {
      clamd.behave('scan');
    }
  });
});
