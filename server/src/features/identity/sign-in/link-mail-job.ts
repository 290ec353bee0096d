import { z } from 'zod';
import type { Mailer } from '../../../adapters/mail/mailer.ts';
import type { Tokens, WebSettings } from '../../../core/context.ts';
import type { Database } from '../../../db/types.ts';
import { isUnambiguous } from '../../../core/email.ts';
import { findInvitedEmail } from '../../org/invitations/service.ts';
import { findUndoHash } from '../email-changes/store.ts';
import { renderEmailChangedMail, renderEmailChangeMail, renderSignInMail } from './link-mail.ts';
import { linkUrl, undoUrl } from './links.ts';
import { findLink, type LinkToMail } from './store.ts';

export const LINK_MAIL = 'link-mail';
export const EMAIL_CHANGED_MAIL = 'email-changed-mail';

const Payload = z.object({ linkId: z.string() });

export interface LinkMailParts {
  db: Database;
  mailer: Mailer;
  tokens: Tokens;
  publicUrl: string;
  signup: WebSettings['signup'];
}

/** Sends a link to its address, unless nobody there may use it. */
export async function sendLinkMail(
  parts: LinkMailParts,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { db, mailer, tokens, publicUrl } = parts;
  const { linkId } = Payload.parse(payload);
  const found = await findLink(db, linkId);
  const email = found?.isOpen ? await recipientOf(parts, found) : undefined;
  if (!found || email === undefined) return;
  const link = linkUrl(tokens, publicUrl, found);
  const render = found.purpose === 'sign-in' ? renderSignInMail : renderEmailChangeMail;
  // The same id on every attempt lets mail programs recognise duplicates.
  const mail = { to: email, ...render({ email, link }), link, messageId: linkId };
  await mailer.send(mail, { signal });
}

/**
 * Undefined if nobody is to be emailed. The typed address may only look like that of an account or an
 * invitation (U+212A counts as K), so the email goes to the address as stored.
 */
async function recipientOf(
  { db, signup }: LinkMailParts,
  { purpose, holderId, holderEmail, userId, email }: LinkToMail,
): Promise<string | undefined> {
  if (purpose === 'email-change') {
    return holderId === null || holderId === userId ? email : undefined;
  }
  const stored = holderEmail ?? (await findInvitedEmail(db, email));
  if (stored !== undefined) return stored;
  return signup === 'open' && isUnambiguous(email) ? email : undefined;
}

/** Jobs from before undo links existed have no `undoId`. */
const ChangedPayload = Payload.extend({ undoId: z.string().optional() });

export async function sendEmailChangedMail(
  { db, mailer, tokens, publicUrl }: LinkMailParts,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { linkId, undoId } = ChangedPayload.parse(payload);
  const { email, previousEmail } = (await findLink(db, linkId)) ?? {};
  if (email === undefined || typeof previousEmail !== 'string') return;
  const tokenHash = undoId === undefined ? undefined : await findUndoHash(db, undoId);
  const undo =
    undoId === undefined || tokenHash === undefined
      ? {}
      : { link: undoUrl(tokens, publicUrl, { id: undoId, tokenHash }) };
  const mail = renderEmailChangedMail({ email, previousEmail, ...undo });
  const messageId = `${linkId}-done`;
  await mailer.send({ to: previousEmail, ...mail, ...undo, messageId }, { signal });
}
