import type { Logger } from 'pino';
import { createMailer } from './adapters/mail/create-mailer.ts';
import { MailRefused } from './adapters/mail/mailer.ts';
import type { Config } from './config.ts';
import type { Tokens } from './context.ts';
import type { Database } from './db/database.ts';
import { INVITATION_MAIL, sendInvitationMail } from './features/org/invitation-mail-job.ts';
import { PermanentFailure, type JobHandlers } from './jobs/handler.ts';
import { startMaintenance } from './jobs/maintenance.ts';
import type { WakeUp } from './jobs/wake-up.ts';
import { startWorker } from './jobs/worker.ts';

export interface BackgroundOptions {
  config: Config;
  db: Database;
  log: Logger;
  wakeUp: WakeUp;
  tokens: Tokens;
}

/** All that happens without a request: jobs and maintenance. Any number of processes may do it. */
export function startBackground(options: BackgroundOptions): { stop(): Promise<void> } {
  const { config, db, log, wakeUp, tokens } = options;
  const mailer = createMailer(config, log);
  const handlers: JobHandlers = {
    [INVITATION_MAIL]: (payload, { signal }) =>
      buryingRefusals(
        sendInvitationMail({ db, mailer, tokens, publicUrl: config.publicUrl }, payload, signal),
      ),
  };
  const worker = startWorker({ db, wakeUp, handlers, log });
  const maintenance = startMaintenance(db, log);
  return {
    async stop() {
      await worker.stop();
      await maintenance.stop();
      await mailer.close();
    },
  };
}

/** A mail that nobody will ever take is for an operator to look at, not to try again. */
async function buryingRefusals(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof MailRefused) throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
}
