import type { Logger } from 'pino';
import { createMailer } from '../adapters/mail/create-mailer.ts';
import { SANDBOX_WEBHOOK, type LazySandbox } from '../adapters/payments/lazy-sandbox.ts';
import { MailRefused } from '../adapters/mail/mailer.ts';
import type { Config } from '../config/config.ts';
import type { Context, Dependencies, SystemActor } from '../core/context.ts';
import type { Database } from '../db/types.ts';
import { durableListenersOf } from '../events/create-events.ts';
import { handleOwed, startListeners } from '../events/durable.ts';
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
import { buryLateFile, LATE_FILE, runLateFile } from '../features/channels/inbox/late/job.ts';
import { purgeEvents } from '../features/channels/inbox/service.ts';
import { startRelay, type RelayTiming } from '../features/channels/relay/service.ts';
import {
  EMBED_PASSAGES,
  embedPassages,
  enqueueUnembeddedPassages,
} from '../features/documents/embedding/job.ts';
import { enqueueUnread, READ_TEXT, readTexts } from '../features/documents/reading/job.ts';
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
import { purgePhotos } from '../features/identity/photos/store.ts';
import { purgeLinks } from '../features/identity/sign-in/store.ts';
import { purgeStatuses } from '../features/identity/store.ts';
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
import {
  giveUpScheduled,
  SEND_SCHEDULED,
  sendScheduledMessage,
} from '../features/messages/scheduled/job.ts';
import {
  PREVIEW_LINKS,
  previewMessageLinks,
  purgePreviews,
} from '../features/messages/previews/job.ts';
import { AGENT_REPLY, FINISH_STOP } from '../features/messages/replies/service.ts';
import {
  CHECK_FILE,
  enqueueUnchecked,
  giveUpFileCheck,
  runFileCheck,
} from '../features/files/checking/job.ts';
import {
  finishUploads,
  purgeCopies,
  purgeFiles,
  purgeOrphans,
} from '../features/files/removal/purge.ts';
import { sweepRemains } from '../features/files/removal/service.ts';
import { sendDigestMail } from '../features/notifications/digest/mail-job.ts';
import { DIGEST_MAIL, enqueueDigests } from '../features/notifications/digest/service.ts';
import { purgeNotifications } from '../features/notifications/service.ts';
import { tellPeople } from '../features/notifications/listeners.ts';
import { adoptUntold } from '../features/notifications/telling/service.ts';
import {
  enqueueUnindexed,
  INDEX_MESSAGES,
  indexMessages,
} from '../features/messages/search/index-job.ts';
import { INVITATION_MAIL, sendInvitationMail } from '../features/org/invitation-mail-job.ts';
import { purgeMails } from '../features/org/mail-limit/service.ts';
import { REMIND, remindPerson } from '../features/reminders/job.ts';
import { purgeExpired } from '../http/idempotency/store.ts';
import { PermanentFailure, type JobHandler, type JobHandlers } from '../jobs/handler.ts';
import { MINUTE_MS, startMaintenance, type Chores } from '../jobs/maintenance.ts';
import { purgeDeadJobs } from '../jobs/store.ts';
import type { Timing } from '../jobs/timing.ts';
import type { WakeUp } from '../jobs/wake-up.ts';
import { startWorker } from '../jobs/worker.ts';
import { LISTENERS } from './listeners.ts';

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
const WAITING_AT_ONCE = 256;
/** They wait for models, for pages that people link to, and for chat systems. */
const WAITING_JOBS = [AGENT_REPLY, SUMMARISE_SESSION, PREVIEW_LINKS, LATE_FILE];

