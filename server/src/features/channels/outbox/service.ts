import type { Context } from '../../../core/context.ts';
import type { Transaction } from '../../../db/types.ts';
import { addToOutboxAtCommit } from './store.ts';

/**
 * Adds to the commit that changes a message of a mapped session: it has to be brought up to date in the
 * channel. New messages need no such row, whoever serves the channel finds them by their positions.
 */
export function shareChangeAtCommit(
  { db, orgId }: Pick<Context, 'orgId'> & { db: Transaction },
  { isMapped }: { isMapped: boolean },
  message: { id: string; sessionId: string },
): void {
  if (isMapped) addToOutboxAtCommit(db, orgId, message);
}
