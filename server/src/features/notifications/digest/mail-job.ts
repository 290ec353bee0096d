import { z } from 'zod';
import { MailRefused, type Mailer } from '../../../adapters/mail/mailer.ts';
import type { Tokens } from '../../../core/context.ts';
import type { Database } from '../../../db/types.ts';
import { renderDigest } from './mail.ts';
import { UNSUBSCRIBE_PATH, unsubscribeToken } from './service.ts';
import { abandonDigest, endDigest, findDigest, startDigest } from './store.ts';

const Payload = z.object({ orgId: z.string(), userId: z.string(), number: z.int() });

export interface DigestMailParts {
  db: Database;
  mailer: Mailer;
  tokens: Tokens;
  publicUrl: string;
}

/**
 * Sends what is still unread, if anything is. A worker that is killed while it sends leaves an unknown
 * outcome. Nobody sends that digest again: the next one, an hour later, has what is unread then.
 */
export async function sendDigestMail(
  { db, mailer, tokens, publicUrl }: DigestMailParts,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { number, ...recipient } = Payload.parse(payload);
  const digest = await findDigest(db, recipient, number);
  if (!digest) return;
  const { email, orgName, until, rows } = digest;
  if (rows.length === 0) return endDigest(db, recipient, until);
  if (!(await startDigest(db, recipient, number))) return;
  const unsubscribe = `${publicUrl}${UNSUBSCRIBE_PATH}/${unsubscribeToken(tokens, recipient)}`;
  const messageId = `digest-${recipient.orgId}-${recipient.userId}-${number}`;
  const mail = renderDigest({ orgName, rows, publicUrl });
  try {
    await mailer.send({ to: email, ...mail, unsubscribe, messageId }, { signal });
  } catch (error) {
    if (error instanceof MailRefused) await endDigest(db, recipient, until);
    else if (!signal.aborted) await abandonDigest(db, recipient, number);
    throw error;
  }
  await endDigest(db, recipient, until);
}
