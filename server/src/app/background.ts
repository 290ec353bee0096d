import type { Logger } from 'pino';
import { createMailer } from '../adapters/mail/create-mailer.ts';
import { SANDBOX_WEBHOOK, type LazySandbox } from '../adapters/payments/lazy-sandbox.ts';
import { MailRefused } from '../adapters/mail/mailer.ts';
import type { Config } from '../config/config.ts';
import type { Context, Dependencies, SystemActor } from '../core/context.ts';
import type { Database } from '../db/types.ts';
import { answerMention, finishStop, giveUp } from '../features/agents/answering/answer.ts';
import { createOpenReplies } from '../features/agents/answering/open-replies.ts';
import {
  DEADLINE_MS,
  readReplyJob,
  type AgentContext,
} from '../features/agents/answering/reply-job.ts';
import {
  readSummaryJob,
  SUMMARISE_SESSION,
  summariseSession,
} from '../features/agents/reading/summarise.ts';
import { purgeAudit } from '../features/audit/service.ts';
import { endSubscription, END_SUBSCRIPTION } from '../features/billing/end-subscription-job.ts';
import { renewDueAccounts } from '../features/billing/ledger/service.ts';
import { purgeEvents } from '../features/channels/inbox/service.ts';
import { startRelay, type RelayTiming } from '../features/channels/relay/service.ts';
import {
  EMAIL_RESTORED_MAIL,
  sendEmailRestoredMail,
} from '../features/identity/email-changes/restored-mail.ts';
import { purgeUndos } from '../features/identity/email-changes/store.ts';
import {
  EMAIL_CHANGED_MAIL,
  LINK_MAIL,
  sendEmailChangedMail,
  sendLinkMail,
} from '../features/identity/sign-in/link-mail-job.ts';
import { purgeLinks } from '../features/identity/sign-in/store.ts';
import { purgeSessions } from '../features/identity/web-sessions/store.ts';
import {
  EMBED_MEMORIES,
  embedMemories,
  enqueueUnembedded,
} from '../features/memory/embedding/job.ts';
import { purgeMemories } from '../features/memory/store.ts';
import { giveMissingHandles } from '../features/mentions/service.ts';
import { purgeRestingHandles } from '../features/mentions/store.ts';
import { requeuePending } from '../features/messages/pending/requeue.ts';
import { AGENT_REPLY, FINISH_STOP } from '../features/messages/replies/service.ts';
import { sendDigestMail } from '../features/notifications/digest/mail-job.ts';
import { DIGEST_MAIL, enqueueDigests } from '../features/notifications/digest/service.ts';
import { purgeNotifications } from '../features/notifications/service.ts';
import { startTelling } from '../features/notifications/telling/service.ts';
import {
  enqueueUnindexed,
  INDEX_MESSAGES,
  indexMessages,
} from '../features/messages/search/index-job.ts';
import { INVITATION_MAIL, sendInvitationMail } from '../features/org/invitation-mail-job.ts';
import { purgeMails } from '../features/org/mail-limit/service.ts';
import { purgeExpired } from '../http/idempotency/store.ts';
import { PermanentFailure, type JobHandlers } from '../jobs/handler.ts';
import { MINUTE_MS, startMaintenance } from '../jobs/maintenance.ts';
import { purgeDeadJobs } from '../jobs/store.ts';
import type { Timing } from '../jobs/timing.ts';
import type { WakeUp } from '../jobs/wake-up.ts';
import { startWorker } from '../jobs/worker.ts';

export interface BackgroundOptions {
  config: Config;
  db: Database;
  log: Logger;
  wakeUp: WakeUp;
  dependencies: Dependencies & { sandbox?: LazySandbox | undefined };
  /** How long a model may take; default: two minutes. */
  replyDeadlineMs?: number;
  /** Shorter times for jobs, for tests. */
  jobTiming?: Partial<Timing>;
  /** The same for chat connections. */
  relayTiming?: Partial<RelayTiming> | undefined;
}

/** A reply mostly waits for its provider, and holds no database session meanwhile. */
const REPLIES_AT_ONCE = 256;
/** They wait for models. */
const MODEL_JOBS = [AGENT_REPLY, SUMMARISE_SESSION];

