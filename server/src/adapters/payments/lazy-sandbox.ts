import type { Sandbox, SandboxHost } from '@atrium/payments-sandbox';
import type { Transaction } from '../../db/types.ts';
import { PermanentFailure, type JobHandler } from '../../jobs/handler.ts';
import type { JobQueue } from '../../jobs/queue.ts';

/** Jobs of this kind deliver the sandbox's events. */
export const SANDBOX_WEBHOOK = 'sandbox-webhook';

export interface SandboxOptions extends Omit<SandboxHost, 'enqueueDelivery'> {
  jobs: Pick<JobQueue, 'enqueue'>;
}

/** The payments sandbox. It is loaded when first needed, and started when somebody first buys something. */
export interface LazySandbox {
  get(): Promise<Sandbox>;
  /** The handler of SANDBOX_WEBHOOK jobs. */
  deliver: JobHandler;
  /** Renews what is due and returns how many; does not start a sandbox that was never used. */
  renew(): Promise<number>;
  close(): Promise<void>;
}

const load = () => import('@atrium/payments-sandbox');

export function createLazySandbox({ jobs, ...options }: SandboxOptions): LazySandbox {
  const host = {
    ...options,
    enqueueDelivery(tx: Transaction, eventId: string) {
      jobs.enqueue(tx, { kind: SANDBOX_WEBHOOK, payload: { eventId } });
    },
  };
  let started: Promise<Sandbox> | undefined;
  /** After a failed start, the next caller tries again. */
  const forget = (error: unknown): never => {
    started = undefined;
    throw error;
  };
  const get = () =>
    (started ??= load()
      .then(({ startSandbox }) => startSandbox(host))
      .catch(forget));
  return {
    get,
    async deliver(payload, { signal }) {
      const { eventId } = payload as { eventId: string };
      if (await (await get()).deliver(eventId, signal)) return;
      throw new PermanentFailure(`sandbox event ${eventId} not found`);
    },
    async renew() {
      return (await (await load()).wasUsed(host.db)) ? (await get()).renew() : 0;
    },
    async close() {
      await (await started)?.close();
    },
  };
}
