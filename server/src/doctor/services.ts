import { checkSmtp } from '../adapters/mail/smtp.ts';
import { readRedisVersion } from '../adapters/rate-limiter/check-redis.ts';
import type { Config } from '../config/config.ts';
import { problemOf } from '../core/problem-of.ts';
import { failed, ok, skipped, warning, type Found } from './finding.ts';

const PROBE_LIMIT_MS = 5_000;

export async function checkRedis({ redisUrl }: Config): Promise<Found> {
  if (redisUrl === undefined) return skipped('REDIS_URL is not set; rate limits are per process');
  try {
    return ok(`version ${await readRedisVersion(redisUrl)}`);
  } catch (error) {
    return failed(
      `cannot be used: ${problemOf(error)}`,
      'Start Redis, or correct REDIS_URL. Until then, each process has its own rate limits.',
    );
  }
}

export async function checkMail({ smtpUrl }: Config): Promise<Found> {
  if (smtpUrl === undefined) {
    return warning(
      'SMTP_URL is not set; emails are written to files in DATA_DIR/mail',
      'Set SMTP_URL to send invitations and sign-in links.',
    );
  }
  try {
    await checkSmtp(smtpUrl);
    return ok('connected and signed in, without sending an email');
  } catch (error) {
    return failed(problemOf(error), 'Correct SMTP_URL, or ask the people who run the mail server.');
  }
}

/** Asks the public address for the health probe, as a browser would reach it. */
export async function checkPublicUrl({ publicUrl, isProduction }: Config): Promise<Found> {
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(hostname);
  try {
    const signal = AbortSignal.timeout(PROBE_LIMIT_MS);
    const reply = await fetch(`${publicUrl}/healthz`, { redirect: 'manual', signal });
    const body = await readStart(reply);
    if (reply.status !== 200 || !body.includes('"ok"')) return unexpected(publicUrl, reply);
  } catch (error) {
    const advice = 'Start the server. If it is running, check DNS, the proxy and its certificate.';
    return warning(`${publicUrl} does not answer: ${problemOf(error)}`, advice);
  }
  if (protocol === 'https:' || (isLocal && !isProduction)) return ok(`${publicUrl} answers`);
  return warning(
    `${publicUrl} answers, but is not encrypted`,
    'Put a proxy with TLS in front, and set PUBLIC_URL to its https origin.',
  );
}

function unexpected(publicUrl: string, reply: Response): Found {
  const target = reply.headers.get('location');
  if (reply.status >= 300 && reply.status < 400 && target && URL.canParse(target, publicUrl)) {
    const { origin } = new URL(target, publicUrl);
    return failed(`${publicUrl} redirects to ${origin}`, `Set PUBLIC_URL to ${origin}.`);
  }
  return failed(
    `${publicUrl}/healthz answers ${reply.status}, but not as Atrium does`,
    'Make the proxy pass this origin to Atrium, or correct PUBLIC_URL.',
  );
}

/** The probe is short; whatever else answers there may not be. */
async function readStart(reply: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of reply.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > 1_000) break;
  }
  return text;
}
