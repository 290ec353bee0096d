import { Redis } from 'ioredis';

const LIMIT_MS = 5_000;

/** Connects, signs in and asks for the version. Rejects with the cause if that takes too long or fails. */
export async function readRedisVersion(url: string, limitMs = LIMIT_MS): Promise<string> {
  let cause: unknown;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: limitMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The rejection below only says that the connection is closed.
  const giveUp = (error: Error) => {
    cause ??= error;
    redis.disconnect();
  };
  redis.on('error', giveUp);
  const deadline = setTimeout(() => giveUp(new Error(`no answer within ${limitMs} ms`)), limitMs);
  try {
    await redis.connect();
    const [, version] = /^(?:redis|valkey)_version:(\S+)/m.exec(await redis.info('server')) ?? [];
    return version ?? 'unknown';
  } catch (error) {
    throw cause ?? error;
  } finally {
    clearTimeout(deadline);
    redis.disconnect();
  }
}
