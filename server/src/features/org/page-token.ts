import { timingSafeEqual } from 'node:crypto';
import type { Tokens } from '../../core/context.ts';

/** Which token of an invitation is current. */
export interface TokenOf {
  id: string;
  tokenNumber: number;
}

/**
 * For the link that OWNERs and ADMINs copy. It opens the invitation's page, but unlike the emailed token it
 * does not prove that whoever has it reads the invited mailbox. It is signed, and stored nowhere.
 */
export function pageToken(tokens: Tokens, invitation: TokenOf): string {
  return `${invitation.id}.${tokens.derive(...words(invitation))}`;
}

/** The invitation that a token says it is for. Undefined for an emailed token, which has no dot. */
export function readPageToken(token: string): string | undefined {
  const [id, signature] = token.split('.');
  return signature === undefined ? undefined : id;
}

export function isPageToken(tokens: Tokens, invitation: TokenOf, token: string): boolean {
  const given = Buffer.from(token);
  return tokens.deriveAll(...words(invitation)).some((signature) => {
    const expected = Buffer.from(`${invitation.id}.${signature}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function words({ id, tokenNumber }: TokenOf): [string, string, string] {
  return ['invitation-page', id, String(tokenNumber)];
}
