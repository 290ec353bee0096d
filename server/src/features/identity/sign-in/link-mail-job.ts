import { z } from 'zod';
import type { Mailer } from '../../../adapters/mail/mailer.ts';
import type { Tokens, WebSettings } from '../../../context.ts';
import type { Database } from '../../../db/database.ts';
import { isInvited } from '../../org/service.ts';
import { renderEmailChangedMail, renderEmailChangeMail, renderSignInMail } from './link-mail.ts';
import { linkUrl } from './links.ts';
import { findLink } from './store.ts';

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

type FoundLink = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/** Sends a link to its address, unless there is nobody there who may use it. */
export async function sendLinkMail(
  parts: LinkMailParts,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { db, mailer, tokens, publicUrl } = parts;
  const { linkId } = Payload.parse(payload);
  const found = await findLink(db, linkId);
  if (!found?.isOpen || !(await isWanted(parts, found))) return;
  const { email, purpose } = found;
  const link = linkUrl(tokens, publicUrl, found);
  const render = purpose === 'sign-in' ? renderSignInMail : renderEmailChangeMail;
  // The same id on every attempt lets a mail program recognise a second delivery.
  const mail = { to: email, ...render({ email, link }), link, messageId: linkId };
  await mailer.send(mail, { signal });
}

async function isWanted({ db, signup }: LinkMailParts, link: FoundLink): Promise<boolean> {
  const { purpose, holderId, userId, email } = link;
  if (purpose === 'email-change') return holderId === null || holderId === userId;
  return holderId !== null || signup === 'open' || isInvited(db, email);
}

export async function sendEmailChangedMail(
  { db, mailer }: Pick<LinkMailParts, 'db' | 'mailer'>,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { linkId } = Payload.parse(payload);
  const { email, previousEmail } = (await findLink(db, linkId)) ?? {};
  if (email === undefined || typeof previousEmail !== 'string') return;
  const mail = renderEmailChangedMail({ email, previousEmail });
  await mailer.send({ to: previousEmail, ...mail, messageId: `${linkId}-done` }, { signal });
}
