import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import { createLocalBus } from './local-bus.ts';
import { createPostgresBus } from './postgres-bus.ts';

/** `url` must reach PostgreSQL directly, because LISTEN needs a session. Without it the bus stays in this process. */
export function createBus(url: string | undefined, log: Logger): Bus {
  const local = createLocalBus();
  return url === undefined ? local : createPostgresBus(url, local, log);
}
