import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../../../adapters/secrets/tokens.ts';
import type { Tokens } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import { notFound } from '../../../core/errors.ts';
import { isId } from '../../../core/ids.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import { claimDigest, listDueRecipients, stopMail, type Recipient } from './store.ts';

/** The job that sends one digest to one person. */
export const DIGEST_MAIL = 'digest-mail';

const BATCH = 500;

/**
 * A chore: claims the digests that are due. A claim and its job are committed together, so a digest is owed
 * once, whichever processes do this at the same time or are killed meanwhile.
 */
export async function enqueueDigests(db: Queryable, jobs: JobQueue): Promise<number> {
  const due = await listDueRecipients(db, BATCH);
  for (const recipient of due) {
    await db.transaction(async (tx) => {
      const number = await claimDigest(tx, recipient);
      if (number === undefined) return;
      jobs.enqueue(tx, { kind: DIGEST_MAIL, payload: { ...recipient, number } });
    });
  }
  return due.length;
}

/** Where a mail program sends a POST to, for a person who wants no more digests of this org. */
export const UNSUBSCRIBE_PATH = '/web/unsubscribe';

export function unsubscribeToken(tokens: Tokens, { orgId, userId }: Recipient): string {
  return [orgId, userId, tokens.derive('unsubscribe', orgId, userId)].join('.');
}

/** The token is the credential: whoever has the email may stop such emails, and do nothing else. */
export async function unsubscribe(
  { db, tokens }: { db: Queryable; tokens: Tokens },
  token: string,
): Promise<void> {
  const [orgId = '', userId = '', signature = ''] = token.split('.');
  const isSigned =
    isId(orgId) &&
    isId(userId) &&
    tokens
      .deriveAll('unsubscribe', orgId, userId)
      .some((known) => timingSafeEqual(hashToken(known), hashToken(signature)));
  if (!isSigned) throw notFound('This link');
  await stopMail(db, { orgId, userId });
}
