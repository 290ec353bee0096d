import { hashToken } from '../../../adapters/secrets/tokens.ts';
import type { Context } from '../../../core/context.ts';
import type { Transaction } from '../../../db/types.ts';
import { emailKey } from '../../../core/email.ts';
import { limitReached } from '../../../core/errors.ts';
import { countMailsOfOrg, countMailsTo, insertMail, lockAddress, lockMailsOf } from './store.ts';

export { purgeMails } from './store.ts';

const MOST_MAILS_PER_ORG = 200;
const MOST_MAILS_PER_ADDRESS = 5;

/**
 * Counts an invitation email or refuses it. The org's limit is checked first and no time is given, so a
 * refusal reveals nothing about other orgs except that the address has reached its limit.
 */
export async function countInvitationMail(
  ctx: Pick<Context, 'orgId' | 'tokens'> & { db: Transaction },
  email: string,
): Promise<void> {
  await lockMailsOf(ctx.db, ctx.orgId);
  if ((await countMailsOfOrg(ctx.db, ctx.orgId)) >= MOST_MAILS_PER_ORG) {
    throw limitReached(
      'invitation_mails_per_org',
      MOST_MAILS_PER_ORG,
      `This organisation has sent ${MOST_MAILS_PER_ORG} invitation emails in 24 hours. Try again later.`,
    );
  }
  const hashes = addressHashes(ctx, email);
  await lockAddress(ctx.db, hashes);
  if ((await countMailsTo(ctx.db, hashes)) >= MOST_MAILS_PER_ADDRESS) {
    throw limitReached(
      'invitation_mails_per_address',
      MOST_MAILS_PER_ADDRESS,
      `${email} was sent ${MOST_MAILS_PER_ADDRESS} invitation emails in 24 hours. Try again later.`,
    );
  }
  await insertMail(ctx.db, ctx.orgId, hashes[0]);
}

/** One hash per secrets key, so that emails sent before a key rotation still count. */
function addressHashes(
  { tokens }: Pick<Context, 'tokens'>,
  email: string,
): readonly [Buffer, ...Buffer[]] {
  const [current, ...older] = tokens.deriveAll('invitation-address', emailKey(email));
  return [hashToken(current), ...older.map(hashToken)];
}