/** They keep a processor busy, so they neither wait for the others nor hold them up. */
const FILE_JOBS = [CHECK_FILE];
const FILES_AT_ONCE = 4;
/** All stored bytes are listed. */
const ORPHANS_EVERY_MS = 6 * 60 * MINUTE_MS;
/** They keep the processor busy, however many files there are. So they have few places, and no others' places. */
const TEXT_JOBS = [READ_TEXT, EMBED_PASSAGES];
const TEXTS_AT_ONCE = 4;

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
  const { tokens, encoder, jobs, sandbox, site, storage } = dependencies;
  const mailer = createMailer(config, log);
  const mailParts = () => ({
    db,
    mailer,
    tokens,
    publicUrl: site.publicUrl(),
    signup: config.signup,
  });
  type Parts = ReturnType<typeof mailParts>;
  const mailing =
    (send: (parts: Parts, payload: unknown, signal: AbortSignal) => Promise<void>): JobHandler =>
    (payload, { signal }) =>
      buryingRefusals(send(mailParts(), payload, signal));
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
    [INVITATION_MAIL]: mailing(sendInvitationMail),
    [LINK_MAIL]: mailing(sendLinkMail),
    [EMAIL_CHANGED_MAIL]: mailing(sendEmailChangedMail),
    [EMAIL_RESTORED_MAIL]: mailing(sendEmailRestoredMail),
    [DIGEST_MAIL]: mailing(sendDigestMail),
    ...(sandbox && { [SANDBOX_WEBHOOK]: sandbox.deliver }),
    [END_SUBSCRIPTION]: (payload) => endSubscription(dependencies.payments, payload),
    [EMBED_MEMORIES]: (payload, { signal }) => embedMemories({ db, encoder, log }, payload, signal),
    [INDEX_MESSAGES]: (payload, { signal }) => indexMessages({ db, log }, payload, signal),
    [REMIND]: (payload, { id }) => remindPerson((orgId) => contextOf(orgId, `job-${id}`), payload),
    [SEND_SCHEDULED]: (payload, { id }) =>
      sendScheduledMessage((orgId) => contextOf(orgId, `job-${id}`), payload),
    [FINISH_STOP](payload, { id }) {
      const job = readReplyJob(payload);
      return finishStop(agentContext(job.orgId, `job-${id}`), job);
    },
  };
  const worker = startWorker({
    db,
    wakeUp,
    handlers,
    onDeath: {
      [SEND_SCHEDULED]: (payload) => giveUpScheduled((orgId) => contextOf(orgId, 'job'), payload),
    },
    log,
    timing,
    kinds: { except: [...WAITING_JOBS, ...FILE_JOBS, ...TEXT_JOBS] },
  });
  // Replies wait for models for up to two minutes, so those that wait get their own worker and do not delay mail.
  const replies = startWorker({
    db,
    wakeUp,
    log,
    timing,
    kinds: { only: WAITING_JOBS },
    concurrency: WAITING_AT_ONCE,
    handlers: {
      [AGENT_REPLY](payload, { id, signal }) {
        const job = readReplyJob(payload);
        return answerMention(agentContext(job.orgId, `job-${id}`), job, { id, signal });
      },
      [SUMMARISE_SESSION](payload, { id, signal }) {
        const job = readSummaryJob(payload);
        return summariseSession(agentContext(job.orgId, `job-${id}`), job, signal);
      },
      [PREVIEW_LINKS]: (payload, { id, signal }) =>
        previewMessageLinks((orgId) => contextOf(orgId, `job-${id}`), payload, signal),
      [LATE_FILE]: (payload, { id, signal }) =>
        runLateFile((orgId) => contextOf(orgId, `job-${id}`), payload, signal),
    },
    onDeath: {
      [LATE_FILE]: (payload, error) =>
        buryLateFile((orgId) => contextOf(orgId, 'job'), payload, error),
      [AGENT_REPLY](payload) {
        const job = readReplyJob(payload);
        return giveUp(agentContext(job.orgId, 'job'), job);
      },
    },
  });
  const files = startWorker({
    db,
    wakeUp,
    log,
    timing,
    kinds: { only: FILE_JOBS },
    concurrency: FILES_AT_ONCE,
    handlers: {
      [CHECK_FILE]: (payload, { id, signal }) =>
        runFileCheck((orgId) => contextOf(orgId, `job-${id}`), payload, signal),
    },
    onDeath: {
      [CHECK_FILE]: (payload) => giveUpFileCheck((orgId) => contextOf(orgId, 'job'), payload),
    },
  });
  const texts = startWorker({
    db,
    wakeUp,
    log,
    timing,
    kinds: { only: TEXT_JOBS },
    concurrency: TEXTS_AT_ONCE,
    handlers: {
      [READ_TEXT]: (payload, { id, signal }) =>
        readTexts((orgId) => contextOf(orgId, `job-${id}`), payload, signal),
      [EMBED_PASSAGES]: (payload, run) => embedPassages({ db, encoder, log, jobs }, payload, run),
    },
  });
  const owed = { db, log, contextOf: (orgId: string) => contextOf(orgId, 'events') };
  const contextOfFiles = (orgId: string) => contextOf(orgId, 'files');
  const maintenance = startMaintenance(
    {
      'purge idempotency keys': () => purgeExpired(db),
      'purge dead jobs': () => purgeDeadJobs(db),
      'purge web sessions': () => purgeSessions(db),
      'purge sign-in links': () => purgeLinks(db),
      'purge invitation mail counts': () => purgeMails(db),
      'purge photos of deleted accounts': () => purgePhotos(db),
      'purge statuses that have ended': () => purgeStatuses(db),
      'purge email undos': () => purgeUndos(db),
      'purge memories': () => purgeMemories(db),
      'purge resting handles': () => purgeRestingHandles(db),
      'purge link previews': () => purgePreviews(db),
      'purge notifications': () => purgeNotifications(db),
      'purge the audit log': () => purgeAudit(db, config.auditDays),
      'purge events of chat channels': () => purgeEvents(db),
      'purge files that nothing uses': () => purgeFiles(db, contextOfFiles),
      ...(sandbox && { 'renew sandbox plans': () => sandbox.renew() }),
      'renew included credits': () => renewDueAccounts(db, new Date()),
      'give missing handles': () => giveMissingHandles(db, dependencies.models),
      'queue memories to embed': () => enqueueUnembedded(db, jobs, encoder),
      'queue passages to embed': () => enqueueUnembeddedPassages(db, { jobs, encoder }),
      'queue texts to read': () => enqueueUnread(db, jobs),
      'queue messages to index': () => enqueueUnindexed(db, jobs),
    },
    log,
  );
  const everyMinute = startMaintenance(
    {
      'tell people of what older processes wrote': () => adoptUntold(db),
      async 'queue digests of notifications'() {
        await handleOwed(owed, tellPeople);
        return enqueueDigests(db, jobs);
      },
      'queue pending replies again': () => requeuePending(db, jobs),
      'finish uploads of processes that died': () => finishUploads(db, contextOfFiles),
      'queue checks of files again': () => enqueueUnchecked(db, jobs),
      'delete bytes of deleted files': () => sweepRemains({ db, storage, log }),
    },
    log,
    MINUTE_MS,
  );
  const orphans = startMaintenance(
    {
      'delete bytes that nothing refers to': () => purgeOrphans(db, storage),
      ...spoolChores(dependencies),
    },
    log,
    ORPHANS_EVERY_MS,
  );
  const listeners = startListeners(owed, durableListenersOf(LISTENERS), wakeUp);
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
      await Promise.all([worker, replies, files, texts, listeners, relay].map((one) => one.stop()));
      openReplies.close();
      await Promise.all([maintenance, everyMinute, orphans].map((one) => one.stop()));
      await mailer.close();
    },
  };
}

/** For a process that runs no jobs. The spool folder may be on a machine without one that does. */
export function startSpoolChores(
  dependencies: Dependencies,
  log: Logger,
): { stop(): Promise<void> } {
  return startMaintenance(spoolChores(dependencies), log, ORPHANS_EVERY_MS);
}

function spoolChores({ spoolFolder }: Dependencies): Chores {
  return { 'delete temporary copies of files': () => purgeCopies(spoolFolder) };
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
