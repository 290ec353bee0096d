import { hashToken } from '../../../adapters/secrets/tokens.ts';
import type { Tokens } from '../../../core/context.ts';
import type { Queryable } from '../../../db/types.ts';
import { conflict, notFound, type AppError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { findLinkByToken, insertLink, useLink, type LinkPurpose, type LinkRow } from './store.ts';

export const LINK_MINUTES = 15;

export interface LinkRequest extends Pick<LinkRow, 'purpose' | 'email'> {
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
  request: LinkRequest,
): Promise<string> {
  const id = newId();
  const tokenHash = hashToken(tokens.derive(request.purpose, id));
  await insertLink(db, { id, tokenHash, lifeMinutes: LINK_MINUTES, ...request });
  return id;
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
  link: Pick<LinkRow, 'id' | 'purpose'> & Partial<Pick<LinkRow, 'tokenHash' | 'returnTo'>>,
): string {
  const { id, purpose, tokenHash, returnTo } = link;
  const token = tokenHash ? tokens.rederive(tokenHash, purpose, id) : tokens.derive(purpose, id);
  const fragment = new URLSearchParams({ token, ...(returnTo && { returnTo }) });
  return `${publicUrl}${PAGES[purpose]}#${fragment.toString()}`;
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
