import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Bus } from './bus.ts';
import { createLocalBus } from './local-bus.ts';
import { createPostgresBus } from './postgres-bus.ts';
import { createRedisBus } from './redis-bus.ts';

export interface BusUrls {
  redis?: string | undefined;
  /** Must reach PostgreSQL directly, because LISTEN needs a session. */
  postgres: string | undefined;
}

export function busUrls({ redisUrl, databaseUrl, databaseDirectUrl }: Config): BusUrls {
  return { redis: redisUrl, postgres: databaseUrl && (databaseDirectUrl ?? databaseUrl) };
}

/** Through Redis if there is one, or else through PostgreSQL. Without either the bus stays in this process. */
export function createBus({ redis, postgres }: BusUrls, log: Logger): Bus {
  const local = createLocalBus();
  if (postgres === undefined) return local;
  return redis === undefined
    ? createPostgresBus(postgres, local, log)
    : createRedisBus(redis, local, log);
}
