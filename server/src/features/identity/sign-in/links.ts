import { hashToken } from '../../../adapters/secrets/tokens.ts';
import type { Tokens } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import { emailKey } from '../../../core/email.ts';
import { conflict, notFound, type AppError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { findLinkByToken, insertLink, useLink, type LinkPurpose, type LinkRow } from './store.ts';

export const LINK_MINUTES = 15;

export interface LinkRequest {
  purpose: LinkPurpose;
  email: string;
  /** Whose address changes. */
  userId?: string;
  /** The page to open after signing in. */
  returnTo?: string | undefined;
  lifeMinutes?: number;
}

/** Stores only the token's hash; the token is derived again from the id when it is needed. */
export async function createLink(
  db: Queryable,
  tokens: Tokens,
  { purpose, email, userId, returnTo, lifeMinutes = LINK_MINUTES }: LinkRequest,
): Promise<string> {
  const id = newId();
  await insertLink(db, {
    id,
    purpose,
    tokenHash: hashToken(linkToken(tokens, purpose, id)),
    email,
    emailKey: emailKey(email),
    userId: userId ?? null,
    returnTo: returnTo ?? null,
    lifeMinutes,
  });
  return id;
}

function linkToken(tokens: Tokens, purpose: LinkPurpose, id: string): string {
  return tokens.derive(purpose, id);
}

const PAGES: Record<LinkPurpose, string> = {
  'sign-in': '/sign-in',
  'email-change': '/confirm-email',
};

/**
 * The secret is in the fragment, which browsers never send. Pass `tokenHash` for a stored link: its token
 * may come from a secrets key that was rotated since.
 */
export function linkUrl(
  tokens: Tokens,
  publicUrl: string,
  link: { id: string; purpose: LinkPurpose; tokenHash?: Buffer; returnTo?: string | null },
): string {
  const { id, purpose, tokenHash } = link;
  const token = tokenHash
    ? tokens.rederive(tokenHash, purpose, id)
    : linkToken(tokens, purpose, id);
  const fragment = new URLSearchParams({ token });
  if (link.returnTo) fragment.set('returnTo', link.returnTo);
  return `${publicUrl}${PAGES[link.purpose]}#${fragment.toString()}`;
}

/** Uses up the link, or says why it can't be used. `userId` is its person, if it belongs to one. */
export async function redeemLink(
  db: Queryable,
  purpose: LinkPurpose,
  token: string,
  userId: string | null = null,
): Promise<LinkRow> {
  const hash = hashToken(token);
  const link = await useLink(db, purpose, hash, userId);
  if (link) return link;
  throw whyNotUsed(await findLinkByToken(db, purpose, hash, userId));
}

/** For the email that tells the old address about the change. Valid for 7 days. */
export function undoUrl(
  tokens: Tokens,
  publicUrl: string,
  { id, tokenHash }: { id: string; tokenHash: Buffer },
): string {
  return `${publicUrl}/undo-email#token=${tokens.rederive(tokenHash, UNDO, id)}`;
}

export function undoToken(tokens: Tokens, undoId: string): string {
  return tokens.derive(UNDO, undoId);
}

const UNDO = 'email-undo';

export function whyNotUsed(link: { usedAt: Date | null } | undefined): AppError {
  if (!link) return notFound('This link');
  if (link.usedAt) {
    return conflict('link_used', 'This link was already used. Request a new one.');
  }
  return conflict('link_expired', 'This link has expired. Request a new one.');
}
