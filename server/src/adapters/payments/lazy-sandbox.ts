import type { Database } from '../../db/database.ts';
import { hasAnyObject } from './sandbox/store.ts';
import type { Sandbox, SandboxOptions } from './sandbox/start-sandbox.ts';

export { SANDBOX_WEBHOOK } from './sandbox/events.ts';

/** The sandbox, started when somebody first has to do with money: most processes never do. */
export interface LazySandbox {
  get(): Promise<Sandbox>;
  /** Does what has become due, if it was ever used; returns how much. */
  renew(db: Database): Promise<number>;
  close(): Promise<void>;
}

export function createLazySandbox(options: SandboxOptions): LazySandbox {
  let started: Promise<Sandbox> | undefined;
  /** What could not start is started anew by who asks next. */
  const forget = (error: unknown): never => {
    started = undefined;
    throw error;
  };
  return {
    get: () => (started ??= start(options).catch(forget)),
    async renew(db) {
      return (await hasAnyObject(db)) ? (await this.get()).renew() : 0;
    },
    async close() {
      await (await started)?.close();
    },
  };
}

async function start(options: SandboxOptions): Promise<Sandbox> {
  const { startSandbox } = await import('./sandbox/start-sandbox.ts');
  return startSandbox(options);
}
