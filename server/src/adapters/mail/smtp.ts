import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import nodemailer, { type NodemailerError, type SMTPPoolOptions } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailAddress } from '../../config/mail.ts';
import { MailRefused, type Mailer, type OutgoingMail } from './mailer.ts';
import { composeMessage } from './message.ts';

export interface SmtpTimeouts {
  /** For connecting, the greeting and STARTTLS. */
  connectMs: number;
  /** Without a byte from the server. */
  silenceMs: number;
  /** For one email in total, even if the server keeps sending. */
  totalMs: number;
}

export interface SmtpOptions {
  /** Already checked by the configuration. */
  url: string;
  from: MailAddress;
  timeouts?: SmtpTimeouts;
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, silenceMs: 10_000, totalMs: 30_000 };
const MAX_CONNECTIONS = 3;
/** A server may drop an idle connection just as an email is sent. Retrying on a new one is safe. */
const MAX_REQUEUES = 2;
const MAX_REPLY_LENGTH = 300;

/** Sends through one server, over a pool of connections. */
export function createSmtpMailer({ url, from, timeouts = TIMEOUTS }: SmtpOptions): Mailer {
  const open = () => nodemailer.createTransport(poolOptions(new URL(url), timeouts));
  const deliveries = new Set<Promise<void>>();
  const retired = new Set<ReturnType<typeof open>>();
  let pool = open();

  /** A stalled connection can't be closed alone. Others finish on the old pool, then it is closed. */
  function retire(stalled: typeof pool): void {
    if (stalled !== pool) return;
    pool = open();
    retired.add(stalled);
    stalled.close();
    setTimeout(() => {
      stalled.close({ force: true });
      retired.delete(stalled);
    }, timeouts.totalMs).unref();
  }

  async function deliver(mail: OutgoingMail, signal?: AbortSignal): Promise<void> {
    const message = composeMessage(mail, from);
    signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(timeouts.totalMs);
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const used = pool;
    const sending = used.sendMail(message).catch((error: unknown) => {
      throw describeFailure(error);
    });
    if (await isDoneBefore(stop, sending)) return;
    retire(used);
    signal?.throwIfAborted();
    throw new Error(`the mail server did not finish within ${timeouts.totalMs} ms`);
  }

  return {
    async send(mail, { signal } = {}) {
      const delivery = deliver(mail, signal);
      deliveries.add(delivery);
      try {
        await delivery;
      } finally {
        deliveries.delete(delivery);
      }
    },
    async close() {
      pool.close();
      await Promise.allSettled(deliveries);
      for (const each of [pool, ...retired]) each.close({ force: true });
    },
  };
}

/** Connects and signs in as the mailer would, without sending anything. */
export async function checkSmtp(
  url: string,
  timeouts: SmtpTimeouts = CHECK_TIMEOUTS,
): Promise<void> {
  const options = poolOptions(new URL(url), timeouts);
  const connection = new SMTPConnection(options);
  const deadline = AbortSignal.timeout(timeouts.totalMs);
  try {
    const signingIn = signIn(connection, options).catch((error: unknown) => {
      const { code, response, message } = error as NodemailerError;
      throw new Error(`could not sign in (${code}): ${withoutSecrets(response ?? message)}`);
    });
    if (await isDoneBefore(deadline, signingIn)) return;
  } finally {
    connection.close();
  }
  throw new Error(`the mail server did not finish within ${timeouts.totalMs} ms`);
}

const CHECK_TIMEOUTS: SmtpTimeouts = { connectMs: 5_000, silenceMs: 5_000, totalMs: 8_000 };

function signIn(connection: SMTPConnection, { auth }: SMTPPoolOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error | null) => (error ? reject(error) : resolve());
    connection.on('error', reject);
    connection.connect((error) => {
      if (error || !auth) settle(error);
      else connection.login(auth, settle);
    });
  });
}

function poolOptions(url: URL, timeouts: SmtpTimeouts): SMTPPoolOptions & { pool: true } {
  const host = url.hostname.startsWith('[')
    ? url.hostname.slice(1, -1)
    : domainToASCII(decodeURIComponent(url.hostname));
  const secure = url.protocol === 'smtps:';
  const requireTLS = url.searchParams.get('requireTLS') === 'true';
  return {
    pool: true,
    host,
    secure,
    requireTLS,
    ...(url.port && { port: Number(url.port) }),
    ...((url.username || url.password) && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    // Debian's mail servers offer STARTTLS with a self-signed certificate, even on loopback.
    ...(!secure && !requireTLS && isLoopback(host) && { tls: { rejectUnauthorized: false } }),
    maxConnections: MAX_CONNECTIONS,
    maxRequeues: MAX_REQUEUES,
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    // Close idle connections before the silence counts as a failure.
    idleTimeout: timeouts.silenceMs / 2,
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** False as soon as the signal is aborted. Rejects if `work` does. */
function isDoneBefore(signal: AbortSignal, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(false);
    signal.addEventListener('abort', onAbort, { once: true });
    void work
      .then(() => resolve(true), reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * A new error instead of a cause, because logs and job records must not quote the email. Only a refused
 * recipient or message is final; an operator can fix a refused password or sender.
 */
function describeFailure(error: unknown): Error {
  const { command, code, response, permanent, responseCode, message } = error as NodemailerError;
  const problem = withoutSecrets(response ?? message);
  const isAboutThisMail = command === 'RCPT TO' || command === 'DATA';
  if (isAboutThisMail && permanent && !isAboutSignIn(responseCode)) {
    return new MailRefused(`the mail server refused this email: ${problem}`);
  }
  const step = [command, code].filter(Boolean).join(', ');
  return new Error(`could not send the email (${step}): ${problem}`);
}

/** Reply codes of RFC 4954 and 3207 that may follow any command. */
function isAboutSignIn(responseCode: number | undefined): boolean {
  return responseCode !== undefined && [530, 534, 535, 538].includes(responseCode);
}

/** Spam filters quote links when they refuse an email, and our links contain a token. */
function withoutSecrets(reply: string): string {
  return reply
    .replace(/https?:\/\/\S+|[\w-]{40,}/gi, '[…]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REPLY_LENGTH);
}