/** Runs jobs and maintenance. Any number of processes may do so. */
export function startBackground(options: BackgroundOptions): { stop(): Promise<void> } {
  const {
    config,
    db,
    log,
    wakeUp,
    dependencies,
    replyDeadlineMs = DEADLINE_MS,
    jobTiming: timing = {},
    relayTiming,
  } = options;
  const { tokens, encoder, jobs, sandbox, site } = dependencies;
  const mailer = createMailer(config, log);
  const mailParts = () => ({
    db,
    mailer,
    tokens,
    publicUrl: site.publicUrl(),
    signup: config.signup,
  });
  const openReplies = createOpenReplies(dependencies.replies);
  const contextOf = (orgId: string, requestId: string): Context<SystemActor> => ({
    requestId,
    orgId,
    actor: { kind: 'system' },
    db,
    clock: { now: () => new Date() },
    log,
    ...dependencies,
  });
  const agentContext = (orgId: string, jobId: string): AgentContext => ({
    ...contextOf(orgId, jobId),
    db,
    deadlineMs: replyDeadlineMs,
    openReplies,
  });
  const handlers: JobHandlers = {
    [INVITATION_MAIL]: (payload, { signal }) =>
      buryingRefusals(sendInvitationMail(mailParts(), payload, signal)),
    [LINK_MAIL]: (payload, { signal }) =>
      buryingRefusals(sendLinkMail(mailParts(), payload, signal)),
    [EMAIL_CHANGED_MAIL]: (payload, { signal }) =>
      buryingRefusals(sendEmailChangedMail(mailParts(), payload, signal)),
    [EMAIL_RESTORED_MAIL]: (payload, { signal }) =>
      buryingRefusals(sendEmailRestoredMail(mailParts(), payload, signal)),
    [DIGEST_MAIL]: (payload, { signal }) =>
      buryingRefusals(sendDigestMail(mailParts(), payload, signal)),
    ...(sandbox && { [SANDBOX_WEBHOOK]: sandbox.deliver }),
    [END_SUBSCRIPTION]: (payload) => endSubscription(dependencies.payments, payload),
    [EMBED_MEMORIES]: (payload, { signal }) => embedMemories({ db, encoder, log }, payload, signal),
    [INDEX_MESSAGES]: (payload, { signal }) => indexMessages({ db, log }, payload, signal),
    [FINISH_STOP](payload, { id }) {
      const job = readReplyJob(payload);
      return finishStop(agentContext(job.orgId, `job-${id}`), job);
    },
  };
  const worker = startWorker({ db, wakeUp, handlers, log, timing, kinds: { except: MODEL_JOBS } });
  // Replies wait for models for up to two minutes, so they get their own worker and do not delay mail.
  const replies = startWorker({
    db,
    wakeUp,
    log,
    timing,
    kinds: { only: MODEL_JOBS },
    concurrency: REPLIES_AT_ONCE,
    handlers: {
      [AGENT_REPLY](payload, { id, signal }) {
        const job = readReplyJob(payload);
        return answerMention(agentContext(job.orgId, `job-${id}`), job, { id, signal });
      },
      [SUMMARISE_SESSION](payload, { id, signal }) {
        const job = readSummaryJob(payload);
        return summariseSession(agentContext(job.orgId, `job-${id}`), job, signal);
      },
    },
    onDeath: {
      [AGENT_REPLY](payload) {
        const job = readReplyJob(payload);
        return giveUp(agentContext(job.orgId, 'job'), job);
      },
    },
  });
  const maintenance = startMaintenance(
    {
      'purge idempotency keys': () => purgeExpired(db),
      'purge dead jobs': () => purgeDeadJobs(db),
      'purge web sessions': () => purgeSessions(db),
      'purge sign-in links': () => purgeLinks(db),
      'purge invitation mail counts': () => purgeMails(db),
      'purge email undos': () => purgeUndos(db),
      'purge memories': () => purgeMemories(db),
      'purge resting handles': () => purgeRestingHandles(db),
      'purge notifications': () => purgeNotifications(db),
      'purge the audit log': () => purgeAudit(db, config.auditDays),
      'purge events of chat channels': () => purgeEvents(db),
      ...(sandbox && { 'renew sandbox plans': () => sandbox.renew() }),
      'renew included credits': () => renewDueAccounts(db, new Date()),
      'give missing handles': () => giveMissingHandles(db, dependencies.models),
      'queue memories to embed': () => enqueueUnembedded(db, jobs, encoder),
      'queue messages to index': () => enqueueUnindexed(db, jobs),
    },
    log,
  );
  const everyMinute = startMaintenance(
    {
      'queue digests of notifications': () => enqueueDigests(db, dependencies),
      'queue pending replies again': () => requeuePending(db, jobs),
    },
    log,
    MINUTE_MS,
  );
  const telling = startTelling({ db, hints: dependencies.hints, log }, wakeUp);
  const relay = startRelay({
    db,
    log,
    wakeUp,
    contextOf: (orgId) => contextOf(orgId, 'relay'),
    hints: dependencies.hints,
    replies: dependencies.replies,
    timing: relayTiming,
  });
  return {
    async stop() {
      await Promise.all([worker.stop(), replies.stop(), telling.stop(), relay.stop()]);
      openReplies.close();
      await Promise.all([maintenance.stop(), everyMinute.stop()]);
      await mailer.close();
    },
  };
}

/** If the mail server refuses a mail for good, retrying does not help; an operator has to look at it. */
async function buryingRefusals(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof MailRefused) throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
}
