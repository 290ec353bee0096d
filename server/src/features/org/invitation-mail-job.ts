import { z } from 'zod';
import type { Mailer } from '../../adapters/mail/mailer.ts';
import type { Tokens } from '../../core/context.ts';
import type { Database } from '../../db/types.ts';
import { renderInvitationMail } from './invitation-mail.ts';
import { findInvitationForMail } from './invitations/store.ts';

export const INVITATION_MAIL = 'invitation-mail';

const Payload = z.object({ orgId: z.string(), invitationId: z.string(), tokenNumber: z.int() });

/** Derived whenever it is needed; only its hash is stored. */
export function invitationToken(tokens: Tokens, invitationId: string, tokenNumber: number): string {
  return tokens.derive(...tokenWords(invitationId, tokenNumber));
}

function tokenWords(invitationId: string, tokenNumber: number): [string, string, string] {
  return ['invitation', invitationId, String(tokenNumber)];
}

export interface InvitationMailParts {
  db: Database;
  mailer: Mailer;
  tokens: Tokens;
  publicUrl: string;
}

/** Sends the invitation, unless it was revoked, accepted or resent in the meantime. */
export async function sendInvitationMail(
  parts: InvitationMailParts,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { orgId, invitationId, tokenNumber } = Payload.parse(payload);
  const invitation = await findInvitationForMail(parts.db, orgId, invitationId);
  if (invitation?.status !== 'PENDING' || invitation.tokenNumber !== tokenNumber) return;
  const words = tokenWords(invitationId, tokenNumber);
  const token = parts.tokens.rederive(invitation.tokenHash, ...words);
  const link = `${parts.publicUrl}/invite/${token}`;
  const mail = renderInvitationMail({ ...invitation, link });
  // The same id on every attempt lets mail programs recognise duplicates.
  const messageId = `${invitationId}-${tokenNumber}`;
  await parts.mailer.send({ to: invitation.recipient, ...mail, link, messageId }, { signal });
}
